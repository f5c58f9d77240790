// The critic's findings in valid plans.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { gathersAllResults } from '../../src/planning/critic/results-used.ts';
import type { Frame } from '../../src/planning/frame.ts';
import type { Verdict } from '../../src/planning/review.ts';
import { review } from '../../src/planning/review.ts';
import { call, declaration, frame, marks, read } from './given-frame.ts';

const { critic: _, ...open } = frame;
const within: Frame = {
  ...open,
  kind: 'llm',
  bounds: { fragmentSteps: 30, fragmentDepth: 6, fanOut: 4 },
  declarations: {
    ...frame.declarations,
    'web.fetch': declaration('web.fetch', { effects: ['network'] }),
    'files.delete': declaration('files.delete', { effects: ['delete'], repeat: 'safe' }),
  },
};

const thought = (steps: readonly Json[], more: Partial<Frame> = {}): Verdict =>
  review(read({ rationale: 'because', steps }), { ...within, ...more });

/** `CODE path severity` of each finding. */
const found = (steps: readonly Json[], more: Partial<Frame> = {}): readonly string[] =>
  (thought(steps, more).critique?.findings ?? []).map(
    ({ code, path, severity }) => `${code.replace('CRITIC_', '')} ${path.join('.')} ${severity}`,
  );

/** `CODE path severity` of each issue of a plan that is not accepted. */
const rejected = (steps: readonly Json[], more: Partial<Frame> = {}): readonly string[] => {
  const { accepted, issues } = thought(steps, more);
  expect(accepted).toBe(false);
  return issues.map(({ code, path, severity }) => `${code.replace('CRITIC_', '')} ${path.join('.')} ${severity}`);
};

const sniff = (name: string, more: Record<string, Json> = {}): Json => ({
  name,
  capability: 'csv.sniff',
  input: { path: `${name}.csv` },
  ...more,
});
const fetch = (name: string, more: Record<string, Json> = {}): Json => ({
  name,
  capability: 'web.fetch',
  input: { url: name },
  ...more,
});
const three = [sniff('a'), sniff('b'), sniff('c')];
const afterThree = { depends_on: ['a', 'b', 'c'] };

describe('a plan without findings', () => {
  test('has a score of ten and no findings', () => {
    const verdict = thought([sniff('a'), sniff('b', { input: { path: '{{ results.a.columns.0 }}' } })]);
    expect(verdict).toMatchObject({ accepted: true, issues: [], critique: { score: 10, findings: [] } });
  });

  test('may have no steps', () => {
    expect(thought([]).critique?.score).toBe(10);
  });
});

describe('parallel steps', () => {
  const gate = { name: 'gate', type: 'synthesis_gate', ...afterThree };

  test('need a synthesis gate when there are three of them', () => {
    expect(found(three)).toEqual(['MISSING_GATE steps.0 warning']);
    expect(found(three.slice(1))).toEqual([]);
    expect(found([...three, gate])).toEqual([]);
  });

  test.each<{ title: string; steps: readonly Json[] }>([
    {
      title: 'an expression over all of them',
      steps: [{ name: 'sum', type: 'compute', ...afterThree, expr: '(vals data/depends)' }],
    },
    {
      title: 'a call that takes several of them',
      steps: [
        {
          ...(call('use', ['a', 'b', 'c']) as object),
          input: { texts: ['{{ results.a }}', '{{ results.b }}', '{{ results.c }}'] },
        },
      ],
    },
    {
      title: 'a step further down',
      steps: [
        { ...(call('one', ['a']) as object), input: '{{ results.a }}' },
        { name: 'sum', type: 'compute', depends_on: ['one', 'b', 'c'], expr: '(vals data/depends)' },
      ],
    },
  ])('are gathered by $title', ({ steps }) => {
    expect(found([...three, ...steps])).toEqual([]);
  });

  test('are gathered by a target that takes all results', () => {
    expect(found(three, { gathers: true })).toEqual([]);
  });

  test.each<{ title: string; target: Json; takes: boolean }>([
    { title: 'a deferred step that calls nothing', target: { type: 'deferred' }, takes: true },
    { title: 'a planning step', target: { type: 'planning', goal: 'go on' }, takes: true },
    {
      title: 'a step that is given the convergence',
      target: { type: 'deferred', capability: 'files.read', input: { all: '{{ convergence }}' } },
      takes: true,
    },
    {
      title: 'an agent that is given the convergence',
      target: { agent: 'default', description: 'Sum up', input: { all: '{{ convergence }}' } },
      takes: true,
    },
    {
      title: 'a step that is given none of it',
      target: { type: 'deferred', capability: 'files.read', input: { path: 'x' } },
      takes: false,
    },
  ])('are gathered by a target that is $title: $takes', ({ target, takes }) => {
    const [step] = read({ steps: [{ name: 't', ...(target as object) }] }).steps;
    if (step === undefined) throw new Error('there is no step');
    expect(gathersAllResults(step)).toBe(takes);
  });

  test('have nothing to gather when they only write or compute', () => {
    const write = (name: string): Json => ({ name, capability: 'report.write', input: { path: name }, approval: true });
    expect(found([write('a'), write('b'), write('c')])).toEqual([]);
    expect(found(['a', 'b', 'c'].map((name) => ({ name, type: 'compute', expr: '1' })))).toEqual([]);
  });

  test('cause a critical finding when a model plans more of them than max_fan_out', () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, type: 'compute', expr: '1' }));
    expect(rejected(many)).toEqual(['PARALLEL_EXPLOSION steps.4 error']);
    expect(found(many.slice(1))).toEqual([]);
    expect(found(many, { kind: 'fixed' })).toEqual([]);
    expect(marks(thought(many))).toEqual(['CRITIC_PARALLEL_EXPLOSION steps.4']);
    expect(thought(many).accepted).toBe(false);
  });
});

describe('a step that uses the network', () => {
  test.each<{ title: string; step: Json; findings: number }>([
    { title: 'once, critically', step: fetch('a'), findings: 1 },
    { title: 'again when it fails', step: fetch('a', { on_failure: 'retry' }), findings: 0 },
    { title: 'more than once', step: fetch('a', { retry: { max_attempts: 2 } }), findings: 0 },
    { title: 'where it can be done without', step: fetch('a', { critical: false }), findings: 0 },
    {
      title: 'by an agent that is told to search',
      step: { name: 'a', agent: 'default', input: 'Search for X' },
      findings: 1,
    },
    { title: 'not at all', step: { name: 'a', agent: 'default', input: 'Think about X' }, findings: 0 },
    {
      title: 'for each item, where one may fail',
      step: { name: 'a', type: 'fan_out', for_each: [1], max_width: 1, do: { capability: 'web.fetch' } },
      findings: 0,
    },
    {
      title: 'for each item, where none may',
      step: {
        ...{ name: 'a', type: 'fan_out', for_each: [1], max_width: 1, failure_strategy: 'fail_fast' },
        do: { capability: 'web.fetch' },
      },
      findings: 1,
    },
  ])('$title: $findings', ({ step, findings }) => {
    expect(found([step])).toEqual(findings === 0 ? [] : ['OPTIMISM_BIAS steps.0 warning']);
  });
});

describe('a dependency', () => {
  const summary = (more: Record<string, Json>): Json => ({
    name: 'sum_up',
    agent: 'default',
    depends_on: ['read_orders'],
    ...more,
  });

  test('causes a finding when the step mentions the other step only in words', () => {
    const plan = [sniff('read_orders'), summary({ description: 'Sum up what read_orders found.' })];
    expect(found(plan)).toEqual(['DISCONNECTED_FLOW steps.1 warning']);
    expect(thought(plan).critique).toMatchObject({
      score: 9,
      recommendations: ['refer to its result in the input, as {{ results.read_orders }}'],
    });
  });

  test('causes no finding when the step also refers to the result', () => {
    const given = { description: 'Sum up what read_orders found.', input: { orders: '{{ results.read_orders }}' } };
    expect(found([sniff('read_orders'), summary(given)])).toEqual([]);
  });

  test.each<{ title: string; steps: readonly Json[] }>([
    {
      title: 'for a decision',
      steps: [{ name: 'a', type: 'decision', branches: ['b'], choose: '"b"' }, sniff('b', { depends_on: 'a' })],
    },
    {
      title: 'for a person',
      steps: [
        { name: 'a', type: 'human_review', prompt: 'May the files be read now?' },
        sniff('b', { depends_on: 'a' }),
      ],
    },
    {
      title: 'for what changes something',
      steps: [
        { name: 'a', capability: 'report.write', input: { path: 'a' }, approval: true },
        sniff('b', { depends_on: 'a' }),
      ],
    },
    {
      title: 'for what was verified',
      steps: [sniff('a', { verification: 'data/result' }), sniff('b', { depends_on: 'a' })],
    },
    { title: 'for another step, of which nothing is used', steps: [sniff('a'), sniff('b', { depends_on: 'a' })] },
    { title: 'for a step that is there already', steps: [sniff('b', { depends_on: 'ingest' })] },
    {
      title: 'in a condition',
      steps: [sniff('a'), sniff('b', { depends_on: 'a', when: '(pos? (get-in data/results ["a" "rows"]))' })],
    },
    { title: 'at a gate', steps: [sniff('a'), { name: 'b', type: 'synthesis_gate', depends_on: 'a' }] },
    {
      title: 'before a question',
      steps: [sniff('a'), { name: 'b', type: 'human_review', depends_on: 'a', prompt: 'Are these the files?' }],
    },
  ])('causes no finding for $title', ({ steps }) => {
    expect(found(steps)).toEqual([]);
  });

  test('causes no finding when it comes from the order of phases', () => {
    const phased = read({ phases: { recon: [sniff('a')], execute: [sniff('b')] } });
    expect(review(phased, within).critique?.findings).toEqual([]);
  });
});

describe('the goal', () => {
  const about = (goal: string, steps: readonly Json[] = [sniff('orders')]) => {
    const verdict = thought(steps, { goal, kind: 'fixed' });
    return (verdict.critique?.findings ?? []).map(({ code, message }) => `${code}: ${message}`);
  };

  test.each<{ goal: string; missed: string }>([
    { goal: 'Count the customers', missed: '"customers"' },
    { goal: 'Look at the orders of "Miller & Sons"', missed: '"Miller & Sons"' },
    { goal: 'Compare the orders of AAPL and of MSFT', missed: '"AAPL", "MSFT"' },
    { goal: 'Read https://example.com/spec.pdf about the orders', missed: '"https://example.com/spec.pdf"' },
    { goal: 'Look at orders.csv and at payments.csv', missed: '"payments.csv"' },
  ])('"$goal" mentions something that no step does', ({ goal, missed }) => {
    expect(about(goal)).toEqual([`CRITIC_GOAL_UNCOVERED: the goal speaks of ${missed}, and no step does`]);
  });

  test.each([
    'Count the orders',
    'Sniff every order in the folder',
    'Look at orders.csv',
    '{{ input.goal }}',
    'triage',
    '',
  ])('"%s" is covered by the plan', (goal) => {
    expect(about(goal)).toEqual([]);
  });

  test('is not checked for a rule planner or a plan with nested planning', () => {
    expect(found([sniff('orders')], { goal: 'Count the customers', kind: 'lisp' })).toEqual([]);
    const nested = { name: 'more', type: 'planning', goal: 'go on', planner: { kind: 'fixed', fragment: [] } };
    expect(about('Count the customers', [nested])).toEqual([]);
  });

  const remove: Json = { name: 'orders', capability: 'files.delete', input: { path: 'orders.csv' } };
  const write: Json = { name: 'orders', capability: 'report.write', input: { path: 'orders.md' } };
  const codes = (steps: readonly Json[], more: Partial<Frame>) => found(steps, more);

  test('forbids a destructive tool unless it asks to destroy', () => {
    expect(rejected([remove], { goal: 'Tidy up the orders' })).toEqual(['DESTRUCTIVE steps.0.capability error']);
    expect(codes([remove], { goal: 'Delete the orders' })).toEqual([]);
    expect(codes([remove], {})).toEqual([]);
  });

  test('may forbid destruction, or ask for it in other words', () => {
    const destructive = 'DESTRUCTIVE steps.0.capability error';
    expect(rejected([remove], { goal: 'Look at the orders, but do not delete them' })).toEqual([
      'RULED_OUT steps.0.capability error',
    ]);
    expect(rejected([remove], { goal: 'Räume die Bestellungen auf' })).toContain(destructive);
    expect(codes([remove], { goal: 'Get rid of the orders' })).toEqual([]);
  });

  test('forbids a verb that it negates, unless it also orders the same verb', () => {
    const write: Json = { name: 'orders', capability: 'report.write', input: { path: 'orders.md' } };
    const ruledOut = 'RULED_OUT steps.0.capability error';
    expect(rejected([write], { goal: 'Read the orders, but do not write a report' })).toEqual([ruledOut]);
    expect(codes([write], { goal: 'Write a report on the orders. Never write to the database.' })).toEqual([]);
  });

  test('is compared with a tool’s words, and not with its effect hints', () => {
    const declarations = {
      'orders.update': declaration('orders.update', { effects: ['write', 'delete'], repeat: 'safe' }),
      'orders.purge': declaration('orders.purge', { effects: ['write'], repeat: 'safe' }),
    };
    const calling = (capability: string): Json => ({ name: 'orders', capability });
    expect(codes([calling('orders.update')], { goal: 'Change the orders', declarations })).toEqual([]);
    expect(rejected([calling('orders.purge')], { goal: 'Change the orders', declarations })).toEqual([
      'DESTRUCTIVE steps.0.capability error',
    ]);
  });

  test.each(['Read the orders to update the stock', 'Zähle die Bestellungen', 'Settle the orders'])(
    'that may change something may write: %s',
    (goal) => {
      expect(codes([write], { goal }).filter((each) => each.startsWith('WRITES'))).toEqual([]);
    },
  );

  test('forbids a writing tool when it only asks to read', () => {
    expect(rejected([write], { goal: 'Count the orders' })).toEqual(['WRITES_FOR_READ_GOAL steps.0.capability error']);
    expect(codes([write], { goal: 'Count the orders and write them down' })).toEqual([]);
    expect(codes([write], { goal: 'Update the orders' })).toEqual([]);
  });

  test('allows a forbidden call that a person must approve', () => {
    const asking = { ...(remove as object), approval: true };
    expect(codes([asking], { goal: 'Look at the orders' })).toEqual([]);
    expect(codes([remove], { goal: 'Look at the orders', isReviewed: true })).toEqual([
      'DESTRUCTIVE steps.0.capability warning',
    ]);
  });
});

describe('a repeated or vague step', () => {
  test('causes a finding when it repeats a call with the same input', () => {
    expect(found([sniff('a', { input: { path: 'x' } }), sniff('b', { input: { path: 'x' } })])).toEqual([
      'CALL_REPEATED steps.1 warning',
    ]);
    expect(found([sniff('a', { input: { path: 'x' } }), sniff('b', { input: { path: 'x' }, fresh: true })])).toEqual(
      [],
    );
  });

  test('causes a finding when it gives an agent the same task again', () => {
    const told = (name: string, description: string): Json => ({ name, agent: 'default', description });
    expect(found([told('a', 'Think'), told('b', 'Think')])).toEqual(['CALL_REPEATED steps.1 warning']);
    expect(found([told('a', 'Think'), told('b', 'Think again')])).toEqual([]);
  });

  test.each([
    ['perPage?', 1],
    ['OK?', 1],
    ['How many items per page?', 0],
  ])('causes a finding when its question is one word: %s', (prompt, findings) => {
    expect(found([{ name: 'a', type: 'human_review', prompt }])).toHaveLength(findings);
  });
});

describe('the findings of the critic', () => {
  const wasteful = [sniff('a'), sniff('b', { input: { path: 'a.csv' } })];
  const lasting = Array.from({ length: 6 }, (_, index) => ({ name: `s${index}`, type: 'compute', expr: '1' }));

  test('are warnings, and refuse the plan with critic strict', () => {
    expect(thought(wasteful)).toMatchObject({ accepted: true });
    expect(marks(thought(wasteful))).toEqual(['CRITIC_CALL_REPEATED steps.1']);
    const strict = thought(wasteful, { critic: 'strict' });
    expect(strict.accepted).toBe(false);
    expect(strict.issues.map(({ severity }) => severity)).toEqual(['error']);
  });

  test('are absent when the critic is off', () => {
    expect(thought(lasting, { critic: 'off' })).toEqual({ accepted: true, issues: [], estimate: { steps: 6 } });
  });

  test('are only recorded for a plan that a person approved', () => {
    const agreed = thought(lasting, { isAgreed: true });
    expect(agreed.accepted).toBe(true);
    expect(agreed.issues.map(({ severity }) => severity)).toEqual(['warning']);
    expect(thought(wasteful, { critic: 'strict', isAgreed: true }).accepted).toBe(true);
  });

  test('lower the score to one at least and give each recommendation once', () => {
    const many = Array.from({ length: 12 }, (_, index) => fetch(`f${index}`));
    const { critique } = thought(many, { kind: 'fixed' });
    expect(critique?.score).toBe(1);
    expect(critique?.recommendations).toHaveLength(2);
  });

  test('give no score to a refused plan', () => {
    const circle = [sniff('a', { depends_on: 'b' }), sniff('b', { depends_on: 'a' })];
    for (const rejected of [thought(circle), thought(lasting), thought(wasteful, { critic: 'strict' })]) {
      expect(rejected.accepted).toBe(false);
      expect(rejected).not.toHaveProperty('critique');
    }
  });

  test('join other issues only when they are critical', () => {
    const circle = [sniff('a', { depends_on: 'b' }), sniff('b', { depends_on: 'a' })];
    const twice = [sniff('x'), sniff('y', { input: { path: 'x.csv' } })];
    expect(marks(thought([...circle, ...twice, ...lasting]))).toEqual([
      'GRAFT_CYCLE steps.0.depends_on',
      'CRITIC_PARALLEL_EXPLOSION steps.6',
    ]);
  });
});
