// Messages for people and planners: all problems at once, with place and suggestion.
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/lisp/program.ts';
import { run } from '../../src/lisp/run.ts';
import { outcomeOf } from './evaluate.ts';

function issuesOf(source: string, options: Parameters<typeof compile>[1] = {}) {
  const program = compile(source, options);
  return program.ok ? [] : program.error;
}

it.each([
  ['fuel', '(loop [] (recur))', {}],
  ['cells', '(vec (range 1000))', { cells: 100 }],
  ['source', '(+ 1 2)', { source: 3 }],
] as const)(
  'the hint of an error at the limit on %s names the template key that raises it',
  (limit, source, limits) => {
    const program = compile(source, { limits });
    const outcome = program.ok ? run(program.value, {}) : { ok: false as const, error: program.error[0] };
    expect(outcome).toMatchObject({
      ok: false,
      error: { hint: expect.stringContaining(`raise limits.lisp.${limit} `) },
    });
  },
);

describe('compile', () => {
  it('reports all unknown names and wrong argument counts in one pass', () => {
    const found = issuesOf('(do (lenght xs)\n  (inc 1 2)\n  (if))');
    expect(found.map(({ code, place }) => [code, place?.line, place?.column])).toEqual([
      ['LISP_UNBOUND', 1, 6],
      ['LISP_UNBOUND', 1, 13],
      ['LISP_ARITY', 2, 3],
      ['LISP_ARITY', 3, 3],
    ]);
  });

  it('gives the place in the surrounding document', () => {
    const place = { file: 'a.yaml', line: 10, column: 9, endLine: 11, endColumn: 20 };
    expect(issuesOf('(> foo\n  bar)', { place }).map((issue) => issue.place)).toEqual([
      { file: 'a.yaml', line: 10, column: 12, endLine: 10, endColumn: 15 },
      { file: 'a.yaml', line: 11, column: 3, endLine: 11, endColumn: 6 },
    ]);
  });

  it.each([
    ['(has-key? {} :a)', 'contains?'],
    ['(length [])', 'count'],
    ['(is-nil 1)', 'nil?'],
    ['(string-contains? "a" "b")', 'string/includes?'],
    ['(lambda [x] x)', 'fn'],
    ['null', 'nil'],
    ['(&& true true)', 'and'],
    ['(println 1)', 'print'],
    ['(try 1)', 'fail'],
    ['(date/now)', 'clock'],
    ['(frequences [])', 'frequencies'],
    ['(string/jion [])', 'string/join'],
    ['(let [price 1] (+ pricee 1))', 'price'],
    ['(defn total [] 1) (totl)', 'total'],
    ['(f 1) (defn f [x] x)', 'further down'],
    ['(map if [1])', 'call it as (if'],
  ])('suggests the equivalent of %s', (source, word) => {
    expect(issuesOf(source)[0]?.hint).toContain(word);
  });

  it.each([
    ['(> data.input 3)', 'did you mean "data/input"?'],
    ['(> data.input.amount 3)', 'fields are read with get: (get data/input "amount")'],
    ['(> input.order.amount 3)', 'fields are read with get-in: (get-in data/input ["order" "amount"])'],
  ])('suggests data/NAME for %s', (source, hint) => {
    expect(issuesOf(source, { bindings: ['result', 'input'] })[0]).toMatchObject({ code: 'LISP_UNBOUND', hint });
  });

  it('lists the names of the data in the hint for an unknown one', () => {
    expect(issuesOf('data/reslt', { bindings: ['result', 'input'] })[0]).toMatchObject({
      code: 'LISP_UNBOUND',
      hint: 'did you mean "data/result"?',
    });
    expect(issuesOf('data/other', { bindings: ['result', 'input'] })[0]?.hint).toBe(
      'there are data/result, data/input',
    );
    expect(issuesOf('data', { bindings: [] })[0]?.code).toBe('LISP_UNBOUND');
    expect(issuesOf('result', { bindings: ['result'] })[0]?.hint).toBeDefined();
  });

  it('accepts the names of data without data/ when the options allow it', () => {
    const program = compile('(> (:price result) (let [input 3] input))', {
      bindings: ['result', 'input'],
      aliases: ['result', 'input'],
    });
    if (!program.ok) throw new Error('compiles');
    expect(program.value.bindings).toEqual(['result']);
    expect(run(program.value, { result: { price: 4 } })).toMatchObject({ ok: true, value: true });
  });

  it.each([
    ['(+ 1', 1, 1, 'add ")"'],
    ['(+ 1]', 1, 5, undefined],
    ['"abc', 1, 1, 'closing'],
    ['(a\n  @b)', 2, 3, 'leave the @ out'],
    ['{:a}', 1, 1, 'even'],
    ['', 1, 1, 'write one'],
  ])('reports the place of the error in %s', (source, line, column, hint) => {
    const [issue] = issuesOf(source);
    expect(issue).toMatchObject({ code: 'LISP_PARSE', place: { line, column } });
    if (hint !== undefined) expect(issue?.hint).toContain(hint);
  });
});

describe('run', () => {
  it('reports the place and the expression that failed', () => {
    expect(outcomeOf('(let [x nil]\n  (str "a"\n    (+ 1 x)))')).toMatchObject({
      ok: false,
      error: {
        code: 'LISP_TYPE',
        family: 'type',
        line: 3,
        column: 5,
        form: '(+ 1 x)',
        hint: expect.stringContaining('missing'),
      },
    });
  });

  it('names the failing builtin, not the function that it called before', () => {
    expect(outcomeOf('(sort-by (fn [x] (identity x)) [1 :a])')).toMatchObject({
      ok: false,
      error: { line: 1, column: 1 },
    });
  });

  it('gives the place in the surrounding document', () => {
    const place = { file: 'a.yaml', line: 5, column: 3, endLine: 5, endColumn: 9 };
    const program = compile('(/ 1 0)', { place });
    if (!program.ok) throw new Error('compiles');
    expect(run(program.value, {})).toMatchObject({
      ok: false,
      error: {
        code: 'LISP_ARITHMETIC',
        line: 1,
        column: 1,
        place: { file: 'a.yaml', line: 5, column: 3, endColumn: 10 },
      },
    });
  });

  it('never shows values of the data', () => {
    for (const source of [
      '(+ 1 data/x)',
      '(data/x 1)',
      '(parse-long [data/x])',
      '(date/add data/x 1)',
      '(compare data/x 1)',
      '(format "%d" data/x)',
      '(keyword data/x data/x data/x)',
    ])
      expect(JSON.stringify(compileAndRun(source, 's3cret'))).not.toContain('s3cret');
  });

  it('shortens long expressions', () => {
    const outcome = outcomeOf(`(+ nil ${'1 '.repeat(200)})`);
    expect(!outcome.ok && outcome.error.form?.length).toBe(80);
  });
});

function compileAndRun(source: string, x: string): unknown {
  const program = compile(source);
  return program.ok ? run(program.value, { x }) : program;
}
