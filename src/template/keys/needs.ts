// The results of earlier steps that a planner asks to see: a list of maps, or of texts such as `ingest.files`.
import type { Json } from '../../base/json.ts';
import type { KeyValues } from './key.ts';
import { flag, map, oneOrMore, text } from './kinds.ts';

const needKeys = {
  step: text("A step's id or name, or a glob over both.", 'ingest', 'plan_recon.1/*'),
  path: text('Where in the result; `*` stands for every item. All of it when absent.', 'files.*.path'),
  as: text('The name under which it is shown.', 'paths'),
  full: flag('Never shrunk.')
    .shows(false)
    .to((full) => (full ? true : undefined)),
};

export type Need = Omit<KeyValues<typeof needKeys>, 'step'> & { readonly step: string };

const need = map('A result, or a part of it.', needKeys, ['step'])
  .to(({ step, ...more }): Need | undefined => (step === undefined ? undefined : { step, ...more }))
  .orShort(
    { type: ['string', 'object'], 'x-expects': 'a text such as ingest.files, or { step, path, as, full }' },
    (written) => (typeof written === 'string' ? fromText(written) : undefined),
  );

export function needs(description: string) {
  return oneOrMore(['array', 'string'], need, description, [
    'ingest.files',
    { step: 'plan_recon.1/*', full: true },
  ]).with({ maxItems: 20 });
}

/** `plan_recon.1/sniff.columns`: behind the last slash, the first dot begins the path. */
function fromText(written: string): Need {
  const dot = written.indexOf('.', written.lastIndexOf('/') + 1);
  if (dot <= 0 || dot === written.length - 1) return { step: written };
  return { step: written.slice(0, dot), path: written.slice(dot + 1) };
}

const listed = needs('The needs of a reply.');

/** Reads needs before the shape of their document has been checked; a single need counts as a list of one. */
export function readNeeds(written: Json | undefined): readonly Need[] {
  return listed.read(written, []) ?? [];
}
