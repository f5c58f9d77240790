// The interface of an engine under comparison: durable layers of trivial steps, written in the style of its documentation.
import type { Durability, Layers } from '../floor.ts';

export interface Peer {
  /** Facts that a reader must know to compare the figures. */
  readonly note: string;
  /** The durability levels that it supports. */
  readonly durabilities: readonly Durability[];
  /** The most steps to measure; more would take minutes. */
  readonly most: number;
  /** Calls `ended` at the end of each step. Throws unless all of them have run. */
  run(file: string, layers: Layers, durability: Durability, ended: () => void): Promise<Ran>;
}

export interface Ran {
  /** Milliseconds, without the time to set up and to open the store. */
  readonly took: number;
}

export const OURS = 'reconverge';

export const peers: Readonly<Record<string, () => Promise<{ readonly peer: Peer }>>> = {
  [OURS]: () => import('./reconverge.ts'),
  'LangGraph.js, state in channels': () => import('./langgraph.ts'),
  'LangGraph.js, DeltaChannel': async () => ({ peer: (await import('./langgraph.ts')).deltaPeer }),
  'DBOS Transact': () => import('./dbos.ts'),
  Mastra: () => import('./mastra.ts'),
};
