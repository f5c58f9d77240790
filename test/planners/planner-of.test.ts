// Each kind of planner, called through the planner port.
import { describe, expect, test } from 'vitest';
import { failure } from '../../src/base/failure.ts';
import { issue } from '../../src/base/issue.ts';
import { bad, good } from '../../src/base/result.ts';
import { advance, type Planner, type PlannerProgress } from '../../src/planners/planner.ts';
import { plannerOf } from '../../src/planners/planner-of.ts';
import type { Brief } from '../../src/planning/brief.ts';
import type { PlannerSpec } from '../../src/template/step-spec.ts';
import { brief } from './given-brief.ts';

const mended: Brief = { ...brief, attempt: 2, feedback: [issue('GRAFT_CYCLE', 'a waits for a')] };

function asked(spec: PlannerSpec, of: Brief = brief, limits = {}): PlannerProgress {
  return advance(plannerOf(spec, { models: {}, limits: { lisp: limits } }), of, []);
}

function failed(progress: PlannerProgress) {
  expect(progress).toMatchObject({ done: true, end: { ok: false } });
  if (!progress.done || progress.end.ok) throw new Error('it answered');
  return progress.end.error;
}

describe('a clock', () => {
  test('stops a rule before its fuel runs out', () => {
    let time = 0;
    const spec: PlannerSpec = { kind: 'lisp', source: { $lisp: '(loop [i 0] (recur (inc i)))' } };
    const around = { models: {}, limits: { lisp: { fuel: 1e9, deadline: 50 } }, now: () => (time += 1) };
    const progress = advance(plannerOf(spec, around), brief, []);
    expect(failed(progress)).toMatchObject({ code: 'PLANNER_FAILED', message: expect.stringContaining('50 ms') });
  });
});

describe('a rule planner', () => {
  const rule = (source: string, repair?: string): PlannerSpec => ({
    kind: 'lisp',
    source: { $lisp: source },
    ...(repair === undefined ? {} : { repair: { $lisp: repair } }),
  });

  test('proposes the value of its expression over packet, budget and input', () => {
    const source = `
      {:rationale (str "in " (:folder data/input))
       :steps (for [file (take (:steps data/budget) (:files data/packet)) :when (str/ends-with? file ".csv")]
                {:name (str "sniff_" file) :capability "csv.sniff" :input {:path file}})}`;
    expect(asked(rule(source.replace('str/', 'clojure.string/')))).toEqual({
      done: true,
      end: good({
        fragment: {
          rationale: 'in data',
          steps: [
            { name: 'sniff_a.csv', capability: 'csv.sniff', input: { path: 'a.csv' } },
            { name: 'sniff_b.csv', capability: 'csv.sniff', input: { path: 'b.csv' } },
          ],
        },
      }),
    });
  });

  test('gives the same proposal for the same brief', () => {
    const spec = rule('{:steps [] :rationale (str data/packet)}');
    expect(asked(spec)).toEqual(asked(spec));
  });

  test('fails with line and column, and is not retried', () => {
    const { code, message, retry, issues } = failed(asked(rule('{:steps\n  (+ 1 nil)}')));
    expect(code).toBe('PLANNER_FAILED');
    expect(retry).toBe('never');
    expect(message).toMatch(/line 2, column \d+/);
    expect(issues?.map((each) => each.code)).toEqual(['LISP_TYPE']);
  });

  test('fails at its place in the template', () => {
    const place = { file: 'templates/a.yaml', line: 10, column: 5, endLine: 10, endColumn: 20 };
    const { message, issues } = failed(asked({ kind: 'lisp', source: { $lisp: '(+ 1 nil)', place } }));
    expect(message).toContain('templates/a.yaml:10:');
    expect(issues?.[0]?.place?.file).toBe('templates/a.yaml');
  });

  test('fails with the error when it does not compile', () => {
    expect(failed(asked(rule('(cuont data/packet)'))).issues?.map((each) => each.code)).toEqual(['LISP_UNBOUND']);
  });

  test('fails when its value is not JSON', () => {
    expect(failed(asked(rule('{:steps [inc]}'))).message).toMatch(/its value is not JSON/);
  });

  test('fails with the reason that it throws', () => {
    expect(failed(asked(rule('(fail "no files")'))).message).toContain('no files');
  });

  test('runs out of fuel instead of running forever', () => {
    const endless = rule('(loop [n 0] (recur (inc n)))');
    expect(failed(asked(endless, brief, { fuel: 1_000 })).issues?.map((each) => each.code)).toEqual([
      'LISP_OUT_OF_FUEL',
    ]);
  });

  test('proposes its repair after a refused attempt', () => {
    const spec = rule('{:steps [] :rationale "first"}', '{:steps [] :rationale "mended"}');
    expect(asked(spec)).toMatchObject({ end: { value: { fragment: { rationale: 'first' } } } });
    expect(asked(spec, mended)).toMatchObject({ end: { value: { fragment: { rationale: 'mended' } } } });
  });

  test('proposes the same again without a repair rule', () => {
    expect(asked(rule('{:steps []}'), mended)).toEqual(asked(rule('{:steps []}')));
  });
});

describe('a fixed planner', () => {
  const fragment = { steps: [{ name: 'a', capability: 'files.read' }] };

  test('proposes its fragment', () => {
    expect(asked({ kind: 'fixed', fragment })).toEqual({ done: true, end: good({ fragment }) });
  });

  test('proposes its repair after a refused attempt', () => {
    const spec: PlannerSpec = { kind: 'fixed', fragment, repair: { $lisp: '{:steps []}' } };
    expect(asked(spec, mended)).toEqual({ done: true, end: good({ fragment: { steps: [] } }) });
  });
});

describe('a capability as planner', () => {
  const spec: PlannerSpec = { kind: 'capability', name: 'my.planner' };

  test('is called with the brief', () => {
    expect(asked(spec)).toEqual({ done: false, call: { kind: 'capability', name: 'my.planner', input: { brief } } });
  });

  test('proposes the result of the call', () => {
    const progress = advance(plannerOf(spec), brief, [good({ steps: [] })]);
    expect(progress).toEqual({ done: true, end: good({ fragment: { steps: [] } }) });
  });

  test('fails with the failure of the call', () => {
    const why = failure('CAPABILITY_TIMEOUT', 'too slow');
    expect(failed(advance(plannerOf(spec), brief, [bad(why)]))).toEqual(why);
  });

  test('repeats no recorded call', () => {
    const planner = plannerOf(spec);
    expect(advance(planner, brief, [])).toEqual(advance(planner, brief, []));
    expect(advance(planner, brief, [good(1)])).toMatchObject({ done: true });
  });
});

test('a planner of kind llm says that no model is configured', () => {
  expect(failed(asked({ kind: 'llm' }))).toMatchObject({ code: 'MODEL_NOT_CONFIGURED', retry: 'never' });
});

describe('a planner that asks a person', () => {
  const planner: Planner = {
    *propose() {
      const year = yield { kind: 'question', question: 'Which year?', answer: ':int' };
      const files = yield { kind: 'capability', name: 'files.list', input: year.ok ? year.value : null };
      return good({ fragment: files.ok ? files.value : null });
    },
  };

  test('replies with its question', () => {
    expect(advance(planner, brief, [])).toEqual({
      done: true,
      end: good({ fragment: { needs_clarification: { question: 'Which year?', answer: ':int' } } }),
    });
  });

  test('continues with the answer in the brief', () => {
    const told: Brief = { ...brief, clarifications: [{ question: 'Which year?', answer: 1904 }] };
    expect(advance(planner, told, [])).toMatchObject({ done: false, call: { name: 'files.list', input: 1904 } });
    const progress = advance(planner, told, [good({ steps: [] })]);
    expect(progress).toEqual({ done: true, end: good({ fragment: { steps: [] } }) });
  });
});
