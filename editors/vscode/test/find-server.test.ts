// Finding the language server: settings, projects and PATH, in workspaces that are trusted and in others.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { findServer, type Surroundings } from '../src/find-server.ts';
import { isTemplate } from '../src/is-template.ts';

const root = mkdtempSync(join(tmpdir(), 'find-server-'));
after(() => rmSync(root, { recursive: true, force: true }));
const put = (path: string, text = ''): string => {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o755 });
  return file;
};

const main = put('project/node_modules/reconverge/dist/cli/main.js');
put('project/node_modules/reconverge/package.json', '{ "bin": { "reconverge": "./dist/cli/main.js" } }');
put('project/templates/deep/a.yaml');
const installed = put('bin/reconverge');
const node = put('bin/node');
const planted = put('project/bin/reconverge');
put('project/bin/node');

const at = (more: Partial<Surroundings> = {}): Surroundings => ({
  path: '',
  node: '',
  folder: join(root, 'project'),
  beside: join(root, 'project/templates/deep'),
  folders: [join(root, 'project')],
  trusted: true,
  searchPath: join(root, 'bin'),
  windows: false,
  ...more,
});

test('a trusted project runs its own version, from any folder below', () => {
  assert.deepEqual(findServer(at()), { command: node, arguments: [main], shell: false, from: 'project' });
});

test('an untrusted project never runs its own version', () => {
  assert.deepEqual(findServer(at({ trusted: false })), {
    command: installed,
    arguments: [],
    shell: false,
    from: 'PATH',
  });
});

test('an untrusted project cannot put itself on PATH, by a link either', () => {
  const searchPath = ['.', 'bin', join(root, 'project/bin')].join(delimiter);
  assert.equal(findServer(at({ trusted: false, searchPath })), undefined);
  symlinkSync(join(root, 'project/bin'), join(root, 'linked'));
  assert.equal(findServer(at({ trusted: false, searchPath: join(root, 'linked') })), undefined);
});

test('the setting wins, absolute or relative to the folder', () => {
  const own = { command: planted, arguments: [], shell: false, from: 'setting' };
  assert.deepEqual(findServer(at({ path: planted })), own);
  assert.deepEqual(findServer(at({ path: 'bin/reconverge' })), own);
});

test('a setting that leads into an untrusted project runs nothing', () => {
  assert.equal(findServer(at({ path: 'bin/reconverge', trusted: false })), undefined);
});

test('a setting that names no file is not replaced by another version', () => {
  assert.equal(findServer(at({ path: join(root, 'nothing') })), undefined);
});

test('JavaScript runs with the node of the setting', () => {
  assert.deepEqual(findServer(at({ path: main, node: '/opt/node24' })), {
    ...{ command: '/opt/node24', arguments: [main], shell: false, from: 'setting' },
  });
});

test('Windows starts a .cmd file through a shell', () => {
  const file = put('windows/reconverge.cmd');
  assert.deepEqual(findServer(at({ beside: undefined, windows: true, searchPath: dirname(file) })), {
    ...{ command: file, arguments: [], shell: true, from: 'PATH' },
  });
});

test('a file is a template when it has the key of the version, or steps and a key that only templates have', () => {
  const templates = [
    'reconverge: 1\n',
    '# yaml-language-server: x\n\n---\nname: a\nreconverge: 1',
    '\uFEFF"reconverge": 1',
    'capabilities: [catalog]\nsteps: []\n',
  ];
  for (const text of templates) assert.equal(isTemplate(text), true, text);
  const others = ['', 'a: 1', '# reconverge: 1\n', 'reconverges: 1', ' reconverge: 1', 'steps:\n  - run: x\n'];
  for (const text of others) assert.equal(isTemplate(text), false, text);
  assert.equal(isTemplate('scenarios: []', '/a/b.scenarios.yaml'), true);
});
