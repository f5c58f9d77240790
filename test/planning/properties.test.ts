// Properties of every reply and every frame.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { limitable, quantity } from '../../src/budget/amount.ts';
import type { Frame } from '../../src/planning/frame.ts';
import { type Graft, graftOf } from '../../src/planning/prepare-graft.ts';
import { readFragment } from '../../src/planning/read-fragment.ts';
import { review } from '../../src/planning/review.ts';
import { frame } from './given-frame.ts';

const names = fc.constantFrom(
  'a',
  'b',
  'c',
  'd',
  'Step E',
  'ingest',
  'plan_recon',
  'finalize',
  '__proto__',
  'constructor',
);
const references = names.map((name) => `{{ results["${name}"].x }}`);

/** A step as an unreliable planner writes it. */
const wildStep: fc.Arbitrary<Json> = fc
  .record(
    {
      name: fc.oneof(names, fc.string({ maxLength: 8 })),
      type: fc.constantFrom('task', 'compute', 'planning', 'deferred', 'fan_out', 'human_review', 'nonsense'),
      capability: fc.constantFrom(
        'files.read',
        'csv.sniff',
        'report.write',
        'files.write',
        'shell.run',
        'nothing.known',
      ),
      depends_on: fc.array(names, { maxLength: 3 }),
      input: fc.oneof(references, fc.jsonValue()),
      expr: fc.constantFrom('1', '(count data/results)', '(', '(get-in data/results ["a"])'),
      planner: fc.constantFrom<Json>({ kind: 'fixed', fragment: [] }, { kind: 'lisp', source: '(' }),
      convergence_target: names,
      retry: fc.record({ max_attempts: fc.integer({ min: -1, max: 20 }) }),
      when: fc.jsonValue(),
      do: fc.oneof(fc.jsonValue(), fc.record({ capability: fc.constant('files.read'), input: references })),
      for_each: fc.oneof(references, fc.jsonValue()),
      max_width: fc.integer({ min: -1, max: 30 }),
      prompt: fc.oneof(references, fc.jsonValue()),
      approval: fc.jsonValue(),
      replan: fc.jsonValue(),
      plan_review: fc.jsonValue(),
    },
    { requiredKeys: ['name'] },
  )
  .map((step): Json => JSON.parse(JSON.stringify(step)));

const anyStep: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom('Find X', 'find x', '…', 7, null),
  fc.record({
    id: fc.oneof(names, fc.nat(3)),
    tool: fc.constantFrom('files.read', 'csv.sniff'),
    requires: fc.oneof(names, fc.array(names, { maxLength: 2 })),
    params: references,
  }),
  fc.record({ task_id: names, assigned_to: fc.constantFrom('Ann', 'bob'), input: fc.constant('Do it with care') }),
  wildStep,
);
const anySteps = fc.oneof(fc.array(anyStep, { maxLength: 4 }), fc.dictionary(names, anyStep, { maxKeys: 3 }));
const anyAgents = fc.constantFrom<unknown>(['Ann'], { Ann: 'You search.' }, [{ id: 'bob', role: 'x' }], {}, 7);

/** A plan in any of the shapes that are understood, with steps that are mostly understood too. */
const wildPlan: fc.Arbitrary<Json> = fc
  .oneof(
    anySteps,
    fc.record({ steps: anySteps, agents: fc.jsonValue() }),
    fc.record({ tasks: anySteps, agents: anyAgents }),
    fc.record({ plan: fc.record({ tasks: anySteps }), rationale: fc.string() }),
    fc.record({ phases: fc.dictionary(fc.constantFrom('recon', 'Execute'), anySteps) }),
    fc.array(fc.record({ phase: names, steps: anySteps, after: names }, { requiredKeys: ['phase', 'steps'] }), {
      maxLength: 3,
    }),
  )
  .map((plan): Json => JSON.parse(JSON.stringify(plan)));

/** Steps that wait only for those before them: mostly acceptable. */
const soundSteps: fc.Arbitrary<readonly Json[]> = fc
  .array(
    fc.record({
      kind: fc.constantFrom<Record<string, Json>>(
        { capability: 'files.read' },
        { capability: 'csv.sniff', input: { path: 'x.csv' } },
        { type: 'compute', expr: '1' },
        { type: 'planning', planner: { kind: 'fixed', fragment: [] } },
        { type: 'deferred' },
        { type: 'fan_out', for_each: [1], max_width: 3, do: { capability: 'files.read', input: '{{ item }}' } },
        { type: 'human_review', prompt: 'Go on?' },
      ),
      waits: fc.array(fc.nat(), { maxLength: 2 }),
    }),
    { maxLength: 9 },
  )
  .map((parts) =>
    parts.map(({ kind, waits }, index) => ({
      name: `s${index}`,
      ...kind,
      depends_on: index === 0 ? [] : [...new Set(waits.map((each) => `s${each % index}`))],
    })),
  );

const frames: fc.Arbitrary<Frame> = fc
  .record({
    planner: fc.constantFrom('plan_recon', 'plan_a.1/deep'),
    depthLeft: fc.nat(2),
    bounds: fc.record({ fragmentSteps: fc.nat(12), fragmentDepth: fc.nat(6), fanOut: fc.constant(10) }),
    available: fc.record(
      { steps: fc.nat(12), phases: fc.nat(3), tool_calls: fc.nat(12), cost_usd: fc.nat(500) },
      { requiredKeys: [] },
    ),
    converge: fc.boolean(),
  })
  .map((part) => ({ ...frame, ...part, prefix: `${part.planner}.1` }));

test('reading and reviewing never throw for any reply', () => {
  const replies = fc.oneof(
    fc.jsonValue(),
    fc.json(),
    fc.string(),
    wildPlan,
    fc.array(wildStep, { maxLength: 6 }),
    fc.record({ rationale: fc.jsonValue(), steps: fc.array(wildStep, { maxLength: 6 }) }),
  );
  fc.assert(
    fc.property(replies, frames, (reply, within) => {
      const result = readFragment(JSON.parse(JSON.stringify(reply)));
      if (!result.ok) expect(result.error.issues.length).toBeGreaterThan(0);
      if (!result.ok || !('steps' in result.value)) return;
      const verdict = review(result.value, within);
      expect(verdict.accepted).toBe(verdict.issues.every(({ severity }) => severity !== 'error'));
      if (verdict.accepted) expectSound(graftOf(result.value, within), within);
    }),
    { numRuns: 1_000 },
  );
});

test('reading an understood plan again gives the same plan', () => {
  let understood = 0;
  fc.assert(
    fc.property(wildPlan, (reply) => {
      const result = readFragment(reply);
      if (!result.ok) expect(result.error.issues.length).toBeGreaterThan(0);
      if (!result.ok || !('steps' in result.value)) return;
      understood += 1;
      const { raw, digest, steps } = result.value;
      const again = readFragment(raw);
      if (!again.ok || !('steps' in again.value)) throw new Error(JSON.stringify(again));
      expect(again.value.steps).toEqual(steps);
      expect(again.value.digest).toBe(digest);
      expect(again.value.raw).toEqual(raw);
    }),
    { numRuns: 2_000 },
  );
  expect(understood).toBeGreaterThan(200);
});

test('an accepted plan is acyclic, within bounds and budget, and reaches the target with every step', () => {
  let accepted = 0;
  fc.assert(
    fc.property(soundSteps, frames, (steps, within) => {
      const result = readFragment({ steps });
      if (!result.ok || !('steps' in result.value)) throw new Error('sound steps can be read');
      const { accepted: yes, estimate } = review(result.value, within);
      if (!yes) return;
      accepted += 1;
      for (const limited of limitable) {
        expect(quantity(estimate, limited)).toBeLessThanOrEqual(within.available[limited] ?? Number.POSITIVE_INFINITY);
      }
      expectSound(graftOf(result.value, within), within);
    }),
    { numRuns: 1_000 },
  );
  expect(accepted).toBeGreaterThan(50);
});

function expectSound(graft: Graft, { planner, prefix, target, bounds, outside, depthLeft, converge }: Frame): void {
  const own = new Map(graft.steps.map((step) => [step.id, step]));
  expect(own.size).toBe(graft.steps.length);
  const width = graft.steps.reduce((sum, { spec }) => sum + (spec.fanOut?.maxWidth ?? 0), 0);
  expect(own.size + width).toBeLessThanOrEqual(bounds.fragmentSteps);
  const known = new Set([planner, ...[...outside.values()].map(({ id }) => id)]);
  const depth = new Map<string, number>();
  // Peeled from the top: what is left over would be on a cycle.
  for (let before = -1; before !== depth.size; ) {
    before = depth.size;
    for (const { id, dependencies } of graft.steps) {
      const within = dependencies.filter((each) => own.has(each));
      if (depth.has(id) || within.some((each) => !depth.has(each))) continue;
      depth.set(id, 1 + Math.max(0, ...within.map((each) => depth.get(each) ?? 0)));
    }
  }
  expect(depth.size).toBe(own.size);
  const waitedFor = new Set(graft.steps.flatMap(({ dependencies }) => dependencies));
  expect(graft.terminals).toEqual([...own.keys()].filter((id) => !waitedFor.has(id)));
  for (const step of graft.steps) {
    expect(step.id.startsWith(`${prefix}/`)).toBe(true);
    expect(step.depth).toBe(depth.get(step.id));
    expect(step.depth).toBeLessThanOrEqual(bounds.fragmentDepth);
    expect(step.dependencies.length).toBeGreaterThan(0);
    for (const each of step.dependencies) expect(own.has(each) || known.has(each)).toBe(true);
    for (const each of Object.values(step.refs ?? {})) expect(own.has(each) || known.has(each)).toBe(true);
    if (step.spec.type !== 'planning') continue;
    expect(depthLeft > 0 && !converge).toBe(true);
    const waiting = graft.steps.filter(({ dependencies }) => dependencies.includes(step.id)).map(({ id }) => id);
    expect(waiting).toEqual(step.target === target ? [] : [step.target]);
  }
}
