// Recorded scenarios: how they are read and played, and how differences from the expectation are reported.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { renderIssues } from '../../src/template/diagnostic.ts';
import { hastyClock, type PlayedScenario, playScenario } from '../../src/testing/scenarios/play-scenario.ts';
import { readScenarios } from '../../src/testing/scenarios/read-scenarios.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reconverge-scenarios-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

let calls = 0;

const work = defineCapability({
  name: 'work',
  description: 'Counts its calls, and fails when it is told to.',
  effects: ['compute'],
  repeat: 'safe',
  run: (input: Json) => {
    calls += 1;
    if (JSON.stringify(input).includes('fail')) throw new Error('it was told to');
    return { calls: 1, input };
  },
});

const template = `
reconverge: 1
name: plan
steps:
  - { name: first, handler: work, input: { what: "{{ input.what }}" }, on_failure: retry, retry: { max_attempts: 2, base: 30s, jitter: 0 } }
  - { name: agree, type: human_review, dependencies: [first], prompt: Good? }
  - { name: last, handler: work, dependencies: [agree], input: { notes: "{{ results.agree.notes }}" } }
environments:
  strict: { steps: { first: { input: { what: fail } } } }
`;

function write(file: string, text: string): void {
  writeFileSync(join(folder, file), text);
}

async function told(scenarios: string): Promise<string> {
  write('plan.scenarios.yaml', scenarios);
  const read = await readScenarios('plan.scenarios.yaml', folder);
  return renderIssues(read.ok ? read.warnings : read.error, () => undefined);
}

/** Plays a file that has this scenario alone. */
async function played(scenario: string): Promise<PlayedScenario> {
  write('plan.yaml', template);
  write('plan.scenarios.yaml', `scenarios:\n  - ${scenario.trim().replaceAll('\n', '\n    ')}\n`);
  const read = await readScenarios('plan.scenarios.yaml', folder);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const [only] = read.value.scenarios;
  if (only === undefined) throw new Error('there is none');
  return playScenario(read.value, only, { folder, capabilities: [work] });
}

async function record(file: string, what: string): Promise<void> {
  write('plan.yaml', template);
  const clock = hastyClock(1_000);
  const engine = createEngine({ folder, journal: openMemoryJournal(), capabilities: [work], clock });
  const loaded = await engine.load('plan.yaml');
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const started = await engine.start(loaded.value, { input: { what }, record: file });
  if (!started.ok) throw new Error(JSON.stringify(started.error));
  const { run, status } = await started.value.done;
  if (status !== 'waiting') return engine.close();
  const ordered = await engine.order(
    run,
    { type: 'review', gate: 'g1', verdict: 'approve', by: 'ann', why: 'fine' },
    { record: file },
  );
  await (ordered.ok ? ordered.value.handle?.done : undefined);
  await engine.close();
}

describe('a file of scenarios', () => {
  it('is refused with the place of every error in it', async () => {
    const found = await told(`scenarios:
  - name: one
    expct: {}
    answers: [{ verdict: aprove }]
    expect: { status: done, codes: [A], spent: { llm_cals: 1 } }
  - name: one
    expect: { status: failed }
`);
    expect(found).toContain('plan.scenarios.yaml:3:5: error SHAPE_UNKNOWN_KEY: "expct" is not a key of a scenario');
    expect(found).toContain('plan.scenarios.yaml:4:26: error SHAPE_WRONG_VALUE: "verdict" must be one of approve');
    expect(found).toContain('did you mean "approve"?');
    expect(found).toContain('plan.scenarios.yaml:5:23: error SHAPE_WRONG_VALUE');
    expect(found).toContain('did you mean "llm_calls"?');
    expect(found).toContain('plan.scenarios.yaml:6:11: error SCENARIO_REPEATED: two scenarios are called "one"');
  });

  it('belongs to the template of the same name unless it names another template', async () => {
    write('plan.scenarios.yaml', 'scenarios: []\n');
    write('other.scenarios.yaml', 'template: plans/plan.yaml\nscenarios: []\n');
    expect(await readScenarios('plan.scenarios.yaml', folder)).toMatchObject({ value: { template: 'plan.yaml' } });
    expect(await readScenarios('other.scenarios.yaml', folder)).toMatchObject({
      value: { template: 'plans/plan.yaml' },
    });
  });
});

describe('a scenario', () => {
  it('passes when people answer the questions and the run ends as expected', async () => {
    const result = await played(`
name: agrees
input: { what: a }
answers: [{ step: agree, kind: review, value: { approved: true, notes: fine } }]
expect: { status: completed, partial: false, output: { last: { input: { notes: fine } } }, results: { first: { calls: 1 } }, spent: { tool_calls: 2, cost_usd: $0.00 } }`);
    expect(result).toMatchObject({ name: 'agrees', ok: true, differences: [], issues: [] });
  });

  it('reports each difference from the expectation with its path', async () => {
    const result = await played(`
name: other
input: { what: a }
answers: [{ verdict: reject, why: no }, { kind: approval }]
expect: { status: completed, results: { first: { calls: 2 }, missing: 1 }, spent: { tool_calls: 0 }, replans: 1, codes: [GATE_REJECTED, FOO] }`);
    expect(result.ok).toBe(false);
    expect(result.differences).toEqual([
      { path: 'status', expected: 'completed', found: 'failed' },
      { path: 'results.first.calls', expected: 2, found: 1 },
      { path: 'results.missing', expected: 1 },
      { path: 'spent.tool_calls', expected: 0, found: 1 },
      { path: 'replans', expected: 1, found: 0 },
      { path: 'codes', expected: 'FOO', found: ['GATE_REJECTED'] },
      { path: 'answers.1', expected: 'a question that it answers' },
    ]);
  });

  it('reports the unanswered question when the run waits and should not', async () => {
    const result = await played('{ name: waits, input: { what: a }, expect: { status: completed } }');
    expect(result.differences).toEqual([
      { path: 'status', expected: 'completed', found: 'waiting' },
      { path: 'answers', expected: { step: 'agree', kind: 'review' } },
    ]);
    expect(await played('{ name: waits, input: { what: a }, expect: { status: waiting } }')).toMatchObject({
      ok: true,
    });
  });

  it('reports the issue when its run cannot start', async () => {
    const result = await played('{ name: lost, environment: strct, expect: { status: completed } }');
    expect(result).toMatchObject({ ok: false, issues: [{ code: 'ENVIRONMENT_UNKNOWN' }] });
    const unread = await played('{ name: lost, cassette: none.json, expect: { status: completed } }');
    expect(unread).toMatchObject({ ok: false, issues: [{ code: 'CASSETTE_UNREADABLE' }] });
  });

  it('replays its cassette without calling a capability', async () => {
    await record('a.json', 'a');
    const before = calls;
    const result = await played(`
name: again
input: { what: a }
cassette: a.json
answers: [{ why: fine }]
expect: { status: completed }`);
    expect(result).toMatchObject({ ok: true });
    expect(calls).toBe(before);
  });

  it('simulates the time of a replayed cassette: a backoff of half a minute counts, but nobody waits for it', async () => {
    await record('fail.json', 'fail');
    const result = await played(`
name: fails
input: { what: fail }
cassette: fail.json
expect: { status: failed, codes: [CAPABILITY_THREW], spent: { tool_calls: 2 } }`);
    expect(result).toMatchObject({ ok: true, differences: [] });
    expect(result.report?.elapsed).toBeGreaterThanOrEqual(30);
  });

  it('reports the first request without a recording before all other differences', async () => {
    await record('a.json', 'b');
    const result = await played(`
name: other
input: { what: c }
cassette: a.json
expect: { status: completed }`);
    expect(result.differences[0]).toEqual({
      path: 'cassette',
      expected: 'what was recorded',
      found: expect.stringContaining('asked "c", recorded "b"'),
    });
  });
});
