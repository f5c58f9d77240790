// The options of the library's functions: unknown names are issues, and the limits of a mission hold.
import { afterEach, describe, expect, it } from 'vitest';
import type { Issue } from '../../src/base/issue.ts';
import type { Json } from '../../src/base/json.ts';
import { OptionsRefused } from '../../src/base/options.ts';
import type { Result } from '../../src/base/result.ts';
import { scriptedModel } from '../../src/llm/scripted-model.ts';
import { openTelemetry } from '../../src/otel/index.ts';
import { openPostgresJournal } from '../../src/postgres/index.ts';
import type { Engine } from '../../src/runtime/api/engine.ts';
import { toolCapabilities } from '../../src/runtime/api/tools.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { executePlan, startPlan } from '../../src/runtime/mission/execute-plan.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { openSqliteJournal } from '../../src/store/sqlite-journal.ts';
import { given, openModelServer, playScenario } from '../../src/testing/index.ts';

const engines: Engine[] = [];

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

/** Options as a program in JavaScript may write them. */
// biome-ignore lint/suspicious/noExplicitAny: stands for a program without types
type Untyped = any;

function engineOf(options: Untyped = {}): Engine {
  const engine = createEngine({ journal: openMemoryJournal(), learning: false, ...options });
  engines.push(engine);
  return engine;
}

const document = { reconverge: 1, name: 'x', steps: [{ name: 'a', type: 'compute', expr: '1' }] };

function issuesIn(result: Result<unknown, readonly Issue[]>): readonly (string | undefined)[] {
  return result.ok ? [] : result.error.flatMap(({ code, message, hint }) => [code, message, hint]);
}

describe('an unknown option', () => {
  it('is an issue of each method of an engine, with the nearest name', async () => {
    const engine = engineOf();
    const loaded = await engine.load(document);
    if (!loaded.ok) throw new Error('the template is right');
    const template = loaded.value;
    const wrong = async (result: Promise<Result<unknown>> | Result<unknown>) => issuesIn(await result);
    const unknown = (method: string, name: string, hint: string) => [
      'OPTION_UNKNOWN',
      `engine.${method} has no option "${name}"`,
      `did you mean "${hint}"?`,
    ];
    const options = (name: string): Untyped => ({ [name]: 1 });
    expect(await wrong(engine.load(document, options('enviroment')))).toEqual(
      unknown('load', 'enviroment', 'environment'),
    );
    expect(await wrong(engine.start(template, options('inputs')))).toEqual(unknown('start', 'inputs', 'input'));
    expect(await wrong(engine.run('x', options('max_total_replans')))).toEqual(
      unknown('run', 'max_total_replans', 'maxTotalReplans'),
    );
    expect(await wrong(engine.execute({}, 'x', options('maxTurn')))).toEqual(unknown('execute', 'maxTurn', 'maxTurns'));
    expect(await wrong(engine.pursue('x', options('askbelow')))).toEqual(unknown('pursue', 'askbelow', 'askBelow'));
    expect(await wrong(engine.resume('x', options('onEvent')))).toEqual(unknown('resume', 'onEvent', 'onEvents'));
    expect(await wrong(engine.fork('x', { event: 1 }, options('modls')))).toEqual(unknown('fork', 'modls', 'models'));
    expect(await wrong(engine.logs('x', options('levels')))).toEqual(unknown('logs', 'levels', 'level'));
    const cancel = { type: 'cancel', by: 'ann' } as const;
    expect(await wrong(engine.order('x', cancel, options('on_events')))).toEqual(
      unknown('order', 'on_events', 'onEvents'),
    );
    expect(await wrong(startPlan(engine, {}, options('misson')))).toEqual([
      'OPTION_UNKNOWN',
      'startPlan has no option "misson"',
      'did you mean "mission"?',
    ]);
    expect(await wrong(executePlan(engine, {}, options('misson')))).toContain('OPTION_UNKNOWN');
    expect(() => engine.runs(options('patient'))).toThrow(/engine.runs has no option "patient".*"patience"/);
    expect(await wrong(engine.fork('x', { evnt: 1 } as Untyped))).toContain('did you mean "event"?');
    expect(await wrong(engine.fork('x', {} as Untyped))).toContain('write { event: 12 } or { step: "fetch" }');
  });

  it('is thrown by functions that return no result', async () => {
    const options = (name: string): Untyped => ({ [name]: 1 });
    expect(() => createEngine(options('jounal'))).toThrow(OptionsRefused);
    expect(() => createEngine(options('jounal'))).toThrow(
      'createEngine has no option "jounal" (did you mean "journal"?)',
    );
    expect(() => createEngine({ store: 7 } as Untyped)).toThrow('the option "store" of createEngine must be a text');
    expect(() => openSqliteJournal('none.db', options('durabilty'))).toThrow(/did you mean "durability"/);
    expect(() => given(document, options('capability'))).toThrow(/did you mean "capabilities"/);
    await expect(openModelServer(options('skript'))).rejects.toThrow(/did you mean "script"/);
  });

  it('that is a budget key says where budget keys go', async () => {
    const issues = issuesIn(await engineOf().run('x', { max_total_steps: 3 } as Untyped));
    expect(issues).toContain('write budget: { max_total_steps: … }');
  });

  it('in an order is an issue, and the run stays as it is', async () => {
    const engine = engineOf();
    const started = await engine.execute(
      { steps: [{ name: 'ask', type: 'human_review', prompt: 'Right?' }] },
      'Ask somebody',
    );
    const run = started.ok ? started.value.run : '';
    const order = async (written: Untyped) => issuesIn(await engine.order(run, written));
    expect(await order({ type: 'reviw', gate: 'g1', by: 'ann' })).toContain('did you mean "review"?');
    expect(await order({ type: 'review', gate: 'g1', verdict: 'approve', by: 'ann', note: 'fine' })).toEqual([
      'OPTION_UNKNOWN',
      'the order "review" has no option "note"',
      expect.stringContaining('gate'),
    ]);
    expect(await order({ type: 'review', gate: 'g1', verdict: 'yes', by: 'ann' })).toContain('ORDER_INVALID');
    expect(await order({ type: 'review', gate: 'g1', verdict: 'approve' })).toEqual([
      'ORDER_INVALID',
      'the order "review" does not say who gives it',
      expect.stringContaining('by'),
    ]);
    expect(await order(undefined)).toContain('ORDER_INVALID');
    const read = engine.read(run);
    expect(read.ok && read.value.state.status).toBe('running');
  });
});

describe('the limits of a mission', () => {
  const failing = {
    name: 'first',
    type: 'compute',
    expr: '1',
    verification: '"too small"',
    on_verification_failure: 'replan',
  };
  const frame = { models: { default: { model: 'scripted', prices: { input: '$0', output: '$0' } } } };
  const mission = 'Somehow see to it that everyone is content';

  /** Each plan differs, because a planner must not repeat a plan that failed. */
  const plans = (times: number) =>
    Array.from({ length: times }, (_, index) => ({ reply: { json: { steps: [{ ...failing, expr: `${index}` }] } } }));

  it('bound the repairs of a plan', async () => {
    const replans = async (limits: object): Promise<number | undefined> => {
      const engine = engineOf({ models: { default: scriptedModel(plans(9)) } });
      const outcome = await engine.run(mission, { frame, replanCooldown: 1, ...limits });
      return outcome.ok ? outcome.value.replanCount : undefined;
    };
    expect(await replans({})).toBe(4);
    expect(await replans({ maxTotalReplans: 0 })).toBe(0);
    expect(await replans({ maxTotalReplans: 3 })).toBe(3);
    expect(await replans({ maxReplanAttempts: 1 })).toBe(2);
  });

  it('bound the turns of agents, also of those that a plan brings', async () => {
    const agents = { scribe: { prompt: 'You write.', max_turns: 9, output: '{text :string}' } };
    const steps = [{ name: 'write', agent: 'scribe', description: 'Write a line' }];
    const model = scriptedModel([
      { reply: { json: { agents, steps } } },
      ...Array.from({ length: 20 }, () => ({ reply: { text: 'no JSON at all' } })),
    ]);
    const engine = engineOf({ models: { default: model } });
    const outcome = await engine.run(mission, { frame, maxTurns: 2, maxTotalReplans: 0 });
    expect(outcome.ok && outcome.value.status).toBe('failed');
    expect(model.asked.length).toBe(3);
  });

  it('bound the time of planned steps and the work at the same time', async () => {
    const steps: Json[] = [
      { name: 'usual', type: 'compute', expr: '1' },
      { name: 'long', type: 'compute', expr: '1', timeout: '20m' },
      { name: 'short', type: 'compute', expr: '1', timeout: '5s' },
    ];
    const engine = engineOf();
    const outcome = await engine.execute({ steps }, 'Count', {
      timeout: '90s',
      maxConcurrency: 2,
      maxReplanAttempts: 2,
      replanCooldown: 500,
    });
    const read = engine.read(outcome.ok ? outcome.value.run : '');
    if (!read.ok) throw new Error('the run is there');
    const { state, template } = read.value;
    const times = [...state.steps.values()].map(({ spec }) => [spec.name, spec.timeout]);
    expect(Object.fromEntries(times)).toMatchObject({ usual: 90_000, long: 90_000, short: 5_000 });
    expect(template.concurrency.max).toBe(2);
    expect(template.steps[0]?.planning?.replan).toMatchObject({ maxAttempts: 2, cooldown: 500 });
  });

  it('that cannot be read are issues', async () => {
    const engine = engineOf();
    expect(issuesIn(await engine.run('x', { maxTurns: 1.5 }))).toEqual([
      'OPTION_INVALID',
      'the option "maxTurns" of engine.run must be a whole number, 0 or more',
      undefined,
    ]);
    expect(issuesIn(await engine.run('x', { timeout: 'soon' }))).toContain('SHAPE_WRONG_VALUE');
  });
});

describe('an unknown option of a function beside the engine', () => {
  const wrong: Untyped = { durabilty: 'relaxed' };

  it('is refused before the function opens or plays anything', async () => {
    const template: Untyped = {};
    expect(() => openMemoryJournal(wrong)).toThrow(OptionsRefused);
    expect(() => openPostgresJournal('postgres://127.0.0.1:1/none', wrong)).toThrow('did you mean "durability"?');
    await expect(openTelemetry(engineOf(), { spanProcessor: [] } as Untyped)).rejects.toThrow('spanProcessors');
    await expect(playScenario({ file: 'x', template }, template, { model: {} } as Untyped)).rejects.toThrow('"models"');
  });

  it('is an issue of toolCapabilities', () => {
    const tools: Untyped = { baseTool: {} };
    expect(issuesIn(toolCapabilities(tools))).toContain('did you mean "baseTools"?');
  });
});
