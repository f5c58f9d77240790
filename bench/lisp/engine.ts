// The interface of an engine under comparison: the same programs in its own language, and how to compile and evaluate them.

/** A comparison on a field; a count against an upstream count; an `if` with a text as diagnosis; a reduction of 1,000 items. */
export const expressionNames = ['p1', 'p2', 'p3', 'p4'] as const;
export type ExpressionName = (typeof expressionNames)[number];

/** JSON, like the results of capabilities and earlier steps. */
export interface Data {
  readonly result: Readonly<Record<string, unknown>>;
  readonly depends: Readonly<Record<string, unknown>>;
}

export type Evaluate = (data: Data) => unknown;

export interface Engine {
  readonly expressions: Readonly<Record<ExpressionName, string>>;
  /** Facts that a reader must know to compare the figures. */
  readonly note: string;
  /** The settings for the comparison of speed; only Reconverge runs with limits. */
  compile(source: string): Evaluate | Promise<Evaluate>;
  /** Converts the data into the form that the engine takes, once, before it is measured; absent when the engine takes the data itself. */
  readonly prepare?: (data: Data) => Data;
  /** Hostile programs by name, without those that the language cannot express. */
  readonly hostile: Readonly<Record<string, string>>;
  /** With all limits that the engine offers; `compile` when it offers none. */
  readonly compileGuarded?: (source: string) => Evaluate | Promise<Evaluate>;
}

export const OURS = 'reconverge';

export const engines: Readonly<Record<string, () => Promise<{ readonly engine: Engine }>>> = {
  [OURS]: () => import('./engines/reconverge.ts'),
  '@marcbachmann/cel-js': () => import('./engines/cel.ts'),
  jsonata: () => import('./engines/jsonata.ts'),
  'json-logic-js': () => import('./engines/json-logic.ts'),
  jexl: () => import('./engines/jexl.ts'),
  'isolated-vm': () => import('./engines/isolated-vm.ts'),
  nbb: () => import('./engines/nbb.ts'),
  'nbb, data resident': async () => ({ engine: (await import('./engines/nbb.ts')).residentEngine }),
};

export async function engineNamed(name: string): Promise<Engine> {
  const load = engines[name];
  if (load === undefined) throw new Error(`there is no engine "${name}": ${Object.keys(engines).join(', ')}`);
  return (await load()).engine;
}
