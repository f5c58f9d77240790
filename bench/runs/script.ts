// The answers of the model in measured runs: plans for products, and notes about regions.
import type { Script } from '../../src/llm/script.ts';
import { planOf } from './tables.ts';

/** An agent looks into the ledger first, then answers; every call has a cost. */
export function scriptFor(regions: readonly string[]): Script {
  const products = planOf({ table: 'products', regions, loose: false });
  return [
    {
      when: { contains: 'rank the products' },
      reply: {
        json: { rationale: 'first idea', steps: [{ name: 'guess', capability: 'table.guess', input: {} }] },
        usage: { input: 4_210, output: 88 },
      },
    },
    {
      when: { contains: 'rank the products' },
      reply: { json: products, usage: { input: 4_830, output: 2_240 } },
      times: 'always',
    },
    {
      when: { tool: 'ledger_look', notContains: 'Müller-Lüdenscheidt' },
      reply: {
        toolCalls: [{ name: 'ledger_look', arguments: { region: 'north' } }],
        usage: { input: 1_240, output: 96 },
      },
      times: 'always',
    },
    {
      reply: {
        json: { note: 'Half of the rows were booked by one clerk (Zoë Müller-Lüdenscheidt).', risk: 0.4 },
        usage: { input: 1_690, output: 212 },
      },
      times: 'always',
    },
  ];
}
