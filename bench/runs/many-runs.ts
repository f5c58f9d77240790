// Fills one store with many small runs of several templates, with every status, forks and child runs, spread over a month.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Json } from '../../src/base/json.ts';
import type { Engine, RunHandle, StartOptions } from '../../src/runtime/api/engine.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { fastClock } from './clock.ts';
import { makeRun } from './make-run.ts';

const SPEED = 25;
const DAY = 86_400_000;
const repository = join(import.meta.dirname, '../..');

const checkOne = {
  reconverge: 1,
  name: 'check-one-order',
  description: 'Check one order, and have a person look at a large one.',
  input: '{id :string, total :number}',
  output: { id: '{{ input.id }}', fine: '{{ results.verdict }}' },
  steps: [
    {
      name: 'ask',
      type: 'human_review',
      when: { $lisp: '(> (:total data/input) 1000)' },
      prompt: 'Is {{ input.id }} over {{ input.total }} right?',
    },
    {
      name: 'verdict',
      type: 'compute',
      dependencies: ['ask'],
      expr: { $lisp: '(get-in data/results [:ask :approved] true)' },
    },
  ],
};

const checkAll = {
  reconverge: 1,
  name: 'check-all-orders',
  description: 'Check the orders of a day, each in a run of its own.',
  input: { type: 'object', properties: { large: { type: 'number', default: 700 } } },
  capabilities: [{ template: { file: './check-one-order.yaml', name: 'check.one', budget: { max_total_steps: 5 } } }],
  steps: [
    { name: 'small', handler: 'check.one', input: { id: 'A-1', total: 20 } },
    { name: 'large', handler: 'check.one', input: { id: 'A-2', total: '{{ input.large }}' } },
    {
      name: 'both',
      type: 'compute',
      dependencies: ['small', 'large'],
      expr: { $lisp: '(and (get-in data/results [:small :fine]) (get-in data/results [:large :fine]))' },
    },
  ],
  output: '{{ results.both }}',
};

interface Story {
  readonly template: string;
  readonly input?: Json;
  readonly given?: StartOptions;
  /** Told to the run when it has come to rest. */
  rest?(engine: Engine, run: string): Promise<unknown>;
  /** Told to the run as soon as it has begun. */
  soon?(handle: RunHandle): unknown;
}

const answer =
  (verdict: 'approve' | 'reject', gate = 'g1', why?: string) =>
  async (engine: Engine, run: string) => {
    const reply = await engine.order(run, {
      type: 'review',
      gate,
      verdict,
      by: 'ann',
      ...(why === undefined ? {} : { why }),
    });
    if (!reply.ok) throw new Error(JSON.stringify(reply.error));
    await reply.value.handle?.done;
  };

const order = (type: 'pause' | 'cancel') => async (engine: Engine, run: string) => {
  const reply = await engine.order(run, { type, by: 'ann', why: 'the month is not closed yet' });
  if (!reply.ok) throw new Error(JSON.stringify(reply.error));
  await reply.value.handle?.done;
};

const fork = (step: string) => async (engine: Engine, run: string) => {
  const forked = await engine.fork(run, { step }, { why: 'once more from here', by: 'ann' });
  if (!forked.ok) throw new Error(JSON.stringify(forked.error));
  await forked.value.done;
};

const research = { replay: join(repository, 'templates/cassettes/research-and-compare.json') };

const stories: readonly Story[] = [
  { template: 'reconcile-payments' },
  { template: 'map-analyze-reduce' },
  { template: 'triage-refunds', input: { request: 'R-101' } },
  { template: 'reconcile-payments', input: { threshold: 0.25 } },
  { template: 'check-all-orders', input: { large: 5_000 } },
  { template: 'map-analyze-reduce', rest: fork('plan_map') },
  { template: 'triage-refunds', input: { request: 'R-105' }, rest: answer('reject', 'g1', 'not this quarter') },
  { template: 'replan-what-failed', input: { folder: 'templates/data/branches' } },
  { template: 'research-and-compare', given: research },
  { template: 'check-all-orders' },
  { template: 'triage-refunds', input: { request: 'R-103' } },
  { template: 'map-analyze-reduce', given: { budget: { max_total_steps: '12' } } },
  { template: 'check-all-orders', input: { large: 2_000 }, rest: answer('approve', 'g1/g1') },
  { template: 'reconcile-payments', rest: fork('plan_execution') },
  { template: 'triage-refunds', input: { request: 'R-105' }, rest: order('pause') },
  { template: 'replan-what-failed', input: { folder: 'templates/data/nowhere' } },
  { template: 'triage-refunds', input: { request: 'R-105' }, rest: answer('approve') },
  { template: 'map-analyze-reduce', soon: (handle) => handle.stop() },
  { template: 'triage-refunds', input: { request: 'R-105' }, rest: order('cancel') },
];

const smallStories = [0, 2, 3, 10, 9, 6].map((index) => stories[index] as Story);

/** A tenth of the runs are of today. With `months`, some runs of the large template are among them. */
export async function makeManyRuns(
  store: string,
  count: number,
  { small = false } = {},
): Promise<ReadonlyMap<string, number>> {
  const folder = join(dirname(store), 'project');
  mkdirSync(folder, { recursive: true });
  cpSync(join(repository, 'templates'), join(folder, 'templates'), { recursive: true });
  writeFileSync(join(folder, 'templates/check-one-order.yaml'), JSON.stringify(checkOne, null, 1));
  writeFileSync(join(folder, 'templates/check-all-orders.yaml'), JSON.stringify(checkAll, null, 1));
  const told = small ? smallStories : stories;
  const now = Date.now();
  const counts = new Map<string, number>();
  for (let i = 0; i < count; i++) {
    const age = 30 * DAY * (1 - (i + 1) / count) ** 2 + 600_000;
    if (!small && i % 10 === 4) {
      await makeRun({
        store,
        steps: i % 20 === 4 ? 20 : 100,
        variant: i % 30 === 24 ? 'living' : 'gate',
        start: now - age,
      });
      continue;
    }
    await tell(told[i % told.length] as Story, store, folder, now - age);
  }
  const engine = createEngine({ store, folder });
  for (const { status } of engine.runs()) counts.set(status, (counts.get(status) ?? 0) + 1);
  await engine.close();
  return counts;
}

async function tell(
  { template, input, given, soon, rest }: Story,
  store: string,
  folder: string,
  start: number,
): Promise<void> {
  const engine = createEngine({
    store,
    folder,
    durability: 'relaxed',
    learning: false,
    clock: fastClock(start, SPEED),
    surroundings: { OPENAI_API_KEY: 'bench' },
  });
  const loaded = await engine.load(join(folder, 'templates', `${template}.yaml`));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const started = await engine.start(loaded.value, { ...given, ...(input === undefined ? {} : { input }) });
  if (!started.ok) throw new Error(JSON.stringify(started.error));
  soon?.(started.value);
  const { run } = await started.value.done;
  await rest?.(engine, run);
  await engine.close();
}
