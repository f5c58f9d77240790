// The performer of an intent, and the way it was chosen, in words.
import type { PerformerChoice } from '../../goals/intent.ts';

const HOW = {
  named: 'named',
  kind: 'for tasks of its kind',
  ranked: 'serves best',
  words: 'the words say so',
  model: 'a model chose it',
  proven: 'has served such intents before',
  person: 'a person says',
  nested: 'planned further when it is due',
  missing: 'found because nothing that is there serves it',
  folded: 'asked of it with the call before',
} as const;

/** `issues.list: serves best, 0.3 ahead of the next` */
export function performerText({ by, capability, agent, margin }: PerformerChoice): string {
  const who = capability ?? (agent === undefined ? undefined : `agent ${agent}`);
  const ahead = margin === undefined ? '' : `, ${margin} ahead of the next`;
  return `${who === undefined ? '' : `${who}: `}${HOW[by]}${ahead}`;
}
