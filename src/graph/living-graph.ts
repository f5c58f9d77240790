// The graphology graph of a run: everybody may read and copy it, and only `plan-graph.ts` writes it.
import { DirectedGraph } from 'graphology';
import type { Attributes } from 'graphology-types';
import { Fault } from '../base/fault.ts';

type WritingVerb = 'add' | 'clear' | 'drop' | 'merge' | 'prepend' | 'remove' | 'replace' | 'set' | 'update';

/** Listeners are closed too: graphology would call them in the middle of a fold. */
type WritingMethod = Extract<
  keyof DirectedGraph,
  `${WritingVerb}${string}` | 'import' | 'on' | 'once' | 'off' | 'emit'
>;

const WRITING = /^(?:(?:add|clear|drop|merge|prepend|remove|replace|set|update)|(?:import|on|once|off)$)/;

/** A directed graph whose writing methods do not compile, and throw. Libraries that only read graphs take it as it is. */
export type LivingGraph<Node extends Attributes> = DirectedGraph<Node> &
  Readonly<Record<WritingMethod, never>> & {
    /** The key of the node with this id. */
    keyOf(id: string): string | undefined;
    /** An ordinary graph with the same keys, and with the attributes of this moment. */
    copy(): DirectedGraph<Node>;
  };

class ClosedGraph<Node extends Attributes> extends DirectedGraph<Node> {
  static {
    for (const name of methodsOf(DirectedGraph.prototype)) {
      if (WRITING.test(name)) Object.defineProperty(ClosedGraph.prototype, name, { value: () => refuse(name) });
    }
  }

  readonly #keys: ReadonlyMap<string, string>;

  constructor(keys: ReadonlyMap<string, string>) {
    super();
    this.#keys = keys;
  }

  keyOf(id: string): string | undefined {
    return this.#keys.get(id);
  }

  /** Nobody can listen. */
  override emit(): boolean {
    return false;
  }
}

/** `keys`: the key of each node by its id. */
export function createLivingGraph<Node extends Attributes>(keys: ReadonlyMap<string, string>): LivingGraph<Node> {
  const graph: DirectedGraph<Node> = new ClosedGraph<Node>(keys);
  assertClosed(graph);
  return graph;
}

/** True for the graph of a run. */
export function isLivingGraph(value: object): boolean {
  return value instanceof ClosedGraph;
}

function assertClosed<Node extends Attributes>(graph: DirectedGraph<Node>): asserts graph is LivingGraph<Node> {
  if (!(graph instanceof ClosedGraph)) throw new Fault('the graph can be written');
}

function refuse(method: string): never {
  throw new TypeError(`${method}() cannot write to the graph of a run: write to a copy: graph.copy()`);
}

function methodsOf(prototype: object): readonly string[] {
  const above: unknown = Object.getPrototypeOf(prototype);
  const inherited = typeof above === 'object' && above !== null && above !== Object.prototype ? methodsOf(above) : [];
  return [...Object.getOwnPropertyNames(prototype), ...inherited];
}
