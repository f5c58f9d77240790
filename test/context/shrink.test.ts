// The guarantees of shrinking for every value and contract, and the form of each kind of value.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { sizeOf } from '../../src/context/shrink/view.ts';
import { resultView } from '../../src/context/shrink.ts';
import { record } from './results.ts';
import { within } from './within.ts';

const room = fc.nat(4_000);

function shrink(
  value: Json,
  allowance: number,
  schema?: JsonObject,
  settings: { keep?: string[]; sample?: number } = {},
) {
  const about = { id: 's', name: 's', attempt: 1, status: 'completed', ...(schema === undefined ? {} : { schema }) };
  return resultView({ ...about, ...settings }, value).show(allowance);
}

function shown(value: Json, allowance: number, schema?: JsonObject): JsonObject {
  const found = shrink(value, allowance, schema);
  if (!isJsonObject(found)) throw new Error('a map was expected');
  return found;
}

describe('any result', () => {
  it('is never larger than it was, nor larger than its room', () => {
    fc.assert(
      fc.property(record, room, (step, allowance) => {
        const { result = null } = step;
        const view = resultView(step, result);
        const size = sizeOf(view.show(allowance));
        expect(size).toBeLessThanOrEqual(sizeOf(result));
        expect(size).toBeLessThanOrEqual(Math.max(allowance, view.least));
        expect(view.least).toBeLessThanOrEqual(view.most);
        expect(view.kept).toBeLessThanOrEqual(view.most);
        expect(view.most).toBe(sizeOf(result));
      }),
      { numRuns: 500 },
    );
  });

  it('shows no less in more room', () => {
    fc.assert(
      fc.property(record, room, room, (step, one, other) => {
        const view = resultView(step, step.result ?? null);
        const small = view.show(Math.min(one, other));
        const large = view.show(Math.max(one, other));
        expect(within(small, large), `${JSON.stringify(small)}\n${JSON.stringify(large)}`).toBe(true);
      }),
      { numRuns: 800 },
    );
  });

  it('is shown the same way each time', () => {
    fc.assert(
      fc.property(record, room, (step, allowance) => {
        const again = JSON.parse(JSON.stringify(step)) as typeof step;
        expect(resultView(again, again.result ?? null).show(allowance)).toEqual(
          resultView(step, step.result ?? null).show(allowance),
        );
      }),
    );
  });

  it('is itself when there is room for it', () => {
    fc.assert(
      fc.property(record, (step) => {
        const { result = null } = step;
        expect(resultView(step, result).show(sizeOf(result))).toBe(result);
      }),
    );
  });

  it('tells what was left out', () => {
    fc.assert(
      fc.property(record, room, (step, allowance) => {
        const { result = null } = step;
        const found = resultView(step, result).show(allowance);
        if (found !== result && JSON.stringify(found) !== JSON.stringify(result)) {
          expect(JSON.stringify(found)).toMatch(/\$(count|keys|more|text|cut|list|map)/);
        }
      }),
    );
  });
});

describe('fields', () => {
  const files = Array.from({ length: 30 }, (_, at) => ({ path: `data/${at}.csv`, bytes: at * 100 }));
  const noise = 'Nothing much to see here. '.repeat(200);

  it('are shown whole with x-keep before any other gets room', () => {
    const schema = { properties: { noise: {}, files: { 'x-keep': true } }, required: ['noise'] };
    expect(shown({ noise, files }, sizeOf(files) + 40, schema)).toEqual({ files, $more: 1 });
    expect(shown({ noise, files }, sizeOf(files) + 80, schema)).toEqual({ noise: '$text(5200)', files });
  });

  it('are shown whole at any depth when the step keeps them by name', () => {
    const value = { deep: { er: { files, noise } }, noise };
    const found = shrink(value, sizeOf(files) + 120, undefined, { keep: ['files'] });
    expect(found).toMatchObject({ deep: { er: { files } } });
  });

  it('get room by rank: required, then declared, then undeclared', () => {
    const names = ['extra', 'named', 'needed'];
    const value = Object.fromEntries(names.map((name) => [name, noise]));
    const schema = { properties: { named: {}, needed: {} }, required: ['needed'] };
    const shownIn = (allowance: number) => Object.keys(shown(value, allowance, schema));
    expect(shownIn(45)).toEqual(['needed', '$more']);
    expect(shownIn(70)).toEqual(['named', 'needed', '$more']);
    expect(shownIn(110)).toEqual(names);
  });

  it('appear as soon as the outlines of all required ones fit', () => {
    fc.assert(
      fc.property(record, room, (step, allowance) => {
        const { result = null, schema } = step;
        const required = Array.isArray(schema?.required) ? (schema.required as string[]) : [];
        if (!isJsonObject(result) || required.length === 0 || step.keep !== undefined) return;
        const found = resultView(step, result).show(allowance);
        if (!isJsonObject(found) || found.$keys !== undefined) return;
        const missing = required.filter((name) => Object.hasOwn(result, name) && !Object.hasOwn(found, name));
        const kept = Object.entries(schema?.properties ?? {}).filter(
          ([, hints]) => isJsonObject(hints) && hints['x-keep'],
        );
        const optional = Object.keys(found).filter((name) => !required.includes(name) && name !== '$more');
        if (missing.length > 0) expect(optional.filter((name) => !kept.some(([keep]) => keep === name))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('get more of the room with x-weight', () => {
    const schema = { properties: { light: {}, heavy: { 'x-weight': 5 } } };
    const { light, heavy } = shown({ light: noise, heavy: noise }, 1_500, schema);
    expect(String(heavy).length).toBeGreaterThan(3 * String(light).length);
  });
});

describe('lists', () => {
  const orders = Array.from({ length: 100 }, (_, at) => ({
    id: `ord-${String(at).padStart(3, '0')}`,
    at: `2026-01-${String((at % 28) + 1).padStart(2, '0')}`,
    state: at === 61 ? 'disputed' : at % 3 === 0 ? 'open' : 'paid',
    express: at % 4 === 0,
    total: at === 40 ? 99_000 : 10 + (at % 5),
    lines: [at],
  }));

  it('become a count, columns, and a sample with outliers, when their items are maps', () => {
    const found = shown(orders, 1_800);
    expect(found).toMatchObject({
      $count: 100,
      id: { $min: 'ord-000', $max: 'ord-099', $distinct: 100 },
      at: { $min: '2026-01-01', $max: '2026-01-28', $distinct: 28 },
      state: { $counts: { paid: 65, open: 34, disputed: 1 } },
      express: { $counts: { false: 75, true: 25 } },
      total: { $counts: { 11: 20, 99000: 1 } },
      lines: { $items: 100 },
      'lines.*': { $min: 0, $median: 49.5, $max: 99, $sum: 4_950 },
    });
    expect(found.$sample).toEqual(expect.arrayContaining([orders[0], orders[40], orders[61]]));
  });

  it('show as many items as x-sample says, or as the step says without x-sample', () => {
    expect(shown(orders, 3_000, { 'x-sample': 2 }).$sample).toHaveLength(2);
    expect(shown(orders, 3_000, { 'x-sample': 0 })).not.toHaveProperty('$sample');
    expect(shrink(orders, 3_000, undefined, { sample: 4 })).toMatchObject({ $sample: { length: 4 } });
  });

  it('become figures for numbers, counts for choices, and a distinct count for prose', () => {
    const numbers = Array.from({ length: 60 }, (_, at) => at + 1);
    expect(shown(numbers, 80)).toMatchObject({ $count: 60, $min: 1, $median: 30.5, $max: 60, $sum: 1_830 });
    const states = Array.from({ length: 60 }, (_, at) => (at % 4 === 0 ? 'bad' : 'good'));
    expect(shown(states, 80)).toMatchObject({ $count: 60, $counts: { good: 45, bad: 15 } });
    const notes = Array.from({ length: 20 }, (_, at) => `A remark about this and that, number ${at}.`);
    expect(shown(notes, 80)).toMatchObject({ $count: 20, $distinct: 20 });
  });

  it('are summed up as x-summary says', () => {
    const numbers = Array.from({ length: 60 }, (_, at) => at % 7);
    const as = (summary: string) => shown(numbers, 90, { items: { 'x-summary': summary } });
    expect(as('range')).toMatchObject({ $min: 0, $max: 6, $distinct: 7 });
    expect(as('distinct')).toMatchObject({ $distinct: 7 });
    expect(as('top')).toMatchObject({ $counts: { 0: 9, 3: 9, 4: 8 } });
    expect(as('count')).toMatchObject({ $present: 60 });
  });

  it('keep the places of their items when they are short', () => {
    const long = 'One sentence says it all. '.repeat(20);
    const found = shrink([1, long, { note: long }], 200);
    expect(found).toMatchObject([
      1,
      expect.stringMatching(/^One .*\[\$cut: 520 characters\]$/),
      { note: expect.any(String) },
    ]);
  });
});

describe('maps of many keys', () => {
  it('become a count, their columns and a sample under its keys', () => {
    const value = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`host-${at}`, { load: at === 150 ? 90 : at % 3, up: at !== 17 }]),
    );
    const found = shown(value, 500);
    expect(found).toMatchObject({
      $keys: 200,
      load: { $counts: { 0: 66, 1: 67, 2: 66, 90: 1 } },
      up: { $counts: { true: 199, false: 1 } },
    });
    expect(found.$sample).toMatchObject({
      'host-0': value['host-0'],
      'host-150': value['host-150'],
      'host-17': value['host-17'],
    });
  });
});

describe('long text', () => {
  it('is cut at the end of a sentence, with its length', () => {
    const text = `The first thing is short. The second one is a little longer. ${'More of it follows. '.repeat(30)}`;
    expect(shrink(text, 65)).toBe(`The first thing is short. [$cut: ${text.length} characters]`);
    expect(shrink(text, 100)).toBe(
      `The first thing is short. The second one is a little longer. [$cut: ${text.length} characters]`,
    );
    expect(shrink(text, 20)).toBe(`$text(${text.length})`);
  });

  it('keeps its last sentences when there is room for more than its beginning', () => {
    const text = `It began well. ${'Then this and that happened. '.repeat(60)}In the end it failed.`;
    const found = String(shrink(text, 700));
    expect(found).toMatch(/^It began well\. Then .* \[\$cut: \d+ characters\] Then .* In the end it failed\.$/);
    expect(String(shrink(text, 300))).toMatch(/characters\]$/);
  });

  it('is cut between words when it has no sentences, and never inside a character', () => {
    expect(shrink('word '.repeat(200), 400)).toMatch(/^(word )+\[\$cut: 1000 characters\]$/);
    expect(shrink('😀'.repeat(300), 1_100)).toMatch(/^(😀)+ \[\$cut: 600 characters\]$/u);
  });
});

describe('a value that was shrunk before', () => {
  const orders = Array.from({ length: 80 }, (_, at) => ({
    id: at,
    state: at % 2 === 0 ? 'open' : 'paid',
    note: 'n'.repeat(at),
  }));
  const text = `It began. ${'Then more happened. '.repeat(80)}It ended.`;

  it('keeps the original size, however often it is shrunk', () => {
    const once = shrink({ orders, text, one: 1, two: 2 }, 1_200);
    const twice = shrink(once, 500);
    expect(twice).toMatchObject({
      orders: { $count: 80 },
      text: expect.stringContaining(`[$cut: ${text.length} characters]`),
    });
    expect(shrink(twice, 120)).toMatchObject({
      orders: { $count: 80 },
      text: expect.stringContaining(String(text.length)),
    });
  });

  it('adds newly dropped fields to the count of dropped fields', () => {
    const value = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`field_${at}`, 'x'.repeat(60)]));
    const { $more: first } = shown(value, 800);
    const { $more: second, ...left } = shown(shown(value, 800), 400);
    expect(Number(second)).toBeGreaterThan(Number(first));
    expect(Object.keys(left).length + Number(second)).toBe(20);
    expect(shown(shown(value, 800), 15)).toEqual({ $keys: 20 });
  });

  it('never grows, and shows no less in more room', () => {
    fc.assert(
      fc.property(record, room, room, room, (step, first, one, other) => {
        const once = resultView(step, step.result ?? null).show(first);
        const view = resultView(step, once);
        const small = view.show(Math.min(one, other));
        const large = view.show(Math.max(one, other));
        expect(sizeOf(large)).toBeLessThanOrEqual(sizeOf(once));
        expect(sizeOf(small)).toBeLessThanOrEqual(Math.max(Math.min(one, other), view.least));
        expect(within(small, large), `${JSON.stringify(small)}\n${JSON.stringify(large)}`).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
