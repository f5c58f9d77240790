// Modules of capabilities are loaded by Node itself, and one that does not load is told in one sentence.
import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { folderWith } from './workbench.ts';

const definitions = pathToFileURL(join(import.meta.dirname, '../../src/capabilities/capability.ts')).href;
const loading = pathToFileURL(join(import.meta.dirname, '../../src/capabilities/module.ts')).href;
const importing = `import { defineCapability } from '${definitions}';\n`;

function defining(name: string): string {
  return `defineCapability({ name: '${name}', description: 'Test.', effects: ['pure'], run: () => 1 })`;
}

/** Loads the modules with Node alone, as in use, and prints what came of each. */
const script = `
  import { loadModule } from '${loading}';
  const [folder, ...paths] = process.argv.slice(1);
  const loaded = [];
  for (const path of paths) {
    const result = await loadModule(path, folder);
    loaded.push(result.ok ? { ok: true, names: result.value.map(({ declaration }) => declaration.name) } : result);
  }
  process.stdout.write(JSON.stringify(loaded));
`;

async function load(folder: string, ...paths: string[]): Promise<unknown[]> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    script,
    folder,
    ...paths,
  ]);
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

async function issueOf(name: string, source: string): Promise<unknown> {
  const [loaded] = await load(await folderWith({ [name]: source }), name);
  expect(loaded).toMatchObject({ ok: false, error: [expect.anything()] });
  expect(JSON.stringify(loaded)).not.toMatch(/\n\s+at |node:internal/);
  return (loaded as { error: unknown[] }).error[0];
}

describe('a module', () => {
  test('gives every exported capability once, single or in lists, and nothing else', async () => {
    const folder = await folderWith({
      'handlers.ts': `${importing}export const one: object = ${defining('a.one')};
        const two = ${defining('a.two')};
        export const all = [one, two];
        export const helper = () => 1;
        export default ${defining('a.three')};`,
      'plain.mjs': `${importing}export const it = ${defining('b.it')};`,
    });
    expect(await load(folder, 'handlers.ts', './plain.mjs', join(folder, 'plain.mjs'))).toEqual([
      { ok: true, names: expect.toSatisfy((names: string[]) => names.sort().join() === 'a.one,a.three,a.two') },
      { ok: true, names: ['b.it'] },
      { ok: true, names: ['b.it'] },
    ]);
  });

  test("may import from 'reconverge' wherever it lies", async () => {
    const source = `import { defineCapability } from 'reconverge'; export const it = ${defining('c.it')};`;
    const folder = await folderWith({ 'deep/handlers.ts': source });
    expect(await load(folder, 'deep/handlers.ts')).toEqual([{ ok: true, names: ['c.it'] }]);
  });

  test("may import a file of its own, and 'reconverge' from there", async () => {
    const folder = await folderWith({
      'handlers.ts': `export { it } from './inner.ts';`,
      'inner.ts': `import { defineCapability } from 'reconverge'; export const it = ${defining('d.it')};`,
    });
    expect(await load(folder, 'handlers.ts')).toEqual([{ ok: true, names: ['d.it'] }]);
  });
});

describe('a module that does not load', () => {
  test('is reported as missing, with the nearest name', async () => {
    const folder = await folderWith({ 'handlers.ts': '' });
    expect(await load(folder, 'handler.ts', '.')).toMatchObject([
      { error: [{ code: 'MODULE_NOT_FOUND', hint: 'did you mean "handlers.ts"?' }] },
      { error: [{ code: 'MODULE_NOT_FOUND' }] },
    ]);
  });

  test('is reported when it is no JavaScript', async () => {
    expect(await issueOf('handlers.py', '')).toMatchObject({ code: 'MODULE_EXTENSION_UNKNOWN' });
  });

  test('is reported with the line of its syntax error', async () => {
    expect(await issueOf('broken.ts', 'const a: number = 1;\nconst = 2;\n')).toMatchObject({
      code: 'MODULE_SYNTAX_INVALID',
      place: { file: 'broken.ts', line: 2, column: 7, endLine: 2, endColumn: 8 },
    });
    expect(await issueOf('broken.mjs', 'const = 2;\n')).toMatchObject({
      code: 'MODULE_SYNTAX_INVALID',
      message: '"broken.mjs" does not load: Unexpected token \'=\'',
      hint: expect.stringContaining('node --check'),
    });
  });

  test('is reported as CommonJS by its package.json, with a file name that works', async () => {
    const folder = await folderWith({
      'package.json': '{"type":"commonjs"}',
      'it.ts': `${importing}export const it = ${defining('e.it')};`,
    });
    expect(await load(folder, 'it.ts')).toMatchObject([
      { ok: false, error: [{ code: 'MODULE_SYNTAX_INVALID', hint: expect.stringContaining('"it.mts"') }] },
    ]);
  });

  test('is reported with the line of TypeScript that is more than types', async () => {
    expect(await issueOf('enums.ts', 'export {};\n\nenum Colour { Red }\n')).toMatchObject({
      code: 'MODULE_TYPESCRIPT_UNSUPPORTED',
      message: expect.stringContaining('enum'),
      place: { file: 'enums.ts', line: 3 },
      hint: expect.stringContaining('unions'),
    });
  });

  test('is reported with the line that throws', async () => {
    expect(await issueOf('throws.ts', 'const type: string = "x";\nthrow new Error("no key is set");')).toMatchObject({
      code: 'MODULE_THREW',
      message: '"throws.ts" threw while it was loaded: no key is set',
      place: { file: 'throws.ts', line: 2, column: 7 },
    });
    expect(await issueOf('odd.mjs', 'await Promise.reject(null);')).toMatchObject({
      code: 'MODULE_THREW',
      message: '"odd.mjs" threw while it was loaded: threw null instead of an Error',
    });
  });

  test.each([
    ['exports', 'export const it = revoked();'],
    ['throws', 'throw revoked();'],
    [
      'throws with a message that throws',
      "throw Object.defineProperty(new Error(), 'message', { get() { throw 1; } });",
    ],
  ])('because of something that it %s and nobody can look at', async (_, statement) => {
    const made = 'function revoked() { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; }';
    expect(await issueOf('hostile.mjs', `${made}\n${statement}`)).toMatchObject({ code: 'MODULE_THREW' });
  });

  test('is reported with its missing import, without the folders of this machine', async () => {
    expect(await issueOf('a.ts', "import 'no-such-package';")).toMatchObject({
      code: 'MODULE_IMPORT_MISSING',
      message: '"a.ts" imports a file or package that does not exist: no-such-package',
    });
    expect(await issueOf('b.ts', "import './lib/gone.ts';")).toMatchObject({
      message: '"b.ts" imports a file or package that does not exist: ./lib/gone.ts',
    });
    expect(await issueOf('c.ts', "import { nothing } from 'node:path';")).toMatchObject({
      code: 'MODULE_SYNTAX_INVALID',
      message: expect.stringContaining("does not provide an export named 'nothing'"),
      place: { file: 'c.ts', line: 1, column: 10 },
    });
  });

  test('is reported when it exports no capability, or an invalid one', async () => {
    expect(await issueOf('empty.ts', 'export const a = 1;')).toMatchObject({
      code: 'MODULE_WITHOUT_CAPABILITY',
      hint: expect.stringContaining('defineCapability'),
    });
    expect(await issueOf('wrong.ts', `${importing}export const a = ${defining('Not OK')};`)).toMatchObject({
      code: 'CAPABILITY_NAME_INVALID',
    });
    const untyped = `${importing}export const a = defineCapability({ name: 'a.b', description: 'A', run: () => 1 });`;
    expect(await issueOf('untyped.ts', untyped)).toMatchObject({
      code: 'CAPABILITY_INCOMPLETE',
      message: 'capability "a.b" has no effects that can be read',
    });
  });

  test('is named by its own path behind a link', async () => {
    const folder = await folderWith({ 'real/throws.ts': 'throw new Error("x");' });
    await symlink('real', join(folder, 'link'));
    expect(await load(folder, 'link/throws.ts')).toMatchObject([
      { error: [{ code: 'MODULE_THREW', place: { file: 'link/throws.ts', line: 1 } }] },
    ]);
  });
});
