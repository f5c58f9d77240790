// Calls that may be made at most once: held where nobody knows what became of them, and never made again without a person.

import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { Work } from '../../src/runtime/ports/work.ts';
import type { Template } from '../../src/template/template.ts';
import { World } from '../../src/testing/world.ts';
import { calls, inTurn, says } from './models-say.ts';
import { agentOf, type StepSketch, templateOf, thinker, work } from './template-of.ts';

const output = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const send: Declaration = { ...work, name: 'send', effects: ['write'], repeat: 'never', output };
const silent: Declaration = { ...work, name: 'silent', effects: ['write'] };
const read: Declaration = { ...work, name: 'read', effects: ['read'] };
const retry = { maxAttempts: 3, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;
const step: StepSketch = { name: 'post', capability: 'send', input: { to: 'ann' }, onFailure: 'retry', retry };

type Perform = (of: Work) => EffectOutcome | undefined;
const done: EffectOutcome = good({ id: 7 });
const fails = (code: string, fate?: 'refused' | 'unknown'): EffectOutcome =>
  bad({ code, message: code, retry: 'may', ...(fate === undefined ? {} : { fate }) });

function worldOf(steps: readonly StepSketch[], perform: Perform, more: Partial<Template> = {}): World {
  const template = templateOf({
    steps,
    capabilities: [work, send, silent, read],
    models: { default: thinker },
    agents: [agentOf({ name: 'clerk', tools: ['send', 'read'] })],
    effects: { allowed: ['write'], denied: [], approval: [] },
  });
  return new World({ ...template, ...more }, { perform }).begin();
}

const made = ({ performed }: World, name = 'send') =>
  performed.filter((each) => each.type === 'call-capability' && each.capability === name).length;
const statusOf = ({ state }: World, id: string) => state.steps.get(id)?.status;
const codeOf = ({ state }: World, id: string) => state.steps.get(id)?.failure?.code;

/** Runs up to the call, which is handed out and never comes back because the process dies. */
function lost(steps: readonly StepSketch[] = [step], more: Partial<Template> = {}): World {
  const world = worldOf(steps, () => done, more);
  while (world.state.running.size === 0) world.step();
  world.crash();
  return world;
}

describe('a call that may be made once and was lost in a crash', () => {
  it('holds its step and shows a person the call', () => {
    const world = lost().run();
    expect(made(world)).toBe(0);
    expect(statusOf(world, 'post')).toBe('held');
    expect(world.state.gates.get('g1')).toMatchObject({
      kind: 'outcome',
      step: 'post',
      decision: output,
      context: { value: { capability: 'send', input: { to: 'ann' } } },
    });
  });

  it('has the result that a person gives, checked against its contract', () => {
    const world = lost().run();
    const wrong = world.tell({ type: 'review', gate: 'g1', verdict: 'answer', value: { id: 'seven' }, by: 'ann' });
    expect(wrong.refused?.code).toBe('GATE_ANSWER_INVALID');
    world.tell({ type: 'review', gate: 'g1', verdict: 'answer', value: { id: 9 }, by: 'ann' });
    world.run();
    expect(made(world)).toBe(0);
    expect(world.state.steps.get('post')?.result).toEqual({ value: { id: 9 } });
  });

  it('is made again under the same key when a person says that it was not done', () => {
    const world = lost().run();
    const before = world.state.steps.get('post')?.key;
    world.tell({ type: 'review', gate: 'g1', verdict: 'approve', by: 'ann' });
    world.run();
    expect(made(world)).toBe(1);
    expect(world.performed[0]).toMatchObject({ key: before });
    expect(statusOf(world, 'post')).toBe('completed');
  });

  it('is skipped when a person says so, and the run continues', () => {
    const world = lost([step, { name: 'after', after: ['post'] }]).run();
    world.tell({ type: 'review', gate: 'g1', verdict: 'reject', why: 'too late', by: 'ann' });
    world.run();
    expect(made(world)).toBe(0);
    expect(statusOf(world, 'post')).toBe('skipped');
    expect(codeOf(world, 'post')).toBe('OUTCOME_UNKNOWN');
    expect(statusOf(world, 'after')).toBe('completed');
  });

  it('fails its step when the template says that nobody is asked', () => {
    const world = lost([step], { unknownOutcome: { mode: 'fail' } }).run();
    expect(made(world)).toBe(0);
    expect(statusOf(world, 'post')).toBe('failed');
    expect(codeOf(world, 'post')).toBe('OUTCOME_UNKNOWN');
  });

  it('fails its step when nobody answers in time', () => {
    const world = lost([step], { unknownOutcome: { mode: 'ask', expiresIn: 3_600_000 } }).run();
    expect(codeOf(world, 'post')).toBe('GATE_EXPIRED');
    expect(made(world)).toBe(0);
  });

  it('is asked about at most as often as it may be delivered', () => {
    const world = lost().run();
    for (let gate = 1; gate <= 3; gate++) {
      expect(statusOf(world, 'post')).toBe('held');
      world.tell({ type: 'review', gate: `g${gate}`, verdict: 'approve', by: 'ann' });
      while (world.state.running.size === 0) world.step();
      world.crash();
    }
    expect(codeOf(world, 'post')).toBe('OUTCOME_UNKNOWN');
  });

  it('is handed out again without a question when it only reads or can be repeated', () => {
    const safe = lost([{ ...step, capability: 'read' }]).run();
    expect(made(safe, 'read')).toBe(1);
    expect(safe.state.gates.size).toBe(0);
  });

  it('is handed out again when an authored step calls it and its capability says nothing about repeating', () => {
    const world = lost([{ ...step, capability: 'silent' }]).run();
    expect(made(world, 'silent')).toBe(1);
  });
});

describe('a call that may be made once and failed', () => {
  const answers = (...outcomes: readonly (EffectOutcome | undefined)[]) => worldOf([step], inTurn(...outcomes)).run();

  it('is retried when it was refused', () => {
    const world = answers(fails('HTTP_429', 'refused'), done);
    expect(made(world)).toBe(2);
    expect(statusOf(world, 'post')).toBe('completed');
  });

  it('is not retried when it was tried, whatever the step says', () => {
    const world = answers(fails('TOOL_FAILED'), done);
    expect(made(world)).toBe(1);
    expect(codeOf(world, 'post')).toBe('TOOL_FAILED');
  });

  it('holds its step when the connection broke off or the time was up', () => {
    for (const outcome of [fails('MCP_CONNECTION_LOST', 'unknown'), undefined]) {
      const world = answers(outcome, done);
      expect(made(world)).toBe(1);
      expect(statusOf(world, 'post')).toBe('held');
    }
  });

  it('is not made again because its result did not pass its predicate', () => {
    const verified: StepSketch = {
      ...step,
      verification: { $lisp: '(> (:id data/result) 10)' },
      onVerificationFailure: 'retry',
    };
    const world = worldOf([verified], () => done).run();
    expect(made(world)).toBe(1);
    expect(statusOf(world, 'post')).toBe('failed');
  });
});

describe('a planned step', () => {
  const planned = (capability: string): StepSketch[] => [
    {
      name: 'plan',
      planning: {
        target: 'end',
        planner: { kind: 'fixed', fragment: { steps: [{ name: 'post', capability, input: { to: 'ann' } }] } },
      },
    },
    { name: 'end', after: ['plan'], convergence: { policy: 'all_settled', early: false, onExhaustion: 'converge' } },
  ];

  it('calls a capability that says nothing about repeating at most once', () => {
    const steps = planned('silent');
    const fragment = { steps: [{ name: 'post', capability: 'silent', input: { to: 'ann' } }] };
    const world = worldOf(steps, (of) => (of.type === 'ask-planner' ? good(fragment) : done));
    while (statusOf(world, 'plan.1/post') !== 'running') world.step();
    world.crash();
    world.run();
    expect(statusOf(world, 'plan.1/post')).toBe('held');
    expect(made(world, 'silent')).toBe(0);
  });
});

describe('a call of an agent that may be made once', () => {
  const agent: StepSketch = { name: 'desk', agent: { name: 'clerk' }, description: 'Write to Ann.', retry };
  const input: Json = { to: 'ann' };

  /** The process dies while the tool is called. */
  function lostCall(...then: readonly EffectOutcome[]): World {
    const model = inTurn<EffectOutcome>(calls(['send', input]), ...then);
    const world = worldOf([agent], (of) => (of.type === 'ask-model' ? model() : done));
    while (world.state.steps.get('desk')?.calls.at(-1)?.kind !== 'capability') world.step();
    world.crash();
    return world.run();
  }

  it('holds the step when it was lost, and no answered call is repeated', () => {
    const world = lostCall(says('sent'));
    expect(statusOf(world, 'desk')).toBe('held');
    expect(world.state.gates.get('g1')).toMatchObject({ kind: 'outcome', context: { value: { input } } });
    world.tell({ type: 'review', gate: 'g1', verdict: 'answer', value: { id: 3 }, by: 'ann' });
    world.run();
    expect(made(world)).toBe(0);
    expect(world.performed.filter(({ type }) => type === 'ask-model')).toHaveLength(2);
    expect(statusOf(world, 'desk')).toBe('completed');
  });

  it('is reported to the agent as skipped when a person says so', () => {
    const world = lostCall(says('could not send'));
    world.tell({ type: 'review', gate: 'g1', verdict: 'reject', by: 'ann' });
    world.run();
    const last = world.performed.findLast(({ type }) => type === 'ask-model');
    expect(JSON.stringify(last)).toContain('OUTCOME_UNKNOWN');
    expect(made(world)).toBe(0);
  });

  it('is not made again by the next attempt, which gets the recorded result', () => {
    const model = inTurn<EffectOutcome>(
      calls(['send', input]),
      fails('MODEL_UNREACHABLE'),
      calls(['send', input]),
      says('sent'),
    );
    const world = worldOf([{ ...agent, onFailure: 'retry' }], (of) => (of.type === 'ask-model' ? model() : done), {
      models: { default: { ...thinker, maxRetries: 0 } },
    }).run();
    expect(statusOf(world, 'desk')).toBe('completed');
    expect(world.state.steps.get('desk')?.attempt).toBe(2);
    expect(made(world)).toBe(1);
  });
});
