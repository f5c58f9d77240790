// Finds the paths of data that a program reads, as far as its source shows them.
import type { PathPart } from '../base/issue.ts';
import type { Place } from '../base/place.ts';
import { children, type FnNode, type Node } from './analyze/node.ts';
import type { Program } from './program.ts';
import { locate } from './source-place.ts';
import { isKeyword, type Value } from './value.ts';

/** `data/results` with the path `["fetch", "rows", 0]`. An empty path means the whole binding. */
export interface ReferencedPath {
  readonly binding: string;
  readonly path: readonly PathPart[];
  readonly place: Place;
}

interface Reference {
  readonly binding: string;
  readonly path: readonly PathPart[];
}

/** Known references of local slots. */
type KnownReferences = Map<number, Reference>;

/** Follows literal `get`, `get-in`, keyword calls, `first`, `nth` and destructuring, also through `let`. Lists each path once, as long as the source spells it. */
export function referencedPaths(program: Program): readonly ReferencedPath[] {
  const found = new Map<string, ReferencedPath>();
  const note = ({ binding, path }: Reference, at: number) => {
    const key = JSON.stringify([binding, path]);
    if (!found.has(key)) found.set(key, { binding, path, place: locate(program.source, at, at, program.place) });
  };
  visit(program.body, new Map(), note);
  return [...found.values()];
}

function visit(node: Node, known: KnownReferences, note: (reference: Reference, at: number) => void): void {
  const reference = referenceOf(node, known);
  if (reference !== undefined) {
    if (node.kind !== 'local') note(reference, node.at);
    return;
  }
  switch (node.kind) {
    case 'let':
    case 'loop': {
      const apart = node.kind === 'let' ? takenApart(node) : new Set();
      for (const { slot, value } of node.bindings) {
        const held = node.kind === 'let' ? referenceOf(value, known) : undefined;
        if (held === undefined || !apart.has(slot)) visit(value, known, note);
        if (held === undefined) known.delete(slot);
        else known.set(slot, held);
      }
      visit(node.body, known, note);
      return;
    }
    case 'fn':
      visitFunction(node, known, note);
      return;
    default:
      for (const child of children(node)) visit(child, known, note);
  }
}

/** Slots that are destructured: only their parts count as read. */
function takenApart({ bindings }: Node & { kind: 'let' }): ReadonlySet<number> {
  return new Set(
    bindings.flatMap(({ value }) =>
      (value.kind === 'lookup' || value.kind === 'element') && value.of.kind === 'local' ? [value.of.slot] : [],
    ),
  );
}

function visitFunction(node: FnNode, known: KnownReferences, note: (reference: Reference, at: number) => void): void {
  for (const arity of node.arities) {
    const inside: KnownReferences = new Map();
    for (const { capture, slot } of arity.loads) {
      const held = known.get(node.captures[capture] ?? -1);
      if (held !== undefined) inside.set(slot, held);
    }
    visit(arity.body, inside, note);
  }
}

function referenceOf(node: Node, known: KnownReferences): Reference | undefined {
  switch (node.kind) {
    case 'data':
      return { binding: node.name, path: [] };
    case 'local':
      return known.get(node.slot);
    case 'lookup':
      return node.otherwise === undefined || node.otherwise.kind === 'const'
        ? extended(node.of, [node.key], known)
        : undefined;
    case 'element':
      return deeper(referenceOf(node.of, known), [node.index]);
    case 'call':
      return called(node, known);
    case 'invoke':
      return invoked(node, known);
    default:
      return undefined;
  }
}

/** Reads `(:key of)`, or `(of :key)` for a map as a function. */
function called(
  { head, args: [first, second] }: Node & { kind: 'call' },
  known: KnownReferences,
): Reference | undefined {
  if (first === undefined || second !== undefined) return undefined;
  return head.kind === 'const' ? extended(first, [head], known) : extended(head, [first], known);
}

function invoked(node: Node & { kind: 'invoke' }, known: KnownReferences): Reference | undefined {
  const [of, key] = node.args;
  if (of === undefined) return undefined;
  switch (node.builtin.name) {
    case 'get':
    case 'nth':
      return key === undefined ? undefined : extended(of, [key], known);
    case 'get-in':
      return key?.kind === 'vector' ? extended(of, key.items, known) : undefined;
    case 'first':
      return deeper(referenceOf(of, known), [0]);
    case 'second':
      return deeper(referenceOf(of, known), [1]);
    default:
      return undefined;
  }
}

function extended(of: Node, keys: readonly Node[], known: KnownReferences): Reference | undefined {
  const parts = keys.map((key) => (key.kind === 'const' ? partOf(key.value) : undefined));
  return parts.every((part) => part !== undefined) ? deeper(referenceOf(of, known), parts) : undefined;
}

function partOf(key: Value): PathPart | undefined {
  if (typeof key === 'string' || typeof key === 'number') return key;
  return isKeyword(key) ? key.name : undefined;
}

function deeper(reference: Reference | undefined, parts: readonly PathPart[]): Reference | undefined {
  return reference === undefined ? undefined : { binding: reference.binding, path: [...reference.path, ...parts] };
}
