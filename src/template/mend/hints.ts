// Mends what a hint says to write: the grant of a capability, a convergence target, and the name of a parameter.
import { nodeAtPath } from '../parse/outline.ts';
import { rewritten, withEntry, withWord } from './edits.ts';
import type { Correction, MendingCase } from './rule.ts';

export function missingGrant({ issue, outline }: MendingCase): Correction | undefined {
  const name = /^grant it: add (\S+) to capabilities$/.exec(issue.hint ?? '')?.[1];
  if (issue.code !== 'CAPABILITY_UNKNOWN' || name === undefined || outline.root.kind !== 'map') return undefined;
  return { title: `Grant "${name}"`, edits: [withWord(outline, outline.root, ['capabilities'], name)] };
}

export function missingTarget({ issue, outline }: MendingCase): Correction | undefined {
  const name = /^write convergence_target: (\S+)$/.exec(issue.hint ?? '')?.[1];
  if (issue.code !== 'CONVERGENCE_TARGET_MISSING' || name === undefined) return undefined;
  const step = nodeAtPath(outline, issue.path.slice(0, -1));
  if (step?.kind !== 'map') return undefined;
  return {
    title: `Write "convergence_target: ${name}"`,
    edits: [withEntry(outline, step, 'convergence_target', name)],
  };
}

export function wrongParameter({ issue, outline }: MendingCase): Correction | undefined {
  const name = /^write ([\w-]+): in place of "/.exec(issue.hint ?? '')?.[1];
  if (issue.code !== 'INPUT_UNKNOWN_KEY' || name === undefined) return undefined;
  const map = nodeAtPath(outline, issue.path.slice(0, -1));
  const entry = map?.kind === 'map' ? map.entries.find(({ key }) => key === issue.path.at(-1)) : undefined;
  if (entry === undefined) return undefined;
  return { title: `Change "${entry.key}" to "${name}"`, edits: [rewritten(outline, entry.keySpan, name)] };
}
