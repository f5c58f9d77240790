// Predicates: passing, warnings, and the paths that a program reads.
import { describe, expect, it } from 'vitest';
import { compileCached } from '../../src/lisp/compile-cached.ts';
import { judgePredicate } from '../../src/lisp/judge-predicate.ts';
import { lintPredicate, type PredicateKnowledge } from '../../src/lisp/lint-predicate.ts';
import { compile, type Program } from '../../src/lisp/program.ts';
import { referencedPaths } from '../../src/lisp/referenced-paths.ts';
import { run } from '../../src/lisp/run.ts';
import { outcomeOf } from './evaluate.ts';

function programOf(source: string): Program {
  const program = compile(source, { aliases: ['result', 'input'] });
  if (!program.ok) throw new Error(program.error[0]?.message);
  return program.value;
}

describe('a predicate', () => {
  it.each([
    ['true', { passed: true }],
    ['0', { passed: true }],
    ['[]', { passed: true }],
    ['nil', { passed: false }],
    ['false', { passed: false }],
    ['"too few"', { passed: false, diagnosis: 'too few' }],
    ['(fail "too few")', { passed: false, diagnosis: 'too few' }],
    ['(and (map? data/result) (get data/result "price"))', { passed: true }],
  ])('judges %s', (source, judgement) => {
    expect(judgePredicate(outcomeOf(source, { result: { price: 12 } }))).toEqual(judgement);
  });

  it('does not pass when it ends in an error', () => {
    expect(judgePredicate(outcomeOf('(> (:price data/result) 0)', { result: {} }))).toMatchObject({
      error: { code: 'LISP_TYPE' },
    });
    expect(judgePredicate(outcomeOf('(loop [] (recur))'))).toMatchObject({ error: { family: 'limit' } });
  });
});

describe('the predicate lint', () => {
  const codes = (source: string, knowledge?: PredicateKnowledge) =>
    lintPredicate(programOf(source), knowledge).map((issue) => issue.code);

  it.each([
    '(get result "name")',
    '(:name result)',
    'result',
    '(and (map? result) (:name result))',
    '(if (:ok result) true (:reason result))',
    '(first (:names result))',
  ])('warns that %s may be text from the data', (source) => {
    expect(codes(source)).toContain('LISP_PREDICATE_TEXT');
  });

  it.each([
    '(some? (:name result))',
    '(= (:name result) "x")',
    '(if (:ok result) true "not ok")',
    '(when (pos? (count result)) true)',
    '(fail "no")',
  ])('does not warn about %s', (source) => {
    expect(codes(source)).toEqual([]);
  });

  it('does not warn when the contract says that the value is not a string', () => {
    expect(codes('(:price result)', { mayBeText: (_, path) => path[0] !== 'price' })).toEqual([]);
  });

  it.each([
    'true',
    '(count (:rows result))',
    '(filter pos? (:rows result))',
    '(do (:a result) [1])',
    '(if (:a result) 1 2)',
  ])('warns that %s can never fail', (source) => {
    expect(codes(source)).toEqual(['LISP_PREDICATE_CERTAIN']);
  });

  it('warns about values copied from the input, and gives their place instead of the value', () => {
    const [issue] = lintPredicate(programOf('(= (:city result) "Lisbon")'), {
      input: { trip: { to: ['Lisbon'] }, n: 1 },
    });
    expect(issue).toMatchObject({
      code: 'LISP_PREDICATE_HARDCODED',
      severity: 'warning',
      hint: expect.stringContaining('["trip" "to" 0]'),
    });
    expect(JSON.stringify(issue)).not.toContain('Lisbon');
    expect(codes('(= (:n result) 1)', { input: { n: 1 } })).toEqual([]);
  });

  it('warns about paths that are missing in the contract', () => {
    const hasPath: PredicateKnowledge['hasPath'] = (binding, path) =>
      binding === 'result' ? path[0] === 'price' : undefined;
    const found = lintPredicate(programOf('(= (:price result) (:cost result) (:x input))'), { hasPath });
    expect(found.map(({ code, message, place }) => [code, message, place?.column])).toEqual([
      ['LISP_PATH_UNKNOWN', 'data/result has no "cost" in its contract', 20],
    ]);
  });
});

describe('the paths that a program reads', () => {
  const paths = (source: string) =>
    referencedPaths(programOf(source)).map(({ binding, path }) => [binding, ...path].join('.'));

  it.each([
    ['(get data/results "fetch")', ['results.fetch']],
    ['(get-in data/results [:fetch :rows 0 "id"])', ['results.fetch.rows.0.id']],
    ['(-> data/results :fetch :rows first :id)', ['results.fetch.rows.0.id']],
    ['(:a (data/results :fetch))', ['results.fetch.a']],
    ['(let [{:keys [a] [x] :b} (:fetch data/results)] [a x])', ['results.fetch.a', 'results.fetch.b.0']],
    [
      '(let [r (:fetch data/results)] (map (fn [x] (+ x (:n r))) (:xs r)))',
      ['results.fetch', 'results.fetch.n', 'results.fetch.xs'],
    ],
    ['(count data/item)', ['item']],
    ['(get data/results data/item)', ['item', 'results']],
    ['(if (:a result) (:a result) (:b input))', ['result.a', 'input.b']],
    ['(+ 1 2)', []],
  ])('are found in %s', (source, wanted) => {
    expect(paths(source).sort()).toEqual([...wanted].sort());
  });

  it('have their places in the source', () => {
    expect(referencedPaths(programOf('(+ 1\n  (:n data/item))'))[0]?.place).toMatchObject({ line: 2, column: 3 });
  });
});

describe('the compile cache', () => {
  it('returns the same program for equal text and options', () => {
    const first = compileCached('(+ 1 data/x)', { bindings: ['x'] });
    expect(compileCached('(+ 1 data/x)', { bindings: ['x'] })).toBe(first);
    expect(compileCached('(+ 1 data/x)', { bindings: ['y'] }).ok).toBe(false);
    for (let i = 0; i < 600; i++) compileCached(`(+ 1 ${i})`);
    expect(compileCached('(+ 1 data/x)', { bindings: ['x'] })).not.toBe(first);
    expect(first.ok && run(first.value, { x: 1 })).toMatchObject({ value: 2 });
  });
});
