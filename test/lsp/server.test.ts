// The language server as a process: diagnostics while a template is typed, trust, and the ways it ends.
import { existsSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { CompletionList } from 'vscode-languageserver-protocol';
import { atTerminal, hasScript } from '../cli/pty.ts';
import { project, reconverge } from '../cli/reconverge.ts';
import { openEditor } from './editor.ts';

const template = `reconverge: 1
name: greet
capabilities: [catalog]
steps:
  - name: list
    handler: files.list
    input: { folder: "." }
  - name: total
    type: compute
    dependencies: [list]
    expr: (count (:files (:list data/depends)))
`;

describe('the language server', () => {
  it('publishes the issues of the newest text, and none for YAML of other tools', async () => {
    const editor = await openEditor();
    await editor.open('a.yaml', template);
    expect(await editor.diagnostics('a.yaml')).toEqual([]);
    await editor.change('a.yaml', template.replace('[list]', '[lost]'));
    await editor.change('a.yaml', template.replace('[list]', '[lits]'));
    const [found] = await editor.diagnostics('a.yaml');
    expect(found).toMatchObject({
      code: 'DEPENDENCY_UNKNOWN',
      source: 'reconverge',
      range: { start: { line: 9, character: 19 }, end: { line: 9, character: 23 } },
    });
    expect(found?.message).toContain('did you mean "list"?');
    await editor.open('ci.yaml', 'jobs:\n  a:\n    steps:\n      - run: echo\n');
    expect(await editor.diagnostics('ci.yaml')).toEqual([]);
  });

  it('still checks the rest of a half-written template', async () => {
    const editor = await openEditor();
    await editor.open('a.yaml', template.replace('[list]', '[lits]').replace('"."', '".'));
    const codes = (await editor.diagnostics('a.yaml')).map(({ code }) => code);
    expect(codes).toContain('DEPENDENCY_UNKNOWN');
    expect(codes.length).toBeGreaterThan(1);
  });

  it('uses the unsaved text of included files', async () => {
    const editor = await openEditor({ files: { 'more.yaml': 'steps: []\n' } });
    await editor.open(
      'a.yaml',
      template.replace('steps:', 'include: ./more.yaml\nsteps:').replace('[list]', '[other]'),
    );
    expect((await editor.diagnostics('a.yaml')).map(({ code }) => code)).toContain('DEPENDENCY_UNKNOWN');
    await editor.open('more.yaml', 'steps:\n  - name: other\n    handler: files.list\n    input: { folder: "." }\n');
    await editor.until(() => editor.published('a.yaml')?.every(({ code }) => code !== 'DEPENDENCY_UNKNOWN') ?? false);
  });

  it('runs nothing of a hostile template and reads nothing outside its folder until the editor trusts it', async () => {
    const mark = (name: string): string =>
      `import { writeFileSync } from 'node:fs';\nwriteFileSync(new URL('./${name}', import.meta.url), '');\n`;
    const outside = `steps:\n  - name: secret_step\n    handler: files.list\n    input: { folder: "." }\n`;
    const hostile = `reconverge: 1
name: hostile
capabilities:
  - catalog
  - ./own.mjs
  - module: { file: ./own.mjs, isolate: thread }
  - mcp: { name: evil, command: node, args: [./server.mjs] }
  - template: ../outside/child.yaml
include: [../outside/more.yaml, /etc/hostname]
models:
  default: { provider: ai-sdk, module: ./model.mjs, model: x }
steps:
  - name: one
    handler: evil.tool
    input: { a: "{{ results.secret_step }}" }
`;
    const files = {
      'a/own.mjs': `${mark('loaded')}export const nothing = 1;\n`,
      'a/server.mjs': mark('started'),
      'a/model.mjs': `${mark('modelled')}export default () => 1;\n`,
      'outside/more.yaml': outside,
      'outside/child.yaml': template,
      'a/a.yaml': hostile,
    };
    const editor = await openEditor({ files });
    const marks = () => ['loaded', 'started', 'modelled'].filter((name) => existsSync(join(editor.folder, 'a', name)));
    await editor.open('a/a.yaml', hostile);
    const found = await editor.diagnostics('a/a.yaml');
    expect(found.map(({ code }) => code)).toContain('NOT_CHECKED');
    expect(JSON.stringify(found)).toContain('trust this folder in the editor');
    expect(JSON.stringify(found)).not.toContain('--untrusted');
    for (const word of ['secret_step', 'own.', 'evil.', 'results.']) {
      const offset = hostile.indexOf(word) + 2;
      const answers = ['hover', 'completion', 'definition'].map((method) => editor.ask(method, 'a/a.yaml', offset));
      const rename = editor.ask('rename', 'a/a.yaml', offset, { newName: 'x' }).catch(() => undefined);
      const said = JSON.stringify(await Promise.all([...answers, rename]));
      expect(said).not.toContain('outside/more.yaml');
    }
    // Settings of the folder itself are not asked for, and other settings change nothing.
    await editor.notify('workspace/didChangeConfiguration', { settings: { reconverge: { other: true } } });
    await editor.change('a/a.yaml', `${hostile}# more\n`);
    expect(JSON.stringify(await editor.diagnostics('a/a.yaml'))).not.toContain('List every');
    expect(marks()).toEqual([]);
    await editor.change('a/a.yaml', template.replace('[catalog]', '[catalog, ./own.mjs]'));
    await editor.diagnostics('a/a.yaml');
    await editor.notify('workspace/didChangeConfiguration', { settings: { reconverge: { trusted: true } } });
    await editor.until(() => editor.published('a/a.yaml')?.every(({ code }) => code !== 'NOT_CHECKED') ?? false);
    expect(marks()).toEqual(['loaded']);
  });

  it('reads a changed module anew, and outlives a module that ends its process', async () => {
    const own = `import { defineCapability } from 'reconverge';
export const twice = defineCapability({ name: 'own.twice', description: 'Twice.', effects: ['pure'], run: () => 1 });
`;
    const uses = template.replace('[catalog]', '[catalog, ./own.mjs]');
    const folder = project({ 'own.mjs': 'process.exit(3);\n' });
    const editor = await openEditor({ folder, trusted: true });
    await editor.open('a.yaml', uses);
    expect(JSON.stringify(await editor.diagnostics('a.yaml'))).toContain('MODULE_');
    writeFileSync(join(folder, 'own.mjs'), own);
    await editor.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: editor.uriOf('own.mjs'), type: 2 }] });
    await editor.until(() => editor.published('a.yaml')?.length === 0);
    const { items } = await editor.ask<CompletionList>('completion', 'a.yaml', uses.indexOf('files.list'));
    expect(items.map(({ label }) => label)).toContain('own.twice');
    expect(editor.errors()).toEqual([]);
  });

  it('checks an included file as a part of the template that includes it', async () => {
    const more = 'steps:\n  - name: other\n    handler: csv.read\n    dependencies: [list]\n    input: { path: 1 }\n';
    const files = { 'a.yaml': template.replace('steps:', 'include: ./more.yaml\nsteps:'), 'more.yaml': more };
    const editor = await openEditor({ files, trusted: true });
    await editor.open('more.yaml', more);
    const codes = (await editor.diagnostics('more.yaml')).map(({ code }) => code);
    expect(codes).toContain('CONTRACT_MISMATCH');
    const { items } = await editor.ask<CompletionList>('completion', 'more.yaml', more.indexOf('csv.read'));
    expect(items.map(({ label }) => label)).toContain('files.list');
  });

  it('works with several folders, also with those that are opened later', async () => {
    const more = 'steps:\n  - name: other\n    handler: files.list\n    input: { folder: "." }\n';
    const elsewhere = project({
      'a.yaml': template.replace('steps:', 'include: ./more.yaml\nsteps:'),
      'more.yaml': more,
    });
    const editor = await openEditor();
    const folder = { uri: pathToFileURL(elsewhere).href, name: 'elsewhere' };
    await editor.notify('workspace/didChangeWorkspaceFolders', { event: { added: [folder], removed: [] } });
    const file = relative(editor.folder, join(elsewhere, 'more.yaml'));
    await editor.open(file, more.replace('other', 'more'));
    await editor.diagnostics(file);
    const text = `${more}    dependencies: [`;
    await editor.change(file, text);
    const { items } = await editor.ask<CompletionList>('completion', file, text.length);
    expect(items.map(({ label }) => label)).toEqual(['list', 'total']);
  });

  it('counts positions as editors do: line ends of Windows, a byte order mark, letters of two units', async () => {
    const editor = await openEditor();
    const text = `\uFEFF${template.replaceAll('\n', '\r\n').replace('[list]', '["😀", lits]')}`;
    await editor.open('a.yaml', text);
    const found = (await editor.diagnostics('a.yaml')).filter(({ code }) => code === 'DEPENDENCY_UNKNOWN');
    expect(found.map(({ range }) => range.start)).toEqual([
      { line: 9, character: 19 },
      { line: 9, character: 25 },
    ]);
    const { items } = await editor.ask<CompletionList>('completion', 'a.yaml', text.indexOf('lits') + 2);
    const edit = items.find(({ label }) => label === 'list')?.textEdit;
    expect(edit).toMatchObject({ newText: 'list', range: { start: { character: 25 }, end: { character: 29 } } });
  });

  it('ends when the editor asks it to, or leaves', async () => {
    expect(await (await openEditor()).quit()).toBe(0);
    expect(await (await openEditor()).leave()).toBe(0);
  });

  it.skipIf(!hasScript)('says that it waits for an editor when a person starts it in a terminal', async () => {
    const { code, lines } = await atTerminal(project({}), ['lsp']);
    expect(code).toBe(2);
    expect(lines.join(' ')).toContain('let your editor start it');
  });

  it('describes itself', async () => {
    const { stdout } = await reconverge(['lsp', '--help']);
    expect(stdout).toContain('Serve an editor');
    expect(stdout).toContain('--clientProcessId');
  });
});
