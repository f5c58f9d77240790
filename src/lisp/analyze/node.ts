// Nodes: the program after names are resolved and special forms are expanded.
import type { Builtin } from '../builtin.ts';
import type { Key, Value } from '../value.ts';

/** `at` is the offset of the form in the source. */
export type Node =
  | { readonly kind: 'const'; readonly value: Value; readonly at: number }
  | { readonly kind: 'local'; readonly slot: number; readonly at: number }
  | { readonly kind: 'global'; readonly slot: number; readonly name: string; readonly at: number }
  | { readonly kind: 'data'; readonly slot: number; readonly name: string; readonly at: number }
  | { readonly kind: 'builtin'; readonly builtin: Builtin; readonly at: number }
  | { readonly kind: 'if'; readonly test: Node; readonly then: Node; readonly else: Node; readonly at: number }
  | { readonly kind: 'do'; readonly body: readonly Node[]; readonly at: number }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Node[]; readonly at: number }
  | { readonly kind: 'let'; readonly bindings: readonly Binding[]; readonly body: Node; readonly at: number }
  | { readonly kind: 'loop'; readonly bindings: readonly Binding[]; readonly body: Node; readonly at: number }
  | { readonly kind: 'recur'; readonly slots: readonly number[]; readonly args: readonly Node[]; readonly at: number }
  | FnNode
  | {
      readonly kind: 'letfn';
      readonly fns: readonly { readonly slot: number; readonly fn: FnNode }[];
      readonly body: Node;
      readonly at: number;
    }
  | { readonly kind: 'invoke'; readonly builtin: Builtin; readonly args: readonly Node[]; readonly at: number }
  | { readonly kind: 'call'; readonly head: Node; readonly args: readonly Node[]; readonly at: number }
  | { readonly kind: 'vector' | 'set'; readonly items: readonly Node[]; readonly at: number }
  | { readonly kind: 'map'; readonly keys: readonly Node[]; readonly vals: readonly Node[]; readonly at: number }
  | { readonly kind: 'def'; readonly slot: number; readonly name: string; readonly value: Node; readonly at: number }
  | {
      readonly kind: 'case';
      readonly subject: Node;
      readonly table: ReadonlyMap<Key, Node>;
      readonly otherwise: Node | undefined;
      readonly at: number;
    }
  | { readonly kind: 'unmatched'; readonly at: number }
  | ForNode
  | { readonly kind: 'fail'; readonly message: Node; readonly at: number }
  | {
      readonly kind: 'element';
      readonly of: Node;
      readonly index: number;
      readonly walked: boolean;
      readonly at: number;
    }
  | { readonly kind: 'tail'; readonly of: Node; readonly from: number; readonly at: number }
  | { readonly kind: 'options'; readonly of: Node; readonly at: number }
  | {
      readonly kind: 'lookup';
      readonly of: Node;
      readonly key: Node;
      readonly otherwise: Node | undefined;
      readonly at: number;
    };

export interface Binding {
  readonly slot: number;
  readonly value: Node;
}

export interface FnNode {
  readonly kind: 'fn';
  readonly name: string;
  /** Slots of the enclosing frame that the closure copies when it is created. */
  readonly captures: readonly number[];
  readonly arities: readonly ArityNode[];
  readonly at: number;
}

/** Parameters fill the frame from slot 0; the rest list comes last. */
export interface ArityNode {
  readonly params: number;
  readonly variadic: boolean;
  readonly size: number;
  readonly self: number | undefined;
  /** Maps captured values to slots. */
  readonly loads: readonly { readonly capture: number; readonly slot: number }[];
  readonly body: Node;
}

export interface ForNode {
  readonly kind: 'for';
  readonly steps: readonly ForStep[];
  /** False for `doseq` and `dotimes`, which collect nothing. */
  readonly collects: boolean;
  readonly body: Node;
  readonly at: number;
}

export type ForStep =
  | { readonly kind: 'each'; readonly slot: number; readonly over: Node; readonly bindings: readonly Binding[] }
  | { readonly kind: 'let'; readonly bindings: readonly Binding[] }
  | { readonly kind: 'when' | 'while'; readonly test: Node };

/** The direct children in evaluation order. */
export function children(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'const':
    case 'local':
    case 'global':
    case 'data':
    case 'builtin':
    case 'unmatched':
      return [];
    case 'if':
      return [node.test, node.then, node.else];
    case 'do':
      return node.body;
    case 'and':
    case 'or':
      return node.parts;
    case 'let':
    case 'loop':
      return [...node.bindings.map((binding) => binding.value), node.body];
    case 'recur':
    case 'invoke':
      return node.args;
    case 'fn':
      return node.arities.map((arity) => arity.body);
    case 'letfn':
      return [...node.fns.map((each) => each.fn), node.body];
    case 'call':
      return [node.head, ...node.args];
    case 'vector':
    case 'set':
      return node.items;
    case 'map':
      return [...node.keys, ...node.vals];
    case 'def':
      return [node.value];
    case 'case':
      return [node.subject, ...node.table.values(), ...(node.otherwise === undefined ? [] : [node.otherwise])];
    case 'for':
      return [...node.steps.flatMap(stepNodes), node.body];
    case 'fail':
      return [node.message];
    case 'element':
    case 'tail':
    case 'options':
      return [node.of];
    case 'lookup':
      return node.otherwise === undefined ? [node.of, node.key] : [node.of, node.key, node.otherwise];
  }
}

function stepNodes(step: ForStep): readonly Node[] {
  switch (step.kind) {
    case 'each':
      return [step.over, ...step.bindings.map((binding) => binding.value)];
    case 'let':
      return step.bindings.map((binding) => binding.value);
    default:
      return [step.test];
  }
}
