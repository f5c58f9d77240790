// Measures one engine in a process of its own: checks its values, times compiling and evaluating, and prints a line of JSON.
import assert from 'node:assert/strict';
import { median } from '../table.ts';
import { type Data, type Engine, type Evaluate, type ExpressionName, engineNamed, expressionNames } from './engine.ts';
import { answers, inputs } from './inputs.ts';

const WARM_UP_MS = 300;
const ROUND_MS = 30;
const ROUNDS = 15;

export interface Figures {
  /** Microseconds for one evaluation. */
  readonly evaluate: Readonly<Record<ExpressionName, number>>;
  /** Microseconds, as the mean over the expressions. */
  readonly compile: number;
}

/** Microseconds for one call, as the median of long rounds. */
async function time(call: () => unknown): Promise<number> {
  // Awaiting a plain value would cost more than some evaluations.
  const many = call() instanceof Promise ? manyAwaited : manyAtOnce;
  let calls = 0;
  const began = performance.now();
  while (performance.now() - began < WARM_UP_MS) {
    await many(call, 10);
    calls += 10;
  }
  const aRound = Math.max(10, Math.round((calls * ROUND_MS) / WARM_UP_MS));
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await many(call, aRound);
    rounds.push(((performance.now() - start) * 1_000) / aRound);
  }
  return median(rounds);
}

function manyAtOnce(call: () => unknown, times: number): void {
  for (let i = 0; i < times; i++) call();
}

async function manyAwaited(call: () => unknown, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await call();
}

async function measure(engine: Engine): Promise<Figures> {
  const { prepare = (data: Data) => data } = engine;
  const evaluate = { p1: 0, p2: 0, p3: 0, p4: 0 };
  const compiling: number[] = [];
  for (const name of expressionNames) {
    const source = engine.expressions[name];
    const program: Evaluate = await engine.compile(source);
    const data = prepare(inputs[name]);
    assert.deepEqual(plain(await program(data)), answers[name], `${name} of this engine answers otherwise`);
    evaluate[name] = await time(() => program(data));
    compiling.push(await time(() => engine.compile(source)));
  }
  return { evaluate, compile: compiling.reduce((sum, each) => sum + each, 0) / compiling.length };
}

function plain(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

const [name = ''] = process.argv.slice(2);
console.log(JSON.stringify(await measure(await engineNamed(name))));
