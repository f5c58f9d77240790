// The data for every engine, and the values that all must give.
import type { Data, ExpressionName } from './engine.ts';

const ITEMS = 1_000;

const small: Data = {
  result: { title: 'a chair', price: 12, currency: 'EUR', rows: [{ id: 1 }, { id: 2 }, { id: 3 }] },
  depends: { fetch: { count: 3 } },
};

const large: Data = {
  result: { items: Array.from({ length: ITEMS }, (_, i) => ({ id: i, name: `item ${i}`, price: (i * 37) % 101 })) },
  depends: {},
};

export const inputs: Readonly<Record<ExpressionName, Data>> = { p1: small, p2: small, p3: small, p4: large };

export const answers: Readonly<Record<ExpressionName, unknown>> = {
  p1: true,
  p2: true,
  p3: 'expected 10 rows, found 3',
  p4: Array.from({ length: ITEMS }, (_, i) => (i * 37) % 101).reduce((sum, price) => sum + price, 0),
};
