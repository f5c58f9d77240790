// The language server as a process: diagnostics while a template is typed, trust, and the ways it ends.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reconverge } from '../cli/reconverge.ts';
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

  it('loads no module of a template until the editor trusts its folder', async () => {
    const mark = `import { writeFileSync } from 'node:fs';\nwriteFileSync(new URL('./mark', import.meta.url), '');\nexport const nothing = 1;\n`;
    const editor = await openEditor({ files: { 'own.mjs': mark } });
    await editor.open('a.yaml', template.replace('[catalog]', '[catalog, ./own.mjs]'));
    expect((await editor.diagnostics('a.yaml')).map(({ code }) => code)).toContain('NOT_CHECKED');
    expect(existsSync(join(editor.folder, 'mark'))).toBe(false);
    await editor.notify('workspace/didChangeConfiguration', { settings: { reconverge: { trusted: true } } });
    await editor.until(() => editor.published('a.yaml')?.every(({ code }) => code !== 'NOT_CHECKED') ?? false);
    expect(existsSync(join(editor.folder, 'mark'))).toBe(true);
  });

  it('ends when the editor asks it to, or leaves', async () => {
    expect(await (await openEditor()).quit()).toBe(0);
    expect(await (await openEditor()).leave()).toBe(0);
  });

  it('describes itself', async () => {
    const { stdout } = await reconverge(['lsp', '--help']);
    expect(stdout).toContain('Serve an editor');
    expect(stdout).toContain('--clientProcessId');
  });
});
