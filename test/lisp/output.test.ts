// Output is counted while it is written: shared parts count each time, and a limit ends it.
import { describe, expect, it } from 'vitest';
import { deadlineFrom } from '../../src/lisp/deadline.ts';
import { compile } from '../../src/lisp/program.ts';
import { run } from '../../src/lisp/run.ts';
import { ednOutcome, toEdn, toJson } from '../../src/lisp/to-json.ts';
import type { Value } from '../../src/lisp/value.ts';

function resultOf(source: string, data: Readonly<Record<string, unknown>> = {}): Value {
  const program = compile(source);
  const outcome = program.ok ? run(program.value, data) : undefined;
  if (!outcome?.ok) throw new Error(`${source} has no value`);
  return outcome.value;
}

const shared: readonly string[] = [
  '(reduce (fn [a b] [a a]) [] (range 40))',
  '(repeat 1000 (repeat 1000 (repeat 1000 1)))',
  '(reduce (fn [m _] {:a m :b m}) {} (range 60))',
  '(let [s (apply str (repeat 1000 "abcdefghij"))] (repeat 10000 s))',
  '(let [k (keyword (apply str (repeat 1000 "abcdefghij")))] (repeat 10000 {k 1}))',
  '(repeat 10000 data/rows)',
];
const data = { rows: Array.from({ length: 2_000 }, (_, i) => ({ id: i })) };

describe('a value with shared parts', () => {
  it.each(shared)('is an error beyond the limit on output: %s', (source) => {
    const value = resultOf(source, data);
    const error = { code: 'LISP_LIMIT', message: expect.stringContaining('10000000 characters') };
    const refused = { ok: false, error };
    expect(toJson(value)).toMatchObject(refused);
    expect(ednOutcome(value)).toMatchObject(refused);
    expect(toEdn(value)).toBe('#unreadable');
  });

  it('is written when it fits the limit', () => {
    expect(toJson(resultOf('(let [a [1 {:b 2}]] [a a])'))).toMatchObject({
      ok: true,
      value: [
        [1, { b: 2 }],
        [1, { b: 2 }],
      ],
    });
  });

  it('is an error beyond a smaller limit of the caller, with a hint', () => {
    const outcome = toJson(resultOf('(range 100)'), { limits: { output: 100 } });
    expect(outcome).toMatchObject({
      error: { code: 'LISP_LIMIT', hint: expect.stringContaining('limits.lisp.output') },
    });
  });

  it('costs fuel when it is a key, is compared or is printed', () => {
    for (const source of [
      '(let [s (apply str (repeat 1000 "abcdefghij"))] (hash-set (repeat 1000 s)))',
      '(let [v (reduce (fn [a b] [a a]) [] (range 40)) w (reduce (fn [a b] [a a]) [] (range 40))] (= v w))',
      '(let [v (reduce (fn [a b] [a a]) [] (range 40)) w (reduce (fn [a b] [a a]) [] (range 40))] (compare v w))',
      '(pr-str (reduce (fn [a b] [a a]) [] (range 40)))',
      '(json/write (reduce (fn [a b] {:a a :b a}) {} (range 40)))',
    ]) {
      const program = compile(source);
      expect(program.ok && run(program.value, {}), source).toMatchObject({ ok: false, error: { family: 'limit' } });
    }
  });
});

describe('host data', () => {
  it('is written unchanged, without conversion to Lisp values', () => {
    const x = { list: [1, [2, { a: null }]], text: 'é', '': true };
    expect(toJson(resultOf('data/x', { x }))).toMatchObject({ ok: true, value: x });
    expect(toJson(resultOf('(rest (:list data/x))', { x }))).toMatchObject({ ok: true, value: [[2, { a: null }]] });
  });

  it('stays data under a key named __proto__', () => {
    const x = JSON.parse('{"__proto__": {"polluted": 1}}');
    const json = toJson(resultOf('data/x', { x }));
    expect(json.ok && JSON.stringify(json.value)).toBe('{"__proto__":{"polluted":1}}');
  });
});

describe('the deadline', () => {
  const ticking = (step: number) => {
    let time = 0;
    return () => (time += step);
  };

  it('is one instant for compiling, running and printing', () => {
    const time = deadlineFrom(ticking(1), { deadline: 40 });
    const program = compile('(repeat 300000 1)', { limits: { fuel: 1e6 }, ...time });
    const outcome = program.ok ? run(program.value, {}, time) : undefined;
    expect(outcome?.ok).toBe(true);
    const late = outcome?.ok ? toJson(outcome.value, { ...time, limits: { deadline: 40 } }) : undefined;
    expect(late).toMatchObject({ ok: false, error: { code: 'LISP_LIMIT', message: expect.stringContaining('40 ms') } });
  });

  it('ends a long compilation', () => {
    const patterns = Array.from({ length: 200 }, (_, i) => `#"${i}x{50}"`).join(' ');
    expect(compile(`(do ${patterns})`).ok).toBe(true);
    expect(compile(`(do ${patterns})`, deadlineFrom(ticking(1_000), {}))).toMatchObject({
      ok: false,
      error: [{ code: 'LISP_LIMIT' }],
    });
  });
});
