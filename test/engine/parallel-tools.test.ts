// Tool calls of one answer that run at the same time: which do, how each is paid for and recorded, and what ends them.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Json } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { CallCapability } from '../../src/engine/record/effect.ts';
import type { Work } from '../../src/runtime/ports/work.ts';
import type { AgentSpec } from '../../src/template/keys/agent.ts';
import { differencesOf } from '../../src/template/lock/difference.ts';
import { World, type WorldOptions } from '../../src/testing/world.ts';
import { askedOf, calls, inTurn, says, toldIn } from './models-say.ts';
import { agentOf, type TemplateSketch, templateOf, thinker } from './template-of.ts';

const read: Declaration = {
  name: 'web.read',
  description: 'Reads a page.',
  effects: ['read', 'network'],
  tags: [],
  cost: { micro_dollars: 5 },
};
const send: Declaration = { ...read, name: 'web.send', effects: ['write'], repeat: 'keyed' };

interface Setting extends Partial<Omit<TemplateSketch, 'agents'>>, Pick<WorldOptions, 'choose' | 'hangsLast'> {
  readonly agent?: Partial<AgentSpec>;
  readonly model?: () => EffectOutcome | undefined;
  readonly tool?: (work: CallCapability) => EffectOutcome | undefined;
  readonly step?: Partial<TemplateSketch['steps'][number]>;
}

const pages = (...names: readonly string[]) =>
  calls(...names.map((page) => ['web_read', { page }] as readonly [string, Json]));
const pageOf = ({ input }: Work): string => (input as { readonly page: string }).page;

function given({ agent = {}, model, tool, step = {}, choose, hangsLast, ...rest }: Setting = {}): World {
  const template = templateOf({
    steps: [{ name: 'answer', type: 'task', description: 'Read the pages.', agent: { name: 'scout' }, ...step }],
    models: { default: thinker },
    agents: [agentOf({ name: 'scout', tools: ['web.*'], ...agent })],
    capabilities: [read, send],
    ...rest,
  });
  const answer = model ?? inTurn(pages('a', 'b', 'c'), says('done'));
  const perform = (work: Work) => {
    if (work.type === 'ask-model') return answer();
    return work.type === 'call-capability' ? (tool ?? ((each) => good({ page: pageOf(each) })))(work) : undefined;
  };
  return new World(template, {
    perform,
    ...(choose === undefined ? {} : { choose }),
    ...(hangsLast === undefined ? {} : { hangsLast }),
  }).begin();
}

/** The most calls of tools that were under way at the same time. */
function mostAtOnce({ events }: World): number {
  let [open, most] = [0, 0];
  const tools = new Set<number>();
  for (const event of events) {
    if (event.type === 'call.started' && event.kind === 'capability') tools.add(event.call);
    if (event.type === 'call.started' && event.kind === 'capability') open += 1;
    if (event.type === 'call.ended' && tools.has(event.call)) open -= 1;
    most = Math.max(most, open);
  }
  return most;
}

const callsOf = ({ events }: World) =>
  events.flatMap((event) =>
    event.type === 'call.started' || event.type === 'call.ended' ? [`${event.type.slice(5)} ${event.call}`] : [],
  );
const answerOf = (world: World) => present(world.state.steps.get('answer'), 'answer');
const spentIn = ({ state }: World) => present(state.ledger.accounts.get('run'), 'run').spent;
const reservedIn = ({ state }: World) => present(state.ledger.accounts.get('run'), 'run').reserved;
/** Performs the last of the things that can happen next. */
const lastFirst = (n: number): number => n - 1;
const results = (world: World): readonly string[] =>
  present(askedOf(world)[1], 'second ask').request.messages.flatMap((message) =>
    message.role === 'tool' ? [`${message.callId} ${message.content}`] : [],
  );

describe('tool calls of one answer that only read', () => {
  it('are all under way before the first one ends', () => {
    const world = given().run();
    expect(callsOf(world)).toEqual([
      'started 1',
      'ended 1',
      'started 2',
      'started 3',
      'started 4',
      'ended 2',
      'ended 3',
      'ended 4',
      'started 5',
      'ended 5',
    ]);
  });

  it('may end in any order, and the model reads their results in the order of its calls', () => {
    const world = given({ choose: lastFirst }).run();
    expect(callsOf(world).slice(5, 8)).toEqual(['ended 4', 'ended 3', 'ended 2']);
    expect(results(world)).toEqual(['c1 {"page":"a"}', 'c2 {"page":"b"}', 'c3 {"page":"c"}']);
  });

  it('are each reserved before they are made, and each charged when they end', () => {
    const world = given({ tool: (work) => ({ ...good(pageOf(work)), bill: { tool_calls: 1, cost_usd: 2 } }) });
    for (let i = 0; i < 2; i++) world.step();
    expect(answerOf(world).reserved).toEqual({ tool_calls: 3, cost_usd: 15 });
    expect(reservedIn(world)).toMatchObject({ tool_calls: 3, cost_usd: 15 });
    world.step();
    expect(answerOf(world).reserved).toEqual({ tool_calls: 2, cost_usd: 10 });
    expect([reservedIn(world).tool_calls, spentIn(world).tool_calls]).toEqual([2, 1]);
    world.run();
    expect(spentIn(world)).toMatchObject({ tool_calls: 3, cost_usd: 2 * 20 + 3 * 2 });
    expect(reservedIn(world)).toMatchObject({ tool_calls: 0, cost_usd: 0 });
  });

  it('run at most eight at the same time, or as many as max_parallel_tools says', () => {
    const model = () => inTurn(pages(...Array.from({ length: 20 }, (_, page) => `${page}`)), says('done'));
    expect(mostAtOnce(given({ model: model() }).run())).toBe(8);
    for (const maxParallelTools of [1, 3, 20]) {
      const world = given({ agent: { maxParallelTools }, model: model() }).run();
      expect(mostAtOnce(world)).toBe(maxParallelTools);
      expect(results(world)).toHaveLength(20);
    }
  });

  it('are made up to eight for one answer, or up to max_parallel_tools, and the model is told of the others', () => {
    const model = () => inTurn(pages(...Array.from({ length: 22 }, (_, page) => `${page}`)), says('done'));
    expect(results(given({ model: model() }).run()).slice(8)).toEqual(
      Array.from({ length: 14 }, (_, i) => `c${i + 9} not called: at most 8 calls at once`),
    );
    const many = given({ agent: { maxParallelTools: 20 }, model: model() }).run();
    expect(results(many).slice(20)).toEqual(['c21', 'c22'].map((id) => `${id} not called: at most 20 calls at once`));
    const few = given({ agent: { maxParallelTools: 2 }, model: model() }).run();
    expect(spentIn(few).tool_calls).toBe(8);
  });

  it('start the next one when one of them ends', () => {
    const world = given({ agent: { maxParallelTools: 2 }, choose: lastFirst }).run();
    expect(callsOf(world).slice(2, 8)).toEqual([
      'started 2',
      'started 3',
      'ended 3',
      'started 4',
      'ended 4',
      'ended 2',
    ]);
    expect(results(world)).toHaveLength(3);
  });

  it('leave out calls that are refused, and keep the places of their answers', () => {
    const model = inTurn(
      calls(['web_read', { page: 'a' }], ['web_fetch', {}], ['web_read', { page: 'c' }]),
      says('done'),
    );
    const world = given({ model }).run();
    expect(mostAtOnce(world)).toBe(2);
    expect(results(world)).toEqual([
      'c1 {"page":"a"}',
      'c2 there is no tool "web_fetch"; your tools are web_read, web_send',
      'c3 {"page":"c"}',
    ]);
  });
});

describe('tool calls of one answer', () => {
  it('are made one after another in order when one of them writes', () => {
    const model = inTurn(
      calls(['web_read', { page: 'a' }], ['web_send', { page: 'b' }], ['web_read', { page: 'c' }]),
      says('done'),
    );
    const world = given({ model, choose: lastFirst }).run();
    expect(mostAtOnce(world)).toBe(1);
    expect(world.performed.flatMap((work) => (work.type === 'call-capability' ? pageOf(work) : []))).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('are made one after another when a person must approve one of them', () => {
    const effects = { allowed: [], denied: [], approval: ['network' as const] };
    const world = given({ effects });
    world.run();
    expect(world.state.openGates.size).toBe(1);
    expect(mostAtOnce(world)).toBe(0);
  });

  it.each([
    { why: 'report something', declaration: { effects: ['output'] as const } },
    { why: 'may be made only once', declaration: { repeat: 'never' as const } },
    { why: 'have undeclared effects', declaration: { effects: [] } },
    {
      why: 'write by the word of their server',
      declaration: { origin: { server: 's', tool: 't', writes: true as const } },
    },
  ])('are made one after another when they $why', ({ declaration }) => {
    const world = given({ capabilities: [{ ...read, ...declaration }] }).run();
    expect(mostAtOnce(world)).toBe(1);
    expect(results(world)).toHaveLength(3);
  });
});

describe('a failing call among several', () => {
  it('leaves the others alone, and the model reads its failure in the place of its result', () => {
    const tool = (work: CallCapability): EffectOutcome =>
      pageOf(work) === 'b' ? bad({ code: 'HTTP_FAILED', message: 'no answer', retry: 'may' }) : good(pageOf(work));
    const world = given({ tool }).run();
    expect(results(world)).toEqual(['c1 a', 'c2 {"failed":"HTTP_FAILED","message":"no answer"}', 'c3 c']);
    expect(answerOf(world)).toMatchObject({ status: 'completed', attempt: 1 });
  });

  it('can be called again by the model alone, without the others', () => {
    let failures = 0;
    const tool = (work: CallCapability): EffectOutcome =>
      pageOf(work) === 'b' && failures++ === 0
        ? bad({ code: 'HTTP_FAILED', message: 'no answer', retry: 'may' })
        : good(pageOf(work));
    const world = given({ tool, model: inTurn(pages('a', 'b', 'c'), pages('b'), says('done')) }).run();
    expect(spentIn(world).tool_calls).toBe(4);
    expect(toldIn(present(askedOf(world)[2], 'third ask'))).toContain('tool: b');
  });

  it('ends the attempt with the others when it runs out of time; all of them are charged', () => {
    const retry = { maxAttempts: 2, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;
    let asked = 0;
    const world = given({
      step: { retry, onFailure: 'retry' },
      model: () => (++asked === 1 ? pages('a', 'b', 'c') : says('done')),
      tool: (work) => (pageOf(work) === 'a' ? good('a') : undefined),
    }).run();
    expect(answerOf(world)).toMatchObject({ status: 'completed', attempt: 2, calls: [{ kind: 'model' }] });
    expect(world.events.filter(({ type }) => type === 'attempt.failed')).toMatchObject([
      { failure: { code: 'STEP_TIMEOUT' }, bill: { tool_calls: 2 } },
    ]);
    expect([spentIn(world).tool_calls, reservedIn(world).tool_calls]).toEqual([3, 0]);
  });
});

describe('a tool that differs from the lock file, called beside others', () => {
  it('holds the step, and the other calls are aborted, charged and made again after the answer', () => {
    const differences = differencesOf('web', {}, [{ name: 'read', description: 'Other.', inputSchema: {} }]);
    const refused: EffectOutcome = {
      ...bad({ code: 'LOCK_DIFFERS', message: 'it is not as it was', retry: 'never', fate: 'refused' }),
      bill: {},
      lock: { mode: 'ask', differences },
    };
    const isAgreed = ({ agreed = [] }: CallCapability) => differences.every(({ key }) => agreed.includes(key));
    const world = given({ tool: (work) => (isAgreed(work) ? good(pageOf(work)) : refused) });
    for (let i = 0; i < 3; i++) world.step();
    expect(answerOf(world)).toMatchObject({ status: 'held' });
    expect([spentIn(world).tool_calls, reservedIn(world).tool_calls]).toEqual([2, 0]);
    world.run();
    world.tell({ type: 'review', gate: 'g1', by: 'ada', verdict: 'approve' });
    world.run();
    expect(answerOf(world).status).toBe('completed');
    expect(results(world)).toEqual(['c1 a', 'c2 b', 'c3 c']);
    expect([spentIn(world).tool_calls, reservedIn(world).tool_calls]).toEqual([5, 0]);
  });
});

describe('calls that the budget does not pay for', () => {
  const limit = (most: number) => ({ limit: { tool_calls: most } });

  it('wait for the calls under way, and then fail the step as calls in turn would', () => {
    for (const maxParallelTools of [1, 8]) {
      const world = given({ agent: { maxParallelTools }, budget: limit(1) }).run();
      expect(answerOf(world).failure?.code).toBe('BUDGET_EXCEEDED');
      expect(answerOf(world).calls.map(({ outcome }) => outcome !== undefined)).toEqual([true, true]);
      expect(spentIn(world).tool_calls).toBe(1);
      expect(reservedIn(world).tool_calls).toBe(0);
    }
  });

  it('are made after all when a call under way has cost less than was set aside for it', () => {
    const tool = (work: CallCapability) => ({ ...good(pageOf(work)), bill: { tool_calls: 1, cost_usd: 5 } });
    const dear = { ...read, cost: { micro_dollars: 1_400 } };
    const world = given({ tool, capabilities: [dear], budget: { limit: { cost_usd: 3_000 } } }).run();
    expect(callsOf(world).slice(2, 8)).toEqual([
      'started 2',
      'started 3',
      'ended 2',
      'started 4',
      'ended 3',
      'ended 4',
    ]);
    expect(answerOf(world).status).toBe('completed');
  });

  it('hold the step when a person is asked about the budget, and are made after it was raised', () => {
    const world = given({
      budget: limit(3),
      steps: [
        { name: 'answer', type: 'task', description: 'Read.', agent: { name: 'scout' } },
        { name: 'plan', after: ['answer'], planning: { target: 'end' } },
        { name: 'end', after: ['plan'], convergence: { policy: 'all_success', early: false, onExhaustion: 'ask' } },
      ],
    });
    world.run();
    const [gate] = [...world.state.openGates];
    expect(answerOf(world)).toMatchObject({ status: 'held' });
    expect(callsOf(world).filter((each) => each.startsWith('ended'))).toHaveLength(3);
    world.tell({
      type: 'review',
      gate: present(gate, 'gate'),
      by: 'ada',
      verdict: 'answer',
      value: { answer: 'raise', limit: 9 },
    });
    world.run();
    expect(answerOf(world).status).toBe('completed');
    expect(spentIn(world).tool_calls).toBe(3);
  });
});

describe('a crash while several calls are under way', () => {
  it('repeats those without an outcome and none that ended, and the results keep their order', () => {
    const world = given({ choose: lastFirst });
    for (let i = 0; i < 3; i++) world.step();
    expect(callsOf(world).slice(2)).toEqual(['started 2', 'started 3', 'started 4', 'ended 4']);
    world.crash();
    world.run();
    expect(callsOf(world).slice(6)).toEqual(['started 2', 'started 3', 'ended 3', 'ended 2', 'started 5', 'ended 5']);
    expect(world.performed.filter(({ type }) => type === 'call-capability').map(pageOf)).toEqual(['c', 'b', 'a']);
    expect(results(world)).toEqual(['c1 {"page":"a"}', 'c2 {"page":"b"}', 'c3 {"page":"c"}']);
    // The lost calls are charged: nobody knows whether they were made.
    expect(spentIn(world).tool_calls).toBe(5);
  });

  it('charges each lost call once, whenever the crash happens', () => {
    for (let at = 1; at < 8; at++) {
      const world = given({ agent: { maxParallelTools: 2 }, choose: lastFirst });
      for (let i = 0; i < at; i++) world.step();
      const open = answerOf(world).reserved?.tool_calls ?? 0;
      world.crash();
      world.run();
      expect(answerOf(world).status, `after ${at}`).toBe('completed');
      expect(spentIn(world).tool_calls, `after ${at}`).toBe(3 + open);
      expect(reservedIn(world).tool_calls).toBe(0);
    }
  });
});

describe('orders while several calls are under way', () => {
  it('cancel charges all of them, and their outcomes change nothing', () => {
    const world = given();
    for (let i = 0; i < 3; i++) world.step();
    world.tell({ type: 'cancel', by: 'ada' });
    const { length } = world.journal;
    world.tell({
      type: 'settle',
      step: 'answer',
      attempt: 1,
      delivery: 1,
      call: 3,
      input: null,
      outcome: good('late'),
      chance: 0,
    });
    expect(world.journal).toHaveLength(length);
    world.run();
    expect(world.state.ended?.status).toBe('cancelled');
    expect([spentIn(world).tool_calls, reservedIn(world).tool_calls]).toEqual([3, 0]);
  });

  it('an outcome that comes twice is counted once', () => {
    const world = given();
    for (let i = 0; i < 2; i++) world.step();
    const settled = { type: 'settle', step: 'answer', attempt: 1, delivery: 1, input: null, chance: 0 } as const;
    world.tell({ ...settled, call: 3, outcome: good('b') });
    expect(world.tell({ ...settled, call: 3, outcome: good('again') }).events).toEqual([]);
    expect(spentIn(world).tool_calls).toBe(1);
  });

  it('retry aborts all of them and begins the step again', () => {
    let asked = 0;
    const world = given({ model: () => (++asked === 1 ? pages('a', 'b') : says('done')) });
    for (let i = 0; i < 2; i++) world.step();
    world.tell({ type: 'retry-step', step: 'answer', by: 'ada' });
    world.run();
    expect(answerOf(world)).toMatchObject({ status: 'completed', attempt: 2 });
    expect([spentIn(world).tool_calls, reservedIn(world).tool_calls]).toEqual([2, 0]);
    expect(world.performed.filter(({ type }) => type === 'call-capability')).toEqual([]);
  });

  it('pause lets them end, and resume goes on with their results', () => {
    const world = given();
    for (let i = 0; i < 3; i++) world.step();
    world.tell({ type: 'pause', by: 'ada' });
    world.tell({ type: 'resume', by: 'ada' });
    world.run();
    expect(answerOf(world).status).toBe('completed');
    expect(results(world)).toHaveLength(3);
  });

  it('a stop takes back the calls that have not begun, without a charge, and the next driver makes them', () => {
    const world = given();
    for (let i = 0; i < 2; i++) world.step();
    const which = { step: 'answer', attempt: 1, delivery: 1, isStopping: true } as const;
    world.tell({ type: 'take-back', ...which, call: 3 });
    world.tell({ type: 'settle', ...which, call: 4, input: null, outcome: good('c'), chance: 0 });
    world.tell({ type: 'settle', ...which, call: 2, input: null, outcome: good('a'), chance: 0 });
    expect(answerOf(world).calls.map(({ outcome }) => outcome !== undefined)).toEqual([true, true, false, true]);
    expect([spentIn(world).tool_calls, reservedIn(world).tool_calls]).toEqual([2, 0]);
    world.crash();
    world.run();
    expect(results(world)).toEqual(['c1 a', 'c2 {"page":"b"}', 'c3 c']);
    expect(spentIn(world).tool_calls).toBe(3);
  });
});
