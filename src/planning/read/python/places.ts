// Finds the place in a Python text of a part of a step.
import type { PathPart } from '../../../base/issue.ts';
import type { EvaluatedCall } from './evaluate.ts';
import type { Expression, Span } from './syntax.ts';

/** `path` leads into `{ name, capability, input }`; for an unknown part the nearest part above counts. */
export function spanOf({ call, targetAt }: EvaluatedCall, path: readonly PathPart[]): Span {
  const [part, key, ...inside] = path;
  if (part === 'capability') return call.toolAt;
  if (part === 'name') return targetAt ?? call.toolAt;
  if (part !== 'arguments' && part !== 'input') return call;
  if (key === undefined) return call.givenAt;
  const named = call.given.find(({ name }) => name === key);
  const placed = typeof key === 'number' ? call.given[key] : undefined;
  const [only, another] = call.given;
  // The contract names arguments by position, and only a lone one is certain.
  const argument = named ?? placed ?? (another === undefined && only?.name === undefined ? only : undefined);
  return argument === undefined ? call.givenAt : inside.reduce(within, argument.value);
}

function within(holder: Expression, key: PathPart): Expression {
  const part =
    holder.kind === 'list' && typeof key === 'number'
      ? holder.items[key]
      : holder.kind === 'map'
        ? holder.entries.find((entry) => entry.key === key)?.value
        : undefined;
  return part ?? holder;
}
