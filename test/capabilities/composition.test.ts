// Compositions: checked end to end before they run, and then one capability like any other.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { callCapability } from '../../src/capabilities/call.ts';
import { type Capability, capabilityOf, defineCapability } from '../../src/capabilities/capability.ts';
import { CapabilityError } from '../../src/capabilities/capability-error.ts';
import { byNameOnly, catalog } from '../../src/capabilities/catalog/catalog.ts';
import { compose } from '../../src/capabilities/composition.ts';
import { type CompositionSpec, readComposition } from '../../src/template/keys/composition.ts';
import { contextIn, failureFrom, folderWith, resultFrom } from './workbench.ts';

const asking = defineCapability({
  name: 'person.ask',
  description: 'Asks somebody.',
  effects: ['read'],
  asks: true,
  run: (_, { clarify }) => clarify('Well?'),
});
const wrong = defineCapability({
  name: 'data.wrong',
  description: 'Answers what it does not promise.',
  output: '{n :int}',
  effects: ['compute'],
  run: () => ({ n: 0.5 }),
});
const keys: string[] = [];
const pay = defineCapability({
  name: 'pay.send',
  description: 'Pays.',
  effects: ['write'],
  repeat: 'keyed',
  cost: { seconds: 0.01, usd: 0.000007 },
  run: (_, { idempotencyKey }) => {
    keys.push(idempotencyKey);
    return { paid: true };
  },
});
/** As an MCP tool fails whose server is out of reach, or whose connection breaks off. */
const failing = (name: string, effect: 'read' | 'write', fate: 'refused' | 'unknown') =>
  capabilityOf({ name, description: name, effects: [effect], tags: [], cost: {}, repeat: 'never' }, () => {
    throw new CapabilityError('MCP_CONNECTION_LOST', 'no connection', { fate });
  });
const broken = failing('net.broken', 'read', 'unknown');
const lost = failing('net.lost', 'write', 'unknown');
const unsent = failing('net.unsent', 'write', 'refused');
const erase = capabilityOf(
  {
    name: 'disk.erase',
    description: 'Erases.',
    effects: ['write', 'delete'],
    approval: 'each',
    tags: ['mcp'],
    cost: {},
  },
  () => ({ erased: true }),
);
const own = [asking, wrong, pay, broken, lost, unsent, erase];
const parts = new Map([...catalog, ...byNameOnly, ...own].map((each) => [each.declaration.name, each]));

function specOf(written: Json): CompositionSpec {
  const spec = readComposition(written);
  if (spec === undefined) throw new Error('no composition');
  return spec;
}

function made(written: Json): Capability {
  const result = compose(specOf(written), parts);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

const total = {
  name: 'sales.total',
  description: 'Sum up a table of sales and write the report of it.',
  input: '{path :string, by :string}',
  output: '{file :string, groups [:map]}',
  steps: [
    { name: 'rows', call: 'csv.read', input: { path: '{{ input.path }}' } },
    {
      name: 'sums',
      call: 'data.aggregate',
      input: {
        rows: '{{ results.rows.rows }}',
        group_by: ['{{ input.by }}'],
        measures: { total: { op: 'sum', field: 'amount' } },
      },
    },
    {
      name: 'written',
      call: 'files.write',
      input: { path: 'out/total.json', text: { $lisp: '(json/write (:groups (:sums data/results)))' } },
    },
  ],
  result: { file: '{{ results.written.path }}', groups: '{{ results.sums.groups }}' },
};

const sales = { 'sales.csv': 'city,amount\nOslo,1\nBergen,2\nOslo,3\n' };

describe('a composition', () => {
  test('calls its parts in order, and returns its output', async () => {
    const base = await folderWith(sales);
    const groups = [
      { city: 'Oslo', total: 4 },
      { city: 'Bergen', total: 2 },
    ];
    expect(await resultFrom(made(total), { path: 'sales.csv', by: 'city' }, base)).toEqual({
      file: 'out/total.json',
      groups,
    });
    expect(JSON.parse(await readFile(join(base, 'out/total.json'), 'utf8'))).toEqual(groups);
  });

  test('needs the strictest approval of its parts', () => {
    const calling = (...names: string[]) =>
      made({ name: 'a', description: 'Calls.', steps: names.map((call) => ({ call })) }).declaration;
    expect(calling('net.broken', 'disk.erase').approval).toBe('each');
    expect(calling('net.broken')).not.toHaveProperty('approval');
  });

  test('reports the fate of its call, and that nothing was done when an earlier part fails', async () => {
    const fateOf = async (...names: string[]) => {
      const composed = made({ name: 'a', description: 'Calls.', steps: names.map((call) => ({ call })) });
      return (await failureFrom(composed, {}, await folderWith())).fate;
    };
    expect(await fateOf('net.lost')).toBe('unknown');
    expect(await fateOf('net.unsent')).toBe('refused');
    expect(await fateOf('net.broken', 'pay.send')).toBe('refused');
  });

  test('has the effects and costs of its parts, and is repeated as its mutating part', () => {
    expect(made(total).declaration).toMatchObject({
      name: 'sales.total',
      effects: ['read', 'pure', 'filesystem'],
      cost: { ms: 60 },
      repeat: 'safe',
    });
    const paying = made({
      name: 'a',
      description: 'Reads and pays.',
      steps: [{ call: 'csv.sniff', input: { path: 'x' } }, { call: 'pay.send' }],
    });
    expect(paying.declaration).toMatchObject({ repeat: 'keyed', cost: { micro_dollars: 7 } });
    const running = made({ name: 'a', description: 'Runs.', steps: [{ call: 'shell.run', input: { program: 'ls' } }] });
    expect(running.declaration.repeat).toBeUndefined();
  });

  test('returns the last result by default', async () => {
    const steps = [{ call: 'data.validate', input: { data: '{{ input }}', contract: ':int' } }];
    const capability = made({ name: 'a', description: 'Validates.', steps });
    expect(await resultFrom(capability, 7, '.')).toMatchObject({ valid: true });
  });

  test('gives its mutating part a stable key of its own', async () => {
    const capability = made({ name: 'a', description: 'Pays.', steps: [{ name: 'it', call: 'pay.send' }] });
    keys.length = 0;
    await callCapability(capability, {}, contextIn('/'));
    await callCapability(capability, {}, contextIn('/'));
    expect(keys).toEqual(['run_1/step#1/it', 'run_1/step#1/it']);
  });

  test('fails like its part, and names the part', async () => {
    const base = await folderWith();
    const called = await callCapability(made(total), { path: 'none.csv', by: 'city' }, contextIn(base));
    expect(called).toMatchObject({
      error: { code: 'FILE_NOT_FOUND', retry: 'never', message: expect.stringMatching(/^rows: /) },
    });
  });

  test('passes on only values that fit their contracts', async () => {
    const capability = made({ name: 'a', description: 'Is wrong.', steps: [{ call: 'data.wrong' }] });
    expect(await callCapability(capability, {}, contextIn('/'))).toMatchObject({ error: { code: 'OUTPUT_INVALID' } });
  });

  test('fills in secrets of its author, but none that data names', async () => {
    const steps = [
      { name: 'a', call: 'data.transform', input: { expr: 'data/input', data: ['${secret.KEY}', '{{ input.text }}'] } },
    ];
    const capability = made({ name: 'a', description: 'Echoes.', steps });
    const context = contextIn('/', { secret: (name) => `the ${name}` });
    expect(await callCapability(capability, { text: '${secret.OTHER}' }, context)).toMatchObject({
      value: ['the KEY', '${secret.OTHER}'],
    });
  });
});
