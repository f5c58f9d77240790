// The registry: one capability per name, and only what was granted.
import { describe, expect, test } from 'vitest';
import { type Capability, defineCapability } from '../../src/capabilities/capability.ts';
import { createRegistry, type Registry } from '../../src/capabilities/registry.ts';

const named = (name: string): Capability =>
  defineCapability({ name, description: name, effects: ['pure'], run: () => null });

function registryOf(...names: string[]): Registry {
  const registry = createRegistry(names.map(named));
  if (!registry.ok) throw new Error(JSON.stringify(registry.error));
  return registry.value;
}

describe('a registry', () => {
  test('finds capabilities by name, and declares them sorted by name', () => {
    const registry = registryOf('csv.sniff', 'csv.read');
    expect(registry.get('csv.sniff')?.declaration.name).toBe('csv.sniff');
    expect(registry.get('constructor')).toBeUndefined();
    expect(Object.keys(registry.declarations())).toEqual(['csv.read', 'csv.sniff']);
  });

  test('refuses two capabilities with one name, but accepts the same one twice', () => {
    const one = named('a.b');
    expect(createRegistry([one, one])).toMatchObject({ ok: true });
    expect(createRegistry([one, named('a.b'), named('c')])).toMatchObject({
      ok: false,
      error: [{ code: 'CAPABILITY_DUPLICATE', message: 'two capabilities are named "a.b"' }],
    });
  });

  test('refuses a capability with an invalid declaration', () => {
    expect(createRegistry([named('Not A Name')])).toMatchObject({
      ok: false,
      error: [{ code: 'CAPABILITY_NAME_INVALID' }],
    });
  });

  test('refuses unknown capabilities and those that are not granted', () => {
    const registry = registryOf('files.list', 'files.read', 'shell.run');
    const grant = { allow: ['files.*'], deny: ['files.read'] };
    expect(registry.granted('files.list', grant)).toMatchObject({ ok: true });
    expect(registry.granted('files.read', grant)).toMatchObject({ error: [{ code: 'CAPABILITY_NOT_GRANTED' }] });
    expect(registry.granted('shell.run', grant)).toMatchObject({ error: [{ code: 'CAPABILITY_NOT_GRANTED' }] });
    expect(registry.granted('files.lst', grant)).toMatchObject({
      error: [{ code: 'CAPABILITY_UNKNOWN', hint: 'did you mean "files.list"?' }],
    });
  });
});
