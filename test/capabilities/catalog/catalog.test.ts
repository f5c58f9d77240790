// What holds of every capability of the catalog.
import { describe, expect, test } from 'vitest';
import { catalog } from '../../../src/capabilities/catalog/catalog.ts';
import { createRegistry } from '../../../src/capabilities/registry.ts';
import { riskyEffects } from '../../../src/contract/declaration.ts';

test('the catalog makes a registry', () => {
  expect(createRegistry(catalog)).toMatchObject({ ok: true });
});

describe.each(catalog.map(({ declaration }) => [declaration.name, declaration] as const))('%s', (_, declaration) => {
  test('says in one line what it does, and what it takes', () => {
    expect(declaration.description).toMatch(/^[A-Z][^\n]{20,140}\.$/);
    expect(declaration.input).toMatchObject({ type: 'object', additionalProperties: false });
  });

  test('changes nothing that must not be changed twice', () => {
    expect(declaration.effects).not.toEqual([]);
    expect(declaration.effects.filter((effect) => riskyEffects.has(effect))).toEqual([]);
    expect(declaration.repeat).toBe('safe');
  });
});
