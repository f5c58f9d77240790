// How much of the host's stack a body may take, in closures: so that running too deep is an error of ours, the same everywhere.
import { children, type Node } from '../analyze/node.ts';

/** Entering a function, beside what its body takes. */
export const CALL_WEIGHT = 2;

/** The most closures that may be on the stack at once while the node runs, calls of other functions not counted. */
export function weightOf(node: Node): number {
  let heaviest = 0;
  let at = node;
  // A chain of else branches runs as a loop.
  while (at.kind === 'if') {
    heaviest = Math.max(heaviest, weightOf(at.test), weightOf(at.then));
    at = at.else;
  }
  if (at.kind === 'fn') return heaviest + 1;
  for (const child of children(at)) heaviest = Math.max(heaviest, weightOf(child));
  return heaviest + (at.kind === 'for' ? 1 + 2 * at.steps.length : 1);
}
