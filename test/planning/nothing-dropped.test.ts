// The understood form of an accepted plan holds everything from the reply.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { readFragment } from '../../src/planning/read-fragment.ts';
import { stepProperties } from '../../src/template/keys/step.ts';

const sniff = (name: string, more: JsonObject = {}): JsonObject => ({ name, tool: 'csv.sniff', ...more });
const empty = { kind: 'fixed', fragment: { steps: [] } };

/** One of each shape. */
const plans: readonly Json[] = [
  { rationale: 'r', steps: [sniff('a', { input: { path: 'x' } }), sniff('b', { depends_on: ['a'] })] },
  {
    plan: {
      tasks: [
        { id: 'a', agent: 'ann', input: 'Do {{ results.b }} well' },
        { id: 'b', type: 'compute', expr: '1' },
      ],
      agents: [{ name: 'ann', role: 'r' }],
    },
  },
  [
    { phase: 'recon', goal: 'g', steps: [sniff('a')] },
    { phase: 'execute', steps: { b: { tool: 'csv.sniff' }, c: 'Find X' } },
  ],
  { phases: { recon: [sniff('a')], execute: { tasks: [sniff('a')] } }, agents: { ann: 'You search.' } },
  [
    'Find X',
    { id: 'r', type: 'human_review', question: 'Go on?' },
    { id: 'f', type: 'fan_out', for_each: [1], max_width: 2, do: { tool: 'files.read', args: { p: '{{ item }}' } } },
  ],
  {
    steps: [
      { id: 'p', type: 'planning', goal: 'x', planner: empty },
      { id: 'd', type: 'decision', branches: ['e'], choose: '"e"' },
      { id: 'e', type: 'deferred', after: 'd' },
      { id: 's', type: 'synthesis_gate', after: ['p'] },
    ],
    needs: ['ingest.files'],
  },
];

const MARK = 'zqmark';

const marked: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(
  MARK,
  [MARK],
  { [MARK]: 1 },
  { x: MARK },
  [{ name: MARK }],
  sniff(MARK),
);

const keys = fc.constantFrom(
  ...Object.keys(stepProperties),
  ...[
    'id',
    'task_id',
    'inputs',
    'args',
    'params',
    'action',
    'function',
    'agent_id',
    'question',
    'message',
    'maxRetries',
  ],
  ...[
    'role',
    'goal',
    'backstory',
    'instructions',
    'tools',
    'model',
    'phase',
    'purpose',
    'phases',
    'workflow',
    'strange',
  ],
  ...[
    'rationale',
    'agents',
    'steps',
    'tasks',
    'plan',
    'impossible',
    'needs',
    'needs_clarification',
    'capabilities',
    'expr',
    'effects',
  ],
);

function mapsIn(value: Json): readonly Record<string, Json>[] {
  if (typeof value !== 'object' || value === null) return [];
  return [...(isJsonObject(value) ? [value as Record<string, Json>] : []), ...Object.values(value).flatMap(mapsIn)];
}

test('every part of a plan is understood or refused', () => {
  let understood = 0;
  fc.assert(
    fc.property(fc.constantFrom(...plans), fc.nat(), keys, marked, (plan, which, key, value) => {
      const reply = structuredClone(plan);
      const maps = mapsIn(reply);
      const map = maps[which % maps.length];
      if (map === undefined) return;
      map[key] = value;
      const read = readFragment(reply);
      if (!read.ok) return;
      understood += 1;
      if (!('steps' in read.value)) return expect(JSON.stringify(read.value)).toContain(MARK);
      const { raw, steps, rationale, needs, capabilities, understood: notes } = read.value;
      expect(JSON.stringify(raw)).toContain(MARK);
      const isTold = notes.some((note) => note.endsWith('as one that no step names'));
      if (!isTold) expect(JSON.stringify([steps, rationale, needs, capabilities, read.warnings])).toContain(MARK);
    }),
    { numRuns: 4_000 },
  );
  expect(understood).toBeGreaterThan(500);
});
