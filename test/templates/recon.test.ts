// The Lisp of recon-then-execute.yaml: each planner on packets made by hand, the report on findings made by real capabilities.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Document, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { catalog } from '../../src/capabilities/catalog/catalog.ts';
import { compile } from '../../src/lisp/program.ts';
import { run } from '../../src/lisp/run.ts';
import { toJson } from '../../src/lisp/to-json.ts';
import { folderWith, resultFrom } from '../capabilities/workbench.ts';

const file = join(import.meta.dirname, '../../templates/recon-then-execute.yaml');
const lisp = { tag: '!lisp', resolve: (text: string) => text };
const template: Document = parseDocument(await readFile(file, 'utf8'), { customTags: [lisp] });

/** The text at a path inside the step of this name. */
function source(step: string, ...path: string[]): string {
  const steps = template.get('steps');
  if (!isSeq(steps)) throw new Error('no steps');
  const found = steps.items.find((item) => isMap(item) && item.get('name') === step);
  const node = isMap(found) ? found.getIn(path, true) : undefined;
  if (!isScalar(node)) throw new Error(`nothing at ${step}.${path.join('.')}`);
  return String(node.value);
}

function evaluate(text: string, data: JsonObject): Json {
  const program = compile(text, { bindings: Object.keys(data) });
  if (!program.ok) throw new Error(JSON.stringify(program.error, null, 2));
  const outcome = run(program.value, data);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error, null, 2));
  const answer = toJson(outcome.value);
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

interface Plan {
  readonly rationale: string;
  readonly steps: readonly { name: string; capability: string; input: JsonObject; verification: string }[];
}

function planOf(step: string, packet: JsonObject): Plan {
  return evaluate(source(step, 'planner', 'source'), { packet }) as unknown as Plan;
}

const listed = (path: string, type: string, bytes = 10): JsonObject => ({ path, type, bytes, name: path });

function recon(files: Json, steps = 20): Plan {
  return planOf('plan_recon', { results: { ingest: { files } }, budget: { max_fragment_steps: steps } });
}

function execution(results: JsonObject, failures: Json = [], steps = 40): Plan {
  return planOf('plan_execution', { results, failures, budget: { max_fragment_steps: steps } });
}

const table = (path: string, columns: Json): JsonObject => ({ path, columns, rows: 9 });
const column = (name: string, unique: boolean, type = 'string'): JsonObject => ({ name, type, unique, missing: 0 });

describe('plan_recon', () => {
  test('plans one look at each readable file, by its type', () => {
    const files = [
      listed('shop/orders.csv', 'csv'),
      listed('shop/app.log', 'log'),
      listed('shop/thumbs.bin', 'binary'),
      listed('shop/none.csv', 'empty'),
      listed('shop/products.json', 'json'),
    ];
    const { rationale, steps } = recon(files);
    expect(steps.map(({ name, capability, input }) => [name, capability, input])).toEqual([
      ['sniff_orders', 'csv.sniff', { path: 'shop/orders.csv' }],
      ['peek_app', 'files.read', { path: 'shop/app.log', max_bytes: 400 }],
      ['peek_products', 'files.read', { path: 'shop/products.json', max_bytes: 400 }],
    ]);
    expect(rationale).toBe('one look at 3 of the 3 files that can be read, the largest first');
  });

  test('stays within the bound of its fragment, in the order of the listing', () => {
    const files = Array.from({ length: 30 }, (_, n) => listed(`f${n}.csv`, 'csv'));
    const { rationale, steps } = recon(files);
    expect(steps).toHaveLength(20);
    expect(steps[19]?.name).toBe('sniff_f19');
    expect(rationale).toContain('20 of the 30');
  });

  test('gives each step a unique valid name', () => {
    const paths = ['a b.csv', 'a-b.csv', 'A_B.csv', 'x/a b 2.csv', '2024.csv', '数据.csv', '数.csv', '_x_.csv', '.csv'];
    const names = recon(paths.map((path) => listed(path, 'csv'))).steps.map(({ name }) => name);
    expect(new Set(names).size).toBe(paths.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
    expect(names.slice(0, 4)).toEqual(['sniff_a_b', 'sniff_a_b_2', 'sniff_a_b_3', 'sniff_a_b_2_2']);
  });

  test('counts every file of a long listing, and looks at as many files as its bound allows', () => {
    const { rationale, steps } = recon(Array.from({ length: 400 }, (_, n) => listed(`t${n}.csv`, 'csv')));
    expect(rationale).toBe('one look at 20 of the 400 files that can be read, the largest first');
    expect(steps).toHaveLength(20);
  });

  test('leaves out a file with a name that looks like a reference', () => {
    expect(recon([listed('{{ input.folder }}.csv', 'csv'), listed('a{{.csv', 'csv')]).steps).toEqual([]);
  });

  test('plans nothing for an empty folder', () => {
    expect(recon([]).steps).toEqual([]);
  });
});

describe('plan_execution', () => {
  const shop = {
    ingest: { files: [] },
    'plan_recon.1/sniff_orders': table('o.csv', [column('order_id', true), column('customer_id', false)]),
    'plan_recon.1/sniff_customers': table('c.csv', [column('customer_id', true), column('city', false)]),
    'plan_recon.1/sniff_cities': table('t.csv', [column('city', false)]),
  };

  test('profiles each table, and verifies the columns found in recon', () => {
    const [orders] = execution(shop).steps;
    expect(orders).toEqual({
      name: 'profile_orders',
      capability: 'csv.profile',
      input: { path: 'o.csv' },
      verification: '(= 2 (count (get data/result :columns)))',
    });
  });

  test('checks the keys of tables that share a column with unique values in one of them', () => {
    const matches = execution(shop).steps.filter(({ capability }) => capability === 'csv.match_keys');
    expect(matches.map(({ name, input }) => [name, input])).toEqual([
      ['match_1_customers_orders', { left: 'c.csv', right: 'o.csv', key: 'customer_id' }],
    ]);
  });

  test('compares two tables once, however many keys they share', () => {
    const both = [column('id', true), column('code', true)];
    const results = { 'plan_recon.1/sniff_a': table('a.csv', both), 'plan_recon.1/sniff_b': table('b.csv', both) };
    expect(execution(results).steps.map(({ name }) => name)).toEqual(['profile_a', 'profile_b', 'match_1_a_b']);
  });

  test('treats columns of different types as different columns', () => {
    const results = {
      'plan_recon.1/sniff_a': table('a.csv', [column('id', true, 'integer')]),
      'plan_recon.1/sniff_b': table('b.csv', [column('id', true, 'string')]),
    };
    expect(execution(results).steps.map(({ capability }) => capability)).toEqual(['csv.profile', 'csv.profile']);
  });

  test('recognizes other files by their content, not by their names', () => {
    const peek = (text: string): JsonObject => ({ path: 'f', text, bytes: 9 });
    const results = {
      'plan_recon.1/peek_a': peek('{\n  "a": 1'),
      'plan_recon.1/peek_b': peek('[{"a": 1}'),
      'plan_recon.1/peek_c': peek('{"a": 1}\n{"a": 2}\n'),
      'plan_recon.1/peek_d': peek('[2024-01-01 10:00:00] started\n'),
      'plan_recon.1/peek_e': peek('Dear {reader}'),
    };
    expect(execution(results).steps.map(({ name, capability, input }) => [name, capability, input])).toEqual([
      ['shape_a', 'json.read', { path: 'f' }],
      ['shape_b', 'json.read', { path: 'f' }],
      ['shape_c', 'json.read', { path: 'f', lines: true }],
      ['count_d', 'text.count', { path: 'f' }],
      ['count_e', 'text.count', { path: 'f' }],
    ]);
  });

  test('keeps the failures of recon', () => {
    const failures = [{ step: 'plan_recon.1/sniff_x', code: 'CSV_BROKEN', message: 'x.csv:3: ragged', root: 'r' }];
    const [first] = execution({}, failures).steps;
    expect(first).toMatchObject({
      name: 'failed_in_recon',
      capability: 'data.transform',
      input: {
        expr: 'data/input',
        data: [{ step: 'plan_recon.1/sniff_x', code: 'CSV_BROKEN', message: 'x.csv:3: ragged' }],
      },
    });
  });

  test('counts all columns of a wide table', () => {
    const columns = Array.from({ length: 300 }, (_, n) => column(`c${n}`, false));
    const results = { 'plan_recon.1/sniff_a': table('a.csv', columns) };
    expect(execution(results).steps[0]?.verification).toBe('(= 300 (count (get data/result :columns)))');
  });

  test('stays within its fuel and its bound for twenty wide tables', () => {
    const columns = Array.from({ length: 30 }, (_, n) => column(`c${n}`, n === 29));
    const results = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`plan_recon.1/sniff_t${n}`, table(`t${n}.csv`, columns)]),
    );
    expect(execution(results).steps).toHaveLength(40);
  });

  test('plans only valid calls of the catalog, each with a predicate that compiles', () => {
    const { steps } = execution({ ...shop, 'plan_recon.1/peek_a': { path: 'a', text: '{"a": 1}' } }, [{ step: 's' }]);
    for (const step of [...steps, ...recon([listed('a.csv', 'csv'), listed('b.log', 'log')]).steps]) {
      expect(catalog.map(({ declaration }) => declaration.name)).toContain(step.capability);
      expect(compile(step.verification, { bindings: ['input', 'result', 'depends'] })).toMatchObject({ ok: true });
    }
  });
});

describe('finalize', () => {
  test('reports findings, failures, skipped files and the cost', async () => {
    const base = await folderWith({
      'd/orders.csv': 'id,city\n1,Rome\n2,Rome\n',
      'd/a.json': '{"n": 1}',
      'd/a.log': '2024-01-01T10:00 INFO x\n2024-01-02T10:00 ERROR y\n',
      'd/broken.csv': 'a,b\n1\n',
      'd/none.csv': '',
      'd/x.bin': Uint8Array.of(0, 1),
      'd/late.csv': 'a\n1\n',
      'd/{{ x }}.csv': 'a\n',
    });
    const find = async (name: string, input: Json) => {
      const capability = catalog.find(({ declaration }) => declaration.name === name);
      return capability === undefined ? null : resultFrom(capability, input, base);
    };
    const broken = { step: 'plan_recon.1/sniff_broken', code: 'CSV_BROKEN', message: 'd/broken.csv:2: 1 field' };
    const late = { step: 'plan_execution.1/match_1_a_b', code: 'VERIFICATION_FAILED', message: 'no key in common' };
    const sections = evaluate(source('finalize', 'input', 'sections'), {
      results: { ingest: await find('files.list', { folder: 'd' }) },
      depends: {
        ingest: null,
        'plan_execution.1/failed_in_recon': [broken],
        'plan_execution.1/profile_orders': await find('csv.profile', { path: 'd/orders.csv' }),
        'plan_execution.1/shape_a': await find('json.read', { path: 'd/a.json' }),
        'plan_execution.1/count_a': await find('text.count', { path: 'd/a.log' }),
        'plan_execution.1/match_1_orders_a': {
          left: 'd/orders.csv',
          right: 'd/a.csv',
          key: 'id',
          matched: 2,
          only_left: 1,
          only_right: 0,
        },
      },
      convergence: { expected: 6, succeeded: 5, failed: [late], skipped: [], partial: true, by_phase: {} },
      run: {
        id: 'run_1',
        spent: { steps: 9, phases: 2, tool_calls: 8, cost_usd: 0 },
        budget: { steps: 100, phases: 5, cost_usd: 5, time: 600 },
      },
    });
    await find('report.write', { path: 'reports/r.md', title: 'What d holds', sections });
    await expect(await readFile(join(base, 'reports/r.md'), 'utf8')).toMatchFileSnapshot('recon-report.md');
  });

  test('reports a folder that could not be listed', () => {
    const missing = { step: 'ingest', code: 'FILE_NOT_FOUND', message: '"d" is not there' };
    const sections = evaluate(source('finalize', 'input', 'sections'), {
      results: {},
      depends: {},
      convergence: { expected: 2, succeeded: 0, failed: [missing, missing], skipped: [], partial: true, by_phase: {} },
      run: { id: 'run_1', spent: {}, budget: {} },
    });
    expect(sections).toEqual([
      { text: 'The folder could not be listed.' },
      { heading: 'What failed', table: { columns: ['step', 'code', 'message'], rows: [missing] } },
    ]);
  });
});
