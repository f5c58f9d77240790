// The builders of schemas: each gives a JSON Schema and the TypeScript type of the values that the schema allows.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  anyOf,
  called,
  count,
  eitherOf,
  flag,
  json,
  jsonObject,
  list,
  loosely,
  map,
  marked,
  number,
  oneOf,
  only,
  optional,
  orNull,
  plain,
  record,
  reference,
  type Schema,
  type Static,
  text,
  typeName,
} from '../../src/base/builders.schema.ts';
import type { Json } from '../../src/base/json.ts';

interface Point {
  readonly x: number;
  readonly label?: string;
}

const point = called<Point>('Point', map({ x: number(), label: optional(text('Its name.')) }, 'A point.'));
const drawing = map({
  type: only('drawing'),
  points: list(point, 'Its points.'),
  first: reference<Point>('Point', 'point')('Where it begins.'),
  layers: record(count('How many points.')),
  color: oneOf(['red', 'blue']),
  size: eitherOf([count(), text()]),
  note: orNull(text()),
  tag: optional(anyOf([text(), flag()])),
  done: optional(marked('It is finished.')),
  more: optional(json()),
  style: optional(jsonObject('Its style.')),
  extra: optional(loosely<Point>('Point', { type: 'object' }, 'Another point.')),
});

/** The schema as other tools see it. */
const written = plain(drawing);

describe('a schema from the builders', () => {
  it('has the type of the values that it allows', () => {
    expectTypeOf<Static<typeof drawing>>().toEqualTypeOf<{
      readonly type: 'drawing';
      readonly points: readonly Point[];
      readonly first: Point;
      readonly layers: Readonly<Record<string, number>>;
      readonly color: 'red' | 'blue';
      readonly size: number | string;
      readonly note: string | null;
      readonly tag?: string | boolean;
      readonly done?: true;
      readonly more?: Json;
      readonly style?: { readonly [key: string]: Json };
      readonly extra?: Point;
    }>();
  });

  it('is plain JSON Schema that allows those values and no others', () => {
    const isDrawing = new Ajv2020({ allowUnionTypes: true }).compile({ ...written, $defs: { point } });
    const least = { type: 'drawing', points: [{ x: 1.5 }], first: { x: 0 }, layers: { a: 1 }, color: 'red', size: 2 };
    expect(isDrawing({ ...least, note: null })).toBe(true);
    expect(isDrawing({ ...least, note: 'n', tag: true, done: true, more: [1], style: {}, extra: {} })).toBe(true);
    expect(isDrawing(least)).toBe(false);
    expect(isDrawing({ ...least, note: null, shade: 1 })).toBe(false);
    expect(isDrawing({ ...least, note: null, layers: { a: -1 } })).toBe(false);
    expect(isDrawing({ ...least, note: null, done: false })).toBe(false);
    expect(isDrawing({ ...least, note: null, points: [{ x: 'left' }] })).toBe(false);
  });

  it('has descriptions, even beside a reference', () => {
    expect(written).toHaveProperty('properties.points.description', 'Its points.');
    expect(written).toHaveProperty('properties.first', { $ref: '#/$defs/point', description: 'Where it begins.' });
  });

  it('carries the name of its declared type, which its JSON does not show', () => {
    expect(Reflect.get(point, typeName)).toBe('Point');
    expect(written).toHaveProperty('properties.points.items', plain(point));
  });

  it('does not compile if it differs from its declared type', () => {
    // @ts-expect-error: the type allows a point without a label
    called<Point>('Point', map({ x: number(), label: text() }));
    // @ts-expect-error: the type allows no number as a label
    called<Point>('Point', map({ x: number(), label: optional(anyOf([text(), count()])) }));
    expectTypeOf(point).toEqualTypeOf<Schema<Point>>();
  });
});
