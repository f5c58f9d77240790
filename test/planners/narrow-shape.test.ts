// The narrow answer schema of a planning call, for servers that generate under a grammar.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import type { CapabilityLine } from '../../src/goals/capability-lines.ts';
import { planShape } from '../../src/planners/llm/answer-shape.ts';
import type { Brief } from '../../src/planning/brief.ts';
import { brief } from './given-brief.ts';

const sniff: CapabilityLine = {
  name: 'csv.sniff',
  description: 'Look at a table.',
  effects: ['read'],
  input: {
    type: 'object',
    required: ['path'],
    properties: { path: { type: 'string' }, rows: { type: 'integer', minimum: 1 }, kind: { enum: ['csv', 'tsv'] } },
    additionalProperties: false,
  },
};
const now: CapabilityLine = { name: 'clock.now', description: 'Tell the time.', effects: ['read'] };

function judging(given: Partial<Brief> = {}, writesCapabilities = false): (plan: Json) => boolean {
  const { narrow } = planShape({ ...brief, capabilities: [sniff, now], ...given }, writesCapabilities);
  const check = new Ajv2020({ strict: false }).compile(narrow ?? {});
  return (plan) => check(plan);
}

const planWith = (...steps: readonly JsonObject[]): JsonObject => ({ rationale: 'because', steps });
const call = { name: 'look', capability: 'csv.sniff', input: { path: 'a.csv' } };

describe('the narrow answer schema', () => {
  const fits = judging();

  it('takes plans, refusals and questions', () => {
    expect(fits(planWith(call, { name: 'time', capability: 'clock.now', depends_on: ['look'] }))).toBe(true);
    expect(fits(planWith())).toBe(true);
    expect(fits({ impossible: 'nothing reads tables' })).toBe(true);
    expect(fits({ needs_clarification: { question: 'Which table?' } })).toBe(true);
    expect(fits({ rationale: 'because' })).toBe(false);
  });

  it('takes the names of granted capabilities and agents only', () => {
    expect(fits(planWith({ ...call, capability: 'csv.smell' }))).toBe(false);
    expect(fits(planWith({ name: 'think', agent: 'default', description: 'Think.' }))).toBe(true);
    const think = planWith({ name: 'think', agent: 'reader', description: 'Read.' });
    expect(fits(think)).toBe(false);
    expect(judging({ agents: [{ name: 'reader', tools: [] }] })(think)).toBe(true);
  });

  it('takes arguments by the contract of the capability, or references to results', () => {
    const withInput = (input: JsonObject): boolean => fits(planWith({ ...call, input }));
    expect(withInput({ path: 'a.csv', rows: 3, kind: 'tsv' })).toBe(true);
    expect(withInput({ path: '{{ results.list.files.0.path }}', rows: '{{ results.plan.1/count#2.rows }}' })).toBe(
      true,
    );
    expect(withInput({ path: 'a.csv', kind: '{{ results.kind }}' })).toBe(true);
    expect(withInput({ path: 'a.csv', kind: 'xls' })).toBe(false);
    expect(withInput({ path: 'a.csv', rows: 'three' })).toBe(false);
    expect(withInput({ path: 'a.csv', row: 3 })).toBe(false);
    expect(withInput({ rows: 3 })).toBe(false);
  });

  it('takes signatures as outputs of agents', () => {
    const think = { name: 'think', agent: 'default', description: 'Think.' };
    for (const output of ['{total :int, files [{name :string, holds :string?}]}', ':int', '[:string]'])
      expect(fits(planWith({ ...think, output })), output).toBe(true);
    for (const output of ['a number', '{{ results.a }}'])
      expect(fits(planWith({ ...think, output })), output).toBe(false);
  });

  it('takes planning steps and fan-outs within the bounds', () => {
    const nested = planWith({ name: 'later', type: 'planning', goal: 'Plan the rest.' });
    const fan = planWith({
      name: 'each',
      type: 'fan_out',
      for_each: '{{ results.a }}',
      max_width: 3,
      do: { capability: 'csv.sniff' },
    });
    expect(fits(nested)).toBe(true);
    expect(fits(fan)).toBe(true);
    const { bounds } = brief;
    const narrow = judging({ bounds: { ...bounds, max_planning_depth: 0, max_fan_out: 0, max_fragment_steps: 1 } });
    expect(narrow(nested)).toBe(false);
    expect(narrow(fan)).toBe(false);
    expect(narrow(planWith(call))).toBe(true);
    expect(narrow(planWith(call, { ...call, name: 'again' }))).toBe(false);
  });

  it('takes agents of the plan itself, and capabilities where the template allows these', () => {
    const own = {
      agents: { poet: { prompt: 'You rhyme.' } },
      ...planWith({ name: 'rhyme', agent: 'poet', description: 'Rhyme.' }),
    };
    expect(fits(own)).toBe(true);
    expect(fits({ ...own, ...planWith({ ...call, input: {} }) })).toBe(false);
    const total = { name: 'own.total', description: 'Add.', input: {}, output: {}, lisp: '(+ 1 2)' };
    const writing = { capabilities: [total], ...planWith({ name: 'add', capability: 'own.total', input: {} }) };
    expect(fits(writing)).toBe(false);
    expect(judging({}, true)(writing)).toBe(true);
  });

  it('is small enough for a grammar when hundreds of capabilities are granted, and still knows their names', () => {
    const many = Array.from({ length: 300 }, (_, at) => ({ ...sniff, name: `tool_${at}.sniff` }));
    const given = { capabilities: many };
    expect(JSON.stringify(planShape({ ...brief, ...given }).narrow).length).toBeLessThan(30_000);
    expect(judging(given)(planWith({ ...call, capability: 'tool_299.sniff' }))).toBe(true);
    expect(judging(given)(planWith({ ...call, capability: 'tool_300.sniff' }))).toBe(false);
  });
});
