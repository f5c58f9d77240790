// The key `needs`: results of earlier steps that a planner must be shown, as maps or as texts such as `ingest.files`.
import type { Json } from '../../base/json.ts';
import type { KeyValues } from './key.ts';
import { flag, map, oneOrMore, text } from './kinds.ts';

const needKeys = {
  step: text('The id or the name of a step, or a glob over ids and names.', 'ingest', 'plan_recon.1/*'),
  path: text('A path into the result; `*` stands for every item. When absent, the whole result.', 'files.*.path'),
  as: text('The name under which the planner sees the value.', 'paths'),
  full: flag('Shows the value in full, never shrunk.')
    .shows(false)
    .to((full) => (full ? true : undefined)),
};

export type Need = Omit<KeyValues<typeof needKeys>, 'step'> & { readonly step: string };

const need = map('A result, or a part of a result.', needKeys, ['step'])
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

/** In `plan_recon.1/sniff.columns` the path begins at the first dot after the last slash. */
function fromText(written: string): Need {
  const dot = written.indexOf('.', written.lastIndexOf('/') + 1);
  if (dot <= 0 || dot === written.length - 1) return { step: written };
  return { step: written.slice(0, dot), path: written.slice(dot + 1) };
}

const listed = needs('The needs of a reply.');

/** Reads needs from a document whose shape is not checked yet; a single need counts as a list of one. */
export function readNeeds(written: Json | undefined): readonly Need[] {
  return listed.read(written, []) ?? [];
}
