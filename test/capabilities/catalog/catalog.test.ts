// Rules for every capability of the catalog.

import { describe, expect, test } from 'vitest';
import { shownCost } from '../../../src/capabilities/call-cost.ts';
import { defineCapability } from '../../../src/capabilities/capability.ts';
import { byNameOnly, catalog } from '../../../src/capabilities/catalog/catalog.ts';
import { createRegistry } from '../../../src/capabilities/registry.ts';
import { isMutating } from '../../../src/contract/declaration.ts';

test('the catalog makes a registry', () => {
  expect(createRegistry([...catalog, ...byNameOnly])).toMatchObject({ ok: true });
});

const all = [...catalog, ...byNameOnly].map(({ declaration }) => declaration);

describe.each(all.map((declaration) => [declaration.name, declaration] as const))('%s', (_, declaration) => {
  test('describes itself and its input in one line', () => {
    expect(declaration.description).toMatch(/^[A-Z][^\n]{20,140}\.$/);
    expect(declaration.input).toMatchObject({ type: 'object', additionalProperties: false });
    expect(declaration.effects).not.toEqual([]);
  });

  // Runs do not look: they trust the catalog.
  test('has a valid declaration', () => {
    expect(defineCapability({ ...declaration, cost: shownCost(declaration.cost), run: () => null }).issues).toEqual([]);
  });
});

test('everything granted with the catalog may be called again after a crash', () => {
  const risky = catalog.map(({ declaration }) => declaration).filter(isMutating);
  expect(risky.filter(({ repeat }) => repeat === undefined)).toEqual([]);
  expect(risky.map(({ name, effects }) => `${name}: ${effects.join(' ')}`)).toEqual([
    'files.write: filesystem',
    'sql.execute: filesystem',
    'persist.put: filesystem',
    'persist.append: filesystem',
    'persist.delete: delete',
    'http.download: network filesystem',
    'http.request: network write',
    'http.delete: network delete',
    'emit.webhook: network write',
  ]);
});

test('capabilities that only read or compute may be repeated', () => {
  expect(all.filter((each) => !isMutating(each) && each.repeat !== 'safe')).toEqual([]);
});
