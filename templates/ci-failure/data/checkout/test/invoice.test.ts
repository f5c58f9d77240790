import { expect, it } from 'vitest';
import { invoiceTotal, printInvoice } from '../src/invoice.ts';
import { quote } from '../src/quote.ts';

const customer = { id: 'c1', parcelsLastYear: 150 };
const small = { grams: 4000, width: 10, height: 10, depth: 10 };
const large = { grams: 8000, width: 20, height: 20, depth: 10 };

it('adds up quotes for a regular customer', () => {
  const lines = [small, large].map((parcel) => ({ text: 'city', price: quote(parcel, 'DE', true, customer) }));
  expect(invoiceTotal(lines)).toBe(721);
});

it('prints one line for each parcel and the total', () => {
  expect(printInvoice([{ text: 'city', price: 290 }]).split('\n')).toEqual(['city: 2.90 EUR', 'Total: 2.90 EUR']);
});
