// Universal rules: no program throws or overspends, runs repeat exactly, printed values read back.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtinNames } from '../../src/lisp/builtins.ts';
import { compile } from '../../src/lisp/program.ts';
import { run } from '../../src/lisp/run.ts';
import { specialForms } from '../../src/lisp/special-forms.ts';
import { toEdn, toJson } from '../../src/lisp/to-json.ts';
import { outcomeOf } from './evaluate.ts';

const limits = { fuel: 3_000, cells: 100_000, text: 10_000 };
const data = { x: { a: [1, 2, { b: 'c' }], n: 3 } };

const atom = fc.oneof(
  fc.integer({ min: -20, max: 20 }).map(String),
  fc.constantFrom(
    'nil',
    'true',
    'false',
    '1.5',
    '##Inf',
    '##NaN',
    '"a b"',
    '""',
    ':a',
    ':b',
    "'s",
    '\\c',
    '#"a+"',
    'data/x',
    '(range)',
    '(sorted-map 1 2)',
  ),
);
const head = fc.constantFrom(...builtinNames(), ...specialForms.map((form) => form.name));
const { form } = fc.letrec<{ form: string }>((tie) => ({
  form: fc.oneof(
    { maxDepth: 4 },
    atom,
    fc.tuple(head, fc.array(tie('form'), { maxLength: 4 })).map(([name, args]) => `(${[name, ...args].join(' ')})`),
    fc.array(tie('form'), { maxLength: 3 }).map((items) => `[${items.join(' ')}]`),
    fc
      .array(tie('form'), { maxLength: 2 })
      .map((items) => `{${items.flatMap((item, i) => [`:k${i}`, item]).join(' ')}}`),
    tie('form').map((body) => `(fn [a & more] ${body})`),
    tie('form').map((body) => `#(do % ${body})`),
    fc.tuple(tie('form'), tie('form')).map(([value, body]) => `(let [v ${value} {:keys [a] :as m} v] ${body})`),
    fc.tuple(tie('form'), tie('form')).map(([f, xs]) => `(map ${f} ${xs})`),
  ),
}));

/** The outcome of a program in comparable form. */
function endOf(source: string): string {
  const program = compile(source, { limits });
  if (!program.ok) {
    expect(program.error.length).toBeGreaterThan(0);
    for (const issue of program.error) expect(issue.code).toMatch(/^LISP_[A-Z_]+$/);
    return JSON.stringify(program.error);
  }
  const outcome = run(program.value, data);
  if (!outcome.ok) {
    expect(outcome.error.code).toMatch(/^LISP_[A-Z_]+$/);
    expect(outcome.error.message).not.toContain('could not be read');
    expect(outcome.error.message).not.toContain("host's stack");
    return JSON.stringify(outcome.error);
  }
  expect(outcome.fuel).toBeLessThanOrEqual(limits.fuel);
  toJson(outcome.value);
  return `${outcome.fuel} ${toEdn(outcome.value)}`;
}

describe('any program', () => {
  it('ends in the same value or coded error each time when well formed', () => {
    fc.assert(
      fc.property(form, (source) => {
        // Functions are printed without an address, so that outcomes are comparable.
        expect(endOf(source)).toBe(endOf(source));
      }),
      { numRuns: 3_000 },
    );
  });

  it('ends in a value or a coded error when made of random brackets and words', () => {
    const token = fc.oneof(
      fc.constantFrom(
        '(',
        ')',
        '[',
        ']',
        '{',
        '}',
        '#{',
        '#(',
        "'",
        '#_',
        '^',
        '%',
        '&',
        '@',
        '`',
        '~',
        '"',
        '\\',
        '##',
        '#"',
        ';',
      ),
      head,
      atom,
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 30 }), (tokens) => {
        endOf(tokens.join(' '));
      }),
      { numRuns: 2_000 },
    );
  });

  it('ends in a value or a coded error when made of random text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (source) => {
        endOf(source);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('any JSON', () => {
  it('passes through unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (x) => {
        const outcome = outcomeOf('data/x', { x });
        const json = outcome.ok ? toJson(outcome.value) : undefined;
        expect(json?.ok && JSON.stringify(json.value)).toBe(JSON.stringify(x));
      }),
      { seed: 7 },
    );
  });

  it('reads back from its EDN', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (x) => {
        const printed = outcomeOf('(pr-str data/x)', { x });
        const text = printed.ok && typeof printed.value === 'string' ? printed.value : '';
        const equal = outcomeOf(`(= data/x (quote ${text}))`, { x });
        expect(equal.ok && equal.value).toBe(true);
      }),
      { seed: 7 },
    );
  });

  it('equals itself, is found as a key, and is written like the host writes it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (x) => {
        const source =
          '[(= data/x data/y) (contains? (hash-set data/x) data/y) (= data/x (json/parse (json/write data/x)))]';
        const outcome = outcomeOf(source, { x, y: structuredClone(x) });
        expect(outcome.ok && toEdn(outcome.value)).toBe('[true true true]');
      }),
      { seed: 7 },
    );
  });
});

describe('collections', () => {
  it('sort, reverse and split like arrays', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 40 }), fc.nat({ max: 45 }), (xs, n) => {
        const outcome = outcomeOf(
          '[(sort data/xs) (reverse data/xs) (take data/n data/xs) (drop data/n data/xs) (reduce + data/xs) (count (distinct data/xs))]',
          { xs, n },
        );
        const json = outcome.ok ? toJson(outcome.value) : undefined;
        const sum = xs.reduce((a, b) => a + b, 0);
        expect(json?.ok && json.value).toEqual([
          xs.toSorted((a, b) => a - b),
          xs.toReversed(),
          xs.slice(0, n),
          xs.slice(n),
          sum,
          new Set(xs).size,
        ]);
      }),
      { seed: 7 },
    );
  });

  it('keep the content of older versions while newer ones grow', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 20 }), fc.nat({ max: 5 })), { maxLength: 30 }), (steps) => {
        // Each step adds a key to one of the versions; a plain copy gives the expected content.
        const versions: Record<string, number>[] = [{}];
        for (const [from, key] of steps)
          versions.push({ ...versions[from % versions.length], [`k${key}`]: versions.length });
        const source =
          '(reduce (fn [vs [from key]] (conj vs (assoc (nth vs (mod from (count vs))) (str "k" key) (count vs)))) [{}] data/steps)';
        const outcome = outcomeOf(source, { steps });
        const json = outcome.ok ? toJson(outcome.value) : undefined;
        expect(json?.ok && json.value).toEqual(versions);
      }),
      { seed: 7 },
    );
  });
});
