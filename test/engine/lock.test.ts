// Runs whose tools or models differ from the lock file: steps are held before the call, once for each difference.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { bad, good } from '../../src/base/result.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import type { EffectOutcome, LockFindings } from '../../src/engine/record/command.ts';
import { eventSchema } from '../../src/engine/record/event.schema.ts';
import type { Work } from '../../src/runtime/ports/work.ts';
import { differenceOfModel, differencesOf } from '../../src/template/lock/difference.ts';
import type { Template } from '../../src/template/template.ts';
import { World } from '../../src/testing/world.ts';
import { calls, inTurn, plans, says } from './models-say.ts';
import { agentOf, type StepSketch, templateOf, thinker, work } from './template-of.ts';

const read: Declaration = { ...work, name: 'disk.read', effects: ['read'] };
const send: Declaration = { ...work, name: 'disk.send', effects: ['write'], repeat: 'never' };
const steps: readonly StepSketch[] = [
  { name: 'one', capability: 'disk.read' },
  { name: 'two', capability: 'disk.read' },
  { name: 'after', capability: 'work', after: ['one', 'two'] },
];
const tool = (description: string) => [{ name: 'read', description, inputSchema: { type: 'object' } }];
const differs = differencesOf('disk', {}, tool('Reads. Now with feeling.'));
const later = differencesOf('disk', {}, tool('Reads. And once more otherwise.'));
const done: EffectOutcome = good(7);

function worldOf(more: Partial<Template>, perform: (of: Work) => EffectOutcome | undefined = () => done): World {
  const template = templateOf({
    steps,
    capabilities: [work, read, send],
    models: { default: thinker },
    agents: [agentOf({ name: 'clerk', tools: ['disk.read', 'disk.send'] })],
    effects: { allowed: ['write'], denied: [], approval: [] },
  });
  return new World({ ...template, ...more }, { perform }).begin();
}

const stepsOf = (sketches: readonly StepSketch[]) =>
  templateOf({ steps: sketches, capabilities: [work, read, send] }).steps;
const made = ({ performed }: World) => performed.filter(({ type }) => type === 'call-capability').length;
const statusOf = ({ state }: World, id: string) => state.steps.get(id)?.status;
const gatesOf = ({ state }: World) => [...state.gates.values()].map(({ kind, end }) => `${kind} ${end ?? 'open'}`);
const asks = (lock: LockFindings): EffectOutcome => ({
  ...bad({ code: 'LOCK_DIFFERS', message: 'it is not as it was', retry: 'never', fate: 'refused' }),
  bill: {},
  lock,
});

/** Refuses a tool, like the runtime, while it differs and nobody has accepted the difference. */
const guarded = (mode: 'ask' | 'warn', differences = differs) => {
  return (of: Work): EffectOutcome | undefined => {
    if (of.type !== 'call-capability' || !of.capability.startsWith('disk.')) return done;
    const found = differences.filter(({ key }) => of.agreed?.includes(key) !== true);
    if (found.length === 0) return done;
    return mode === 'ask' ? asks({ mode, differences: found }) : { ...done, lock: { mode, differences: found } };
  };
};

describe('a run whose tools differed when its template was loaded', () => {
  it('calls nothing before a person has seen the difference, and asks once for all steps', () => {
    const world = worldOf({ differs }).run();
    expect(made(world)).toBe(0);
    expect(gatesOf(world)).toEqual(['lock open']);
    const gate = world.state.gates.get('g1');
    expect([...(gate?.holds ?? [])]).toEqual(['one', 'two']);
    expect(gate?.prompt).toContain('1 tool differs from reconverge.lock: disk.read (new)');
    expect(gate?.context).toEqual({
      value: { 'disk.read': { description: 'Reads. Now with feeling.', input: { type: 'object' } } },
    });
  });

  it('goes on when the difference is accepted, and calls the tool without asking again', () => {
    const world = worldOf({ differs }, guarded('ask')).run();
    world.tell({ type: 'review', gate: 'g1', verdict: 'approve', by: 'ann' });
    world.run();
    expect(world.state.ended?.status).toBe('completed');
    expect(gatesOf(world)).toEqual(['lock decided']);
    expect(made(world)).toBe(3);
  });

  it('is cancelled when the difference is rejected, and has called nothing', () => {
    const world = worldOf({ differs }).run();
    world.tell({ type: 'review', gate: 'g1', verdict: 'reject', why: 'it reads too much', by: 'ann' });
    world.run();
    expect(world.state.ended?.status).toBe('cancelled');
    expect(made(world)).toBe(0);
  });

  it('keeps the question and its answer after a crash', () => {
    const world = worldOf({ differs }, guarded('ask')).run();
    world.crash();
    world.run();
    expect(gatesOf(world)).toEqual(['lock open']);
    world.tell({ type: 'review', gate: 'g1', verdict: 'approve', by: 'ann' });
    world.crash();
    world.run();
    expect(gatesOf(world)).toEqual(['lock decided']);
    expect(made(world)).toBe(3);
  });
});

describe('a tool that changes during a run', () => {
  it('holds only the steps that call it', () => {
    const world = worldOf({ steps: stepsOf([...steps, { name: 'beside', capability: 'work' }]) }, guarded('ask')).run();
    expect(['one', 'two', 'beside'].map((id) => statusOf(world, id))).toEqual(['held', 'held', 'completed']);
    expect(gatesOf(world)).toEqual(['lock open']);
    world.tell({ type: 'review', gate: 'g1', verdict: 'approve', by: 'ann' });
    world.run();
    expect(statusOf(world, 'after')).toBe('completed');
  });

  it('needs another answer when it changes again after it was accepted', () => {
    let now = differs;
    const world = worldOf({}, (of) => guarded('ask', now)(of)).run();
    now = later;
    world.tell({ type: 'review', gate: 'g1', verdict: 'approve', by: 'ann' });
    world.run();
    expect(gatesOf(world)).toEqual(['lock decided', 'lock open']);
  });

  it('does not use up an attempt of the retry policy', () => {
    const world = worldOf({ steps: stepsOf([{ name: 'one', capability: 'disk.read' }]) }, guarded('ask')).run();
    world.tell({ type: 'review', gate: 'g1', verdict: 'approve', by: 'ann' });
    world.run();
    expect(world.state.steps.get('one')).toMatchObject({ attempt: 2, uncounted: 1, status: 'completed' });
    expect(world.state.ledger.accounts.get('run')?.spent.tool_calls).toBe(1);
  });

  it('is called exactly once by an agent that continues after the approval', () => {
    let sent = 0;
    const perform = (of: Work): EffectOutcome | undefined => {
      if (of.type === 'ask-model') return turn();
      const outcome = guarded('ask')(of);
      if (outcome?.ok) sent += 1;
      return outcome;
    };
    const turn = inTurn(calls(['disk_send', { to: 'ann' }]), says('sent'));
    const world = worldOf(
      { steps: stepsOf([{ name: 'clerk', agent: { name: 'clerk' }, description: 'Write to Ann.' }]) },
      perform,
    ).run();
    expect([statusOf(world, 'clerk'), sent]).toEqual(['held', 0]);
    world.tell({ type: 'review', gate: 'g1', verdict: 'approve', by: 'ann' });
    world.run();
    expect([statusOf(world, 'clerk'), sent]).toEqual(['completed', 1]);
  });

  it('is reported once for each difference when the template only warns', () => {
    const world = worldOf({}, guarded('warn')).run();
    const told = world.events.flatMap((event) => (event.type === 'lock.differed' ? [event] : []));
    expect(told).toEqual([
      {
        type: 'lock.differed',
        step: expect.stringMatching(/one|two/),
        message: '1 tool differs from reconverge.lock: disk.read (new)',
        differences: { value: expect.objectContaining({ 'disk.read': expect.anything() }) },
        keys: differs.map(({ key }) => key),
      },
    ]);
    const isEvent = new Ajv2020({ strict: false }).compile(eventSchema);
    expect(isEvent(told[0]), JSON.stringify(isEvent.errors)).toBe(true);
    expect(world.state.ended?.status).toBe('completed');
    expect(world.state.gates.size).toBe(0);
  });
});

describe('a model that answers under another name', () => {
  const other = differenceOfModel('m', 'm-1', 'm-2');
  const differences = other === undefined ? [] : [other];

  it('holds the step of an agent when the template asks, and the model is asked again after the approval', () => {
    const perform = (of: Work): EffectOutcome | undefined => {
      if (of.type !== 'ask-model') return done;
      const isAgreed = differences.every(({ key }) => of.agreed?.includes(key) === true);
      return isAgreed ? says('written') : { ...asks({ mode: 'ask', differences }), bill: { llm_calls: 1 } };
    };
    const world = worldOf(
      { steps: stepsOf([{ name: 'clerk', agent: { name: 'clerk' }, description: 'Write to Ann.' }]) },
      perform,
    ).run();
    expect(statusOf(world, 'clerk')).toBe('held');
    expect(world.state.gates.get('g1')?.prompt).toContain('1 model differs from reconverge.lock: m (resolved)');
    world.tell({ type: 'review', gate: 'g1', verdict: 'approve', by: 'ann' });
    world.run();
    expect(statusOf(world, 'clerk')).toBe('completed');
    expect(world.state.ledger.accounts.get('run')?.spent.llm_calls).toBe(2);
  });

  it('holds a planning step when the template asks, and the planner is asked again after the approval', () => {
    const sketches: readonly StepSketch[] = [
      { name: 'plan', planning: { target: 'end', planner: { kind: 'llm' }, goal: 'Find out.' } },
      {
        name: 'end',
        type: 'deferred',
        after: ['plan'],
        convergence: { policy: 'all_settled', early: false, onExhaustion: 'converge' },
      },
    ];
    const template = templateOf({ steps: sketches, models: { default: thinker } });
    const perform = (of: Work) => {
      if (of.type === 'ask-planner') return plans(template, of);
      if (of.type !== 'ask-model') return done;
      const isAgreed = differences.every(({ key }) => of.agreed?.includes(key) === true);
      const plan = says({ rationale: 'so', steps: [{ name: 'look', capability: 'work' }] });
      return isAgreed ? plan : { ...asks({ mode: 'ask', differences }), bill: { llm_calls: 1 } };
    };
    const world = new World(template, { perform }).begin().run();
    expect(statusOf(world, 'plan')).toBe('held');
    world.crash();
    world.tell({ type: 'review', gate: 'g1', verdict: 'approve', by: 'ann' });
    world.run();
    expect([...world.state.steps.keys()]).toContain('plan.1/look');
    expect(world.state.ended?.status).toBe('completed');
  });
});
