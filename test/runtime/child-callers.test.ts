// Child runs that planners, agents, fan-outs and other child runs start, and child runs in cassettes, dry runs and forks.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import { CapabilityError } from '../../src/capabilities/capability-error.ts';
import { scriptedModel } from '../../src/llm/scripted-model.ts';
import type { Engine, StartOptions } from '../../src/runtime/api/engine.ts';
import type { EngineOptions } from '../../src/runtime/api/engine-options.ts';
import type { RunReport } from '../../src/runtime/api/run-report.ts';
import { dryRun } from '../../src/runtime/dry/dry-run.ts';
import { checkRun } from '../../src/view/check-run.ts';
import { codes, engineOf, gated, good, pathTo } from './set-up.ts';

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(pathTo(name), `reconverge: 1\n${text}`);
}

async function run(engine: Engine, file: string, options: StartOptions = {}): Promise<RunReport> {
  return good(await engine.start(good(await engine.load(file)), options)).done;
}

/** Checks the invariants of every run. */
function checkAll(engine: Engine): void {
  for (const { id } of engine.runs()) {
    const { template, events, blob } = good(engine.read(id));
    expect(checkRun(template, events, (digest) => blob(digest) !== undefined).broken).toEqual([]);
  }
}

const child = `name: child
input: "{number :int}"
output: "{{ results.twice }}"
steps: [{ name: twice, type: compute, expr: "(* 2 (:number data/input))" }]
`;

/** Pays, and records the key of the call. */
function paying(work: (time: number) => void = () => undefined) {
  const keys: string[] = [];
  const pay = defineCapability({
    name: 'pay',
    description: 'Pays.',
    effects: ['write'],
    repeat: 'keyed',
    run: (_: Json, ctx) => {
      keys.push(ctx.idempotencyKey);
      work(keys.length);
      return { paid: true };
    },
  });
  return { pay, keys };
}

const planned = (capability: string, input: string): string => `name: planned
capabilities: [{ template: ./child.yaml }]
steps:
  - name: plan
    type: planning
    convergence_target: end
    planner: { kind: fixed, fragment: { steps: [{ name: sub, capability: ${capability}, input: ${input} }] } }
  - { name: end, type: deferred, dependencies: [plan], input: { got: "{{ depends }}" } }
`;

describe('a planner', () => {
  it('may start a child run of a granted template, whose steps count in the parent run', async () => {
    write({ 'child.yaml': child, 'planned.yaml': planned('child', '{ number: 4 }') });
    const engine = engineOf();
    const report = await run(engine, 'planned.yaml');
    expect(report).toMatchObject({ status: 'completed', spent: { steps: 4, phases: 1, tool_calls: 1 } });
    expect(JSON.stringify(report.output)).toContain('8');
    checkAll(engine);
  });

  it('needs an approval for a child run with side effects', async () => {
    write({
      'child.yaml': 'name: child\nsteps: [{ name: only, handler: pay }]\n',
      'planned.yaml': planned('child', '{}'),
    });
    const { pay, keys } = paying();
    const engine = engineOf({ capabilities: [pay] });
    const report = await run(engine, 'planned.yaml');
    expect(report).toMatchObject({ status: 'waiting', gates: [{ gate: 'g1', kind: 'approval', step: 'plan.1/sub' }] });
    expect(engine.runs()).toHaveLength(1);
    const yes = { type: 'review', gate: 'g1', verdict: 'approve', by: 'ada' } as const;
    expect(await good(await engine.order(report.run, yes)).handle?.done).toMatchObject({ status: 'completed' });
    expect(keys).toHaveLength(1);
  });
});

describe('a child run that is retried', () => {
  const pays = `name: child
steps:
  - { name: first, handler: pay }
  - { name: then, handler: shaky, dependencies: [first] }
`;
  const retried = `name: retried
capabilities: [{ template: ./child.yaml }]
steps: [{ name: sub, handler: child, on_failure: retry, retry: { max_attempts: 2, base: 1ms } }]
`;

  it('is a new run that calls its capability with the key of the first run', async () => {
    write({ 'child.yaml': pays, 'retried.yaml': retried });
    const { pay, keys } = paying();
    let times = 0;
    const shaky = defineCapability({
      name: 'shaky',
      description: 'Works the second time.',
      effects: ['network'],
      run: () => {
        times += 1;
        if (times === 1) throw new CapabilityError('SHOP_BUSY', 'come back later');
        return 'done';
      },
    });
    const engine = engineOf({ capabilities: [pay, shaky] });
    const report = await run(engine, 'retried.yaml');
    expect(report).toMatchObject({ status: 'completed', spent: { steps: 5, tool_calls: 6 } });
    expect(engine.runs()).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(new RegExp(`^${report.run}/child/`));
    checkAll(engine);
  });
});

it('an agent calls a child run as a tool, and waits for its gate', async () => {
  write({
    'child.yaml': 'name: child\nsteps: [{ name: check, type: human_review, prompt: "is it right?" }]\n',
    'agents.yaml': `name: agents
models: { default: { model: scripted, prices: { input: $0, output: $0 } } }
agents: { clerk: { prompt: Do it., tools: [child] } }
capabilities: [{ template: ./child.yaml }]
steps: [{ name: ask, agent: clerk, timeout: 1h }]
`,
  });
  const model = scriptedModel([
    { reply: { toolCalls: [{ id: 'c1', name: 'child', arguments: {} }] } },
    { reply: { json: { answer: 'it is right' } } },
  ]);
  const engine = engineOf({ models: { default: model } });
  const report = await run(engine, 'agents.yaml');
  expect(report).toMatchObject({ status: 'waiting', gates: [{ gate: 'g1/g1', step: 'check' }] });
  const yes = { type: 'review', gate: 'g1/g1', verdict: 'approve', by: 'ada' } as const;
  const ended = await good(await engine.order(report.run, yes)).handle?.done;
  expect(ended).toMatchObject({ status: 'completed', spent: { llm_calls: 2, tool_calls: 1, steps: 2 } });
  checkAll(engine);
});

it('a run waits for the gate of a grandchild run, and continues after its answer', async () => {
  write({
    'child.yaml': 'name: child\nsteps: [{ name: check, type: human_review, prompt: "is it right?" }]\n',
    'middle.yaml':
      'name: middle\ncapabilities: [{ template: ./child.yaml }]\nsteps: [{ name: inner, handler: child }]\n',
    'outer.yaml': 'name: outer\ncapabilities: [{ template: ./middle.yaml }]\nsteps: [{ name: sub, handler: middle }]\n',
  });
  const engine = engineOf();
  const report = await run(engine, 'outer.yaml');
  const innermost = engine.runs()[0]?.id;
  expect(report.gates).toMatchObject([{ gate: 'g1/g1/g1', run: innermost, step: 'check' }]);
  const yes = { type: 'review', verdict: 'approve', by: 'ada' } as const;
  const { handle } = good(await engineOf().order(innermost ?? '', { ...yes, gate: 'g1' }));
  expect(await handle?.done).toMatchObject({
    run: report.run,
    status: 'completed',
    spent: { steps: 3, tool_calls: 2 },
  });
  checkAll(engine);
});

it('a run is partial when its child run is partial', async () => {
  write({
    'child.yaml': `name: child
steps:
  - name: plan
    type: planning
    convergence_target: end
    planner: { kind: fixed, fragment: { steps: [{ name: good, capability: work }, { name: bad, capability: fails }] } }
  - { name: end, type: deferred, dependencies: [plan], convergence: { policy: all_settled }, input: { ok: true } }
`,
    'outer.yaml': 'name: outer\ncapabilities: [{ template: ./child.yaml }]\nsteps: [{ name: sub, handler: child }]\n',
  });
  const fails = defineCapability({
    name: 'fails',
    description: 'Fails.',
    effects: ['compute'],
    run: () => {
      throw new CapabilityError('SHOP_CLOSED', 'it is closed');
    },
  });
  const answers = defineCapability({ name: 'work', description: 'Works.', effects: ['compute'], run: () => 1 });
  const report = await run(engineOf({ capabilities: [answers, fails] }), 'outer.yaml');
  expect(report).toMatchObject({ status: 'completed', partial: true, output: { sub: { end: { ok: true } } } });
});

describe('parallel child runs', () => {
  const wide = `name: wide
budget: { max_total_steps: 9 }
capabilities: [{ template: { file: ./child.yaml, budget: { max_total_steps: 4 } } }]
steps:
  - name: each
    type: fan_out
    for_each: [1, 2, 3]
    max_width: 3
    do: { handler: child }
`;
  /** A child whose bound is larger than its use. */
  const roomy = `name: child
steps:
  - name: plan
    type: planning
    convergence_target: end
    planner: { kind: lisp, source: "{:steps []}" }
  - { name: end, type: deferred, dependencies: [plan], handler: work }
`;

  it('run in turns when the budget does not cover the sum of their bounds', async () => {
    write({ 'child.yaml': roomy, 'wide.yaml': wide.replace('9', '12') });
    let under = 0;
    let most = 0;
    const work = defineCapability({
      name: 'work',
      description: 'Counts who works with it.',
      effects: ['compute'],
      run: async () => {
        under += 1;
        most = Math.max(most, under);
        await new Promise((resolve) => setImmediate(resolve));
        under -= 1;
        return 1;
      },
    });
    const engine = engineOf({ capabilities: [work] });
    const report = await run(engine, 'wide.yaml');
    expect(report).toMatchObject({ status: 'completed', spent: { steps: 10, phases: 3 } });
    expect(most).toBeLessThan(3);
    checkAll(engine);
  });

  it('let other child runs within the budget begin while they wait for people', async () => {
    const asks = 'name: child\nsteps: [{ name: check, type: human_review, prompt: "right?" }]\n';
    write({ 'child.yaml': asks, 'wide.yaml': wide });
    const engine = engineOf();
    const report = await run(engine, 'wide.yaml');
    expect(report).toMatchObject({ status: 'waiting' });
    expect(report.gates?.map(({ gate }) => gate)).toEqual(['g1/g1', 'g2/g1', 'g3/g1']);
  });

  it('let another child run begin only after an answer frees the budget that it needs', async () => {
    const patient = roomy
      .replace('type: planning', 'type: planning\n    dependencies: [check]')
      .replace('steps:\n', 'steps:\n  - { name: check, type: human_review, prompt: "right?" }\n');
    write({
      'child.yaml': patient,
      'wide.yaml': wide.replace('9', '14').replace(': 4', ': 4, max_total_planning_phases: 1'),
    });
    const answers = defineCapability({ name: 'work', description: 'Works.', effects: ['compute'], run: () => 1 });
    const engine = engineOf({ capabilities: [answers] });
    const first = await run(engine, 'wide.yaml');
    expect(first.gates?.map(({ gate }) => gate)).toEqual(['g1/g1', 'g2/g1']);
    const yes = { type: 'review', verdict: 'approve', by: 'ada', gate: 'g1' } as const;
    const second = await good(await engine.order(first.run, yes)).handle?.done;
    expect(second?.gates?.map(({ gate }) => gate)).toEqual(['g2/g1', 'g3/g1']);
    checkAll(engine);
  });
});

describe('a cassette', () => {
  const asksModel = `name: child
models: { default: { model: scripted, prices: { input: $0, output: $0 } } }
agents: { clerk: { prompt: Say it. } }
steps: [{ name: say, agent: clerk }, { name: buy, handler: pay }]
`;
  const outer = 'name: outer\ncapabilities: [{ template: ./child.yaml }]\nsteps: [{ name: sub, handler: child }]\n';

  it('records the requests of child runs, and replays them in child runs', async () => {
    write({ 'child.yaml': asksModel, 'outer.yaml': outer });
    const { pay, keys } = paying();
    const model = scriptedModel([{ reply: { json: { answer: 'yes' } } }]);
    const recorded = await run(engineOf({ capabilities: [pay], models: { default: model } }), 'outer.yaml', {
      record: 'tape.json',
    });
    expect(recorded.status).toBe('completed');
    const { exchanges } = JSON.parse(readFileSync(pathTo('tape.json'), 'utf8'));
    expect(exchanges.map(({ kind, name }: Record<string, string>) => `${kind} ${name}`).sort()).toEqual([
      'capability pay',
      'model default',
    ]);
    const again = await run(engineOf({ capabilities: [pay] }), 'outer.yaml', { replay: 'tape.json' });
    expect(again).toMatchObject({ status: 'completed', output: recorded.output, spent: recorded.spent });
    expect(keys).toHaveLength(1);
  });
});

it('a dry run starts no child run', async () => {
  write({ 'child.yaml': child, 'planned.yaml': planned('child', '{ number: 4 }') });
  const engine = engineOf();
  const template = good(await engine.load('planned.yaml'));
  const dry = good(
    await dryRun(template, { steps: {}, capabilities: { child: 7 }, plans: {}, answers: {} }, {}, { folder: pathTo() }),
  );
  expect(dry.report.status).toBe('completed');
  expect(dry.sources).toContainEqual({ step: 'plan.1/sub', asked: 'child', from: 'the stub of the capability' });
  expect(existsSync(pathTo('.reconverge'))).toBe(true);
  expect(engine.runs()).toEqual([]);
});

it('a step that passes a secret to a child run fails, and the store does not hold the secret', async () => {
  write({
    'child.yaml': 'name: child\nsteps: [{ name: only, handler: work }]\n',
    'outer.yaml': `name: outer
capabilities: [{ template: ./child.yaml }]
steps: [{ name: sub, handler: child, input: { token: "\${secret.BANK}" } }]
`,
  });
  const engine = engineOf({ surroundings: { ...process.env, BANK: 'hush-hush' } } as EngineOptions);
  const report = await run(engine, 'outer.yaml');
  expect(report).toMatchObject({ status: 'failed', failure: { code: 'CHILD_GIVEN_SECRET' } });
  expect(readFileSync(pathTo('.reconverge', 'runs.db')).includes('hush-hush')).toBe(false);
});

describe('a fork', () => {
  const outer = `name: outer
capabilities: [{ template: ./child.yaml }]
steps:
  - { name: sub, handler: child, input: { number: 3 } }
  - { name: after, handler: work, dependencies: [sub] }
`;

  it('that begins after the end of a child run keeps its result and its id, and starts no other', async () => {
    write({ 'child.yaml': child, 'outer.yaml': outer });
    const engine = engineOf();
    const first = await run(engine, 'outer.yaml');
    const before = engine.runs().length;
    const forked = await good(await engine.fork(first.run, { step: 'after' })).done;
    expect(forked.status).toBe('completed');
    expect(engine.runs()).toHaveLength(before + 1);
    const started = engine.runs().find(({ parent }) => parent === first.run);
    expect(good(engine.read(forked.run)).state.steps.get('sub')?.child).toBe(started?.id);
    checkAll(engine);
  });

  it.each(['while it is under way', 'while it waits'])(
    'that copies a parent run %s starts its own child run',
    async (when) => {
      const waits = when === 'while it waits';
      const body = waits ? 'type: human_review, prompt: "right?"' : 'handler: work';
      write({
        'child.yaml': `name: child\nsteps: [{ name: only, ${body} }]\n`,
        'outer.yaml': outer.replace(', input: { number: 3 }', ''),
      });
      const { capability, begun } = gated();
      const engine = engineOf(waits ? {} : { capabilities: [capability] });
      const handle = good(await engine.start(good(await engine.load('outer.yaml'))));
      if (!waits) {
        await begun;
        handle.stop();
        handle.stop();
      }
      await handle.done;
      const later = engineOf();
      const events = good(later.read(handle.id)).events.length;
      const forked = await good(await later.fork(handle.id, { event: events - 1 })).done;
      const children = later.runs().filter(({ parent }) => parent !== undefined);
      expect(new Set(children.map(({ parent }) => parent))).toEqual(new Set([handle.id, forked.run]));
      expect(forked.status).toBe(waits ? 'waiting' : 'completed');
      checkAll(later);
    },
  );

  it('that copies a child run has no parent run', async () => {
    write({ 'child.yaml': child, 'outer.yaml': outer });
    const engine = engineOf();
    const first = await run(engine, 'outer.yaml');
    const started = engine.runs().find(({ parent }) => parent === first.run);
    const forked = await good(await engine.fork(started?.id ?? '', { event: 1 })).done;
    expect(forked).toMatchObject({ status: 'completed', output: 6 });
    expect(engine.runs().find(({ id }) => id === forked.run)?.parent).toBeUndefined();
  });
});

it('an order is refused when a capability of the child run is missing, and the run still accepts later orders', async () => {
  write({
    'child.yaml': `name: child
steps:
  - { name: check, type: human_review, prompt: "right?" }
  - { name: only, handler: extra, dependencies: [check] }
`,
    'outer.yaml': 'name: outer\ncapabilities: [{ template: ./child.yaml }]\nsteps: [{ name: sub, handler: child }]\n',
  });
  const extra = defineCapability({ name: 'extra', description: 'Works.', effects: ['compute'], run: () => 1 });
  const first = await run(engineOf({ capabilities: [extra] }), 'outer.yaml');
  const without = engineOf();
  const no = { type: 'review', gate: 'g1/g1', verdict: 'reject', by: 'ada' } as const;
  expect(codes(await without.order(first.run, no))).toEqual(['CAPABILITY_GONE']);
  const later = engineOf({ capabilities: [extra] });
  expect(await good(await later.resume(first.run)).done).toMatchObject({ status: 'waiting' });
  const yes = { ...no, verdict: 'approve' } as const;
  const { handle } = good(await later.order(first.run, yes));
  expect(await handle?.done).toMatchObject({ status: 'completed', output: { sub: { only: 1 } } });
});
