// Forks: runs that copy the events of another run up to one event, and continue with or without changes.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import { eventSchema } from '../../src/engine/record/event.schema.ts';
import type { Engine, ForkOptions, ForkPoint } from '../../src/runtime/api/engine.ts';
import type { RunRecord } from '../../src/runtime/api/run-record.ts';
import type { RunReport } from '../../src/runtime/api/run-report.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { checkRun } from '../../src/view/check-run.ts';
import { runDiff } from '../../src/view/diff/run-diff.ts';

const calls: string[] = [];

const note = defineCapability({
  name: 'test.note',
  description: 'Notes a word.',
  effects: ['compute'],
  input: { type: 'object', required: ['word'], properties: { word: { type: 'string' } } },
  run: (input) => {
    const { word } = input as { word: string };
    calls.push(word);
    return { word, letters: word.length };
  },
});

const noting = (name: string, rest: JsonObject = {}): JsonObject => ({
  name,
  handler: 'test.note',
  input: { word: name },
  ...rest,
});

const document: JsonObject = {
  reconverge: 1,
  name: 'letters',
  models: { spare: { model: 'first-model', prices: { input: 1, output: 1 } } },
  budget: { max_total_steps: 12 },
  steps: [
    noting('look'),
    {
      name: 'plan',
      type: 'planning',
      convergence_target: 'sum',
      dependencies: ['look'],
      planner: { kind: 'fixed', fragment: { rationale: 'both', steps: [noting('ann'), noting('benjamin')] } },
    },
    {
      name: 'sum',
      type: 'deferred',
      dependencies: ['plan'],
      convergence: { policy: 'all_settled' },
      handler: 'test.note',
      input: { word: 'sum' },
    },
  ],
};

let engine: Engine;
let original: RunRecord;

beforeAll(async () => {
  engine = createEngine({ journal: openMemoryJournal(), capabilities: [note] });
  const template = await loaded(document);
  const started = await engine.start(template, { by: 'ann' });
  if (!started.ok) throw new Error(JSON.stringify(started.error));
  original = recordOf((await started.value.done).run);
});
afterAll(() => engine.close());

async function loaded(given: JsonObject) {
  const template = await engine.load(given);
  if (!template.ok) throw new Error(JSON.stringify(template.error));
  return template.value;
}

function recordOf(run: string): RunRecord {
  const read = engine.read(run);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

async function forked(at: ForkPoint, options: ForkOptions = {}): Promise<RunReport> {
  calls.length = 0;
  const handle = await engine.fork(original.state.id, at, { by: 'ben', ...options });
  if (!handle.ok) throw new Error(JSON.stringify(handle.error));
  return handle.value.done;
}

async function refusal(at: ForkPoint, options: ForkOptions = {}): Promise<readonly string[]> {
  const before = engine.runs().length;
  const handle = await engine.fork(original.state.id, at, options);
  expect(engine.runs()).toHaveLength(before);
  return handle.ok ? [] : handle.error.map(({ code, message }) => `${code}: ${message}`);
}

describe('a fork', () => {
  it('without changes ends like the original run, at every event where it can begin', async () => {
    // The last step's end and the run's are one batch.
    const last = original.events.findLast(({ event }) => event.type === 'attempt.started')?.version ?? 0;
    for (let event = 1; event <= last; event++) {
      const record = recordOf((await forked({ event })).run);
      const { status, steps, output, plans } = runDiff(original, record);
      // An attempt that was under way at the fork begins again, so its step may differ in attempts.
      const others = steps.filter(({ attempts, ...rest }) => Object.keys(rest).length > 3 || rest.left !== rest.right);
      expect({ status, output, plans, others }, `at ${event}`).toEqual({ output: [], plans: [], others: [] });
      const { broken } = checkRun(record.template, record.events, (digest) => record.blob(digest) !== undefined);
      expect(broken, `at ${event}`).toEqual([]);
    }
  });

  it('does not repeat completed steps, and charges an attempt that was under way once', async () => {
    const begun = original.events.find(({ event }) => event.type === 'attempt.started' && event.step === 'sum');
    const report = await forked({ event: begun?.version ?? 0 });
    expect(calls).toEqual(['sum']);
    expect(report.spent).toEqual({ ...original.state.ledger.accounts.get('run')?.spent });
  });

  it('records its origin, its changes and its reason, and leaves the original run unchanged', async () => {
    const events = original.events.length;
    const { run } = await forked({ step: 'plan' }, { why: 'to see', budget: { max_total_steps: '6' } });
    const record = recordOf(run);
    expect(record.state.forked).toEqual({ from: original.state.id, at: expect.any(Number) });
    expect(record.events.find(({ event }) => event.type === 'run.forked')?.event).toMatchObject({
      from: original.state.id,
      changes: ['max_total_steps 6'],
      by: 'ben',
      why: 'to see',
    });
    const isEvent = new Ajv2020({ strict: false }).compile(eventSchema);
    expect(record.events.map(({ event }) => isEvent(event))).not.toContain(false);
    expect(recordOf(original.state.id).events).toHaveLength(events);
  });

  it('continues with the reply that it is given for its planner', async () => {
    const reply = { rationale: 'another', steps: [noting('carla')] };
    const { run, status } = await forked({ step: 'plan' }, { reply });
    expect({ status, calls: [...calls] }).toEqual({ status: 'completed', calls: ['carla', 'sum'] });
    const { plans, common } = runDiff(original, recordOf(run));
    expect(common).toBeGreaterThan(1);
    expect(plans).toMatchObject([{ planner: 'plan', steps: { added: ['carla'], removed: ['ann', 'benjamin'] } }]);
  });

  it('reviews a given plan like the plan of a planner', async () => {
    const reply = { rationale: 'wrong', steps: [{ name: 'x', handler: 'test.unknown' }] };
    const { run } = await forked({ step: 'plan' }, { reply });
    const rejected = recordOf(run).events.flatMap(({ event }) => (event.type === 'fragment.rejected' ? [event] : []));
    expect(rejected[0]?.issues.map(({ code }) => code)).toEqual(['FRAGMENT_UNKNOWN_CAPABILITY']);
  });

  it('replaces the model of a profile', async () => {
    const { run } = await forked({ step: 'sum' }, { models: { spare: 'second-model' } });
    expect(recordOf(run).template.models.spare?.model).toBe('second-model');
  });

  it('follows another template if only steps that had not begun differ', async () => {
    const [look, plan, sum] = document.steps as readonly JsonObject[];
    const steps = [look ?? {}, plan ?? {}, { ...sum, input: { word: 'total' } }];
    const template = await loaded({ ...document, steps });
    await forked({ step: 'sum' }, { template });
    expect(calls).toEqual(['total']);
  });

  it.each<{ title: string; at: ForkPoint; options?: ForkOptions; why: RegExp }>([
    { title: 'at an event that the run does not have', at: { event: 999 }, why: /^FORK_POINT_UNKNOWN: .* not at 999$/ },
    { title: 'at a step that never began', at: { step: 'nobody' }, why: /^FORK_POINT_UNKNOWN/ },
    {
      title: 'with a plan for a step that is no planning step',
      at: { step: 'look' },
      options: { reply: {} },
      why: /is not a planning step/,
    },
    {
      title: 'with a budget below the spent amount',
      at: { step: 'sum' },
      options: { budget: { max_total_steps: '3' } },
      why: /^(FORK_BUDGET_SPENT|BUDGET_)/,
    },
    {
      title: 'with a budget above the limit of the template',
      at: { step: 'sum' },
      options: { budget: { max_total_steps: '99' } },
      why: /^BUDGET_LOOSENED/,
    },
    {
      title: 'with a model for an unknown profile',
      at: { step: 'sum' },
      options: { models: { main: 'x' } },
      why: /^MODEL_UNKNOWN/,
    },
  ])('is refused $title, and creates no run', async ({ at, options = {}, why }) => {
    expect((await refusal(at, options))[0]).toMatch(why);
  });

  it('is refused with a template that changes a step which had begun', async () => {
    const steps = (document.steps as readonly JsonObject[]).map((step) =>
      step.name === 'look' ? { ...step, input: { word: 'stare' } } : step,
    );
    const template = await loaded({ ...document, steps });
    expect(await refusal({ step: 'sum' }, { template })).toEqual([
      expect.stringMatching(/^FORK_MISMATCH: step "look"/),
    ]);
  });
});
