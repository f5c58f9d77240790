// Computes the host stack that a body needs, in closures, so that deep recursion is our own error on every machine.
import { children, type Node } from '../analyze/node.ts';

/** Closures to enter a function, besides its body. */
export const CALL_WEIGHT = 2;

/** The most closures on the stack while the node runs, without calls of other functions. */
export function weightOf(node: Node): number {
  let heaviest = 0;
  let at = node;
  // An else chain runs as a loop.
  while (at.kind === 'if') {
    heaviest = Math.max(heaviest, weightOf(at.test), weightOf(at.then));
    at = at.else;
  }
  if (at.kind === 'fn') return heaviest + 1;
  for (const child of children(at)) heaviest = Math.max(heaviest, weightOf(child));
  return heaviest + (at.kind === 'for' ? 1 + 2 * at.steps.length : 1);
}
