// Attachments: what a step is about, by reference.

export interface Attachment {
  readonly kind: 'link' | 'file' | 'image';
  /** An address; for files and images a path under the granted roots, or an address. */
  readonly ref: string;
  readonly label?: string;
}

const IMAGE = /\.(?:png|jpe?g|gif|webp|bmp|tiff?|heic|avif|svg)$/i;

/** What a bare reference is, by the looks of it. */
export function attachmentOf(ref: string): Attachment {
  if (isAddress(ref)) return { kind: 'link', ref };
  return { kind: IMAGE.test(ref) ? 'image' : 'file', ref };
}

/** Not a path on this machine. */
export function isAddress(ref: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]+:\/\/|www\.|data:)/i.test(ref);
}
