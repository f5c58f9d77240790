// Attachments: references to links, files and images that a step works on.
import { defined } from '../../base/json.ts';
import { choice, map, oneOrMore, text } from './kinds.ts';

const attachmentKeys = {
  kind: choice('The kind of attachment; guessed from the reference when absent.', ['link', 'file', 'image']),
  ref: text('An address, or a path under the granted roots.', 'https://example.com/spec.pdf', 'shots/login.png'),
  label: text('The name under which the attachment is shown.'),
};

export interface Attachment {
  readonly kind: 'link' | 'file' | 'image';
  /** An address; for files and images a path under the granted roots, or an address. */
  readonly ref: string;
  readonly label?: string;
}

const attachment = map('A link, a file or an image.', attachmentKeys, ['ref'])
  .to(({ kind, ref, label }): Attachment | undefined =>
    ref === undefined ? undefined : { ...attachmentOf(ref), ...defined({ kind, label }) },
  )
  .orShort(
    { type: ['string', 'object'], 'x-expects': 'a path, an address, or { kind, ref, label }' },
    (written): Attachment | undefined => (typeof written === 'string' ? attachmentOf(written) : undefined),
  );

export function attachments(description: string) {
  return oneOrMore(['array', 'string'], attachment, description, [
    'https://example.com/spec.pdf',
    { kind: 'image', ref: 'shots/login.png', label: 'the login form' },
  ]);
}

const IMAGE = /\.(?:png|jpe?g|gif|webp|bmp|tiff?|heic|avif|svg)$/i;

/** Guesses the kind from the reference. */
export function attachmentOf(ref: string): Attachment {
  if (isAddress(ref)) return { kind: 'link', ref };
  return { kind: IMAGE.test(ref) ? 'image' : 'file', ref };
}

/** Tells an address from a path on this machine. */
export function isAddress(ref: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]+:\/\/|www\.|data:)/i.test(ref);
}
