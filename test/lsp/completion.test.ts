// Completion and hover over the real protocol, in texts as people type them.
import { describe, expect, it } from 'vitest';
import type { CompletionList, Hover } from 'vscode-languageserver-protocol';
import { type Editor, openEditor } from './editor.ts';

const template = (piece: string): string => `reconverge: 1
name: greet
capabilities: [catalog]
input: "{folder :string, deep :bool?}"
planners:
  careful: { kind: llm }
steps:
  - name: ls
    description: List the folder.
    handler: files.list
    input: { folder: "{{ input.folder }}" }
  - name: total
    type: compute
    dependencies: [ls]
    expr: (count (:files (:ls data/depends)))
${piece}
output:
  n: "{{ results.total }}"
`;

/** Puts the piece into the template, and asks at the `|` in it. */
async function ask<T>(editor: Editor, method: string, piece: string, whole = template(piece)): Promise<T> {
  const offset = whole.indexOf('|');
  await editor.change('a.yaml', whole.replace('|', ''));
  return editor.ask<T>(method, 'a.yaml', offset);
}

async function begin(snippets = true): Promise<Editor> {
  const capabilities = { textDocument: { completion: { completionItem: { snippetSupport: snippets } } } };
  const editor = await openEditor({ params: { capabilities } });
  await editor.open('a.yaml', template(''));
  await editor.diagnostics('a.yaml');
  return editor;
}

const labels = (list: CompletionList): readonly string[] =>
  list.items
    .toSorted((one, other) => ((one.sortText ?? '') < (other.sortText ?? '') ? -1 : 1))
    .map(({ label }) => label);

const inserted = (list: CompletionList, label: string): string | undefined => {
  const edit = list.items.find((item) => item.label === label)?.textEdit;
  return edit?.newText;
};

describe('completion', () => {
  it('offers the keys of a step that fit its type, required ones first, with values to fill in', async () => {
    const editor = await begin();
    const gate = await ask<CompletionList>(editor, 'completion', '  - name: ask\n    type: human_review\n    |');
    expect(labels(gate)[0]).toBe('prompt');
    expect(labels(gate)).toContain('expires_in');
    for (const other of ['handler', 'expr', 'type', 'depends_on', 'branches'])
      expect(labels(gate)).not.toContain(other);
    const task = await ask<CompletionList>(editor, 'completion', '  - name: one\n    depe|');
    expect(inserted(task, 'dependencies')).toBe('dependencies: [$1]');
    expect(task.items[0]?.documentation).toMatchObject({
      value: expect.stringContaining('The steps that this step waits for'),
    });
    const compute = await ask<CompletionList>(editor, 'completion', '  - name: one\n    exp|');
    expect(inserted(compute, 'expr')).toBe('type: compute\n    expr: !lisp ($1)');
    const inFlow = await ask<CompletionList>(editor, 'completion', '  - { name: one, retry: { | } }');
    expect(labels(inFlow)).toContain('max_attempts');
    const steps = await ask<CompletionList>(editor, 'completion', '  - |');
    expect(inserted(steps, 'compute step')).toBe('name: ${1:step}\n    type: compute\n    expr: !lisp ($2)');
    const dash = await ask<CompletionList>(editor, 'completion', '  |');
    expect(labels(dash)[0]).toBe('- task step');
  });

  it('offers names of steps where a step is named, but not those that are named already', async () => {
    const editor = await begin();
    for (const piece of ['[ls, |', '[ls, |]', '["ls", "|"]', '\n      - ls\n      - |']) {
      const found = await ask<CompletionList>(editor, 'completion', `  - name: one\n    dependencies: ${piece}`);
      expect(labels(found), piece).toEqual(['total']);
    }
    const needs = await ask<CompletionList>(editor, 'completion', '  - name: one\n    type: planning\n    needs: [l|');
    expect(labels(needs)[0]).toBe('ls');
    const planner = await ask<CompletionList>(
      editor,
      'completion',
      '  - name: one\n    type: planning\n    planner: |',
    );
    expect(labels(planner)).toContain('careful');
    const types = await ask<CompletionList>(editor, 'completion', '  - name: one\n    type: |');
    expect(labels(types)).toContain('fan_out');
    expect(labels(types)).not.toContain('batchable');
  });

  it('offers capabilities with their inputs, and the parameters of the called one', async () => {
    const editor = await begin();
    const found = await ask<CompletionList>(editor, 'completion', '  - name: one\n    handler: csv.re|');
    expect(labels(found)[0]).toBe('csv.read');
    expect(inserted(found, 'csv.read')).toBe('csv.read\n    input:\n      path: $1');
    expect(found.items[0]?.documentation).toMatchObject({ value: expect.stringContaining('effects: read') });
    for (const piece of ['\n      |', ' { |', ' { skip: 1, |}']) {
      const keys = await ask<CompletionList>(
        editor,
        'completion',
        `  - name: one\n    handler: csv.read\n    input:${piece}`,
      );
      expect(labels(keys)[0], piece).toBe('path');
    }
    const values = await ask<CompletionList>(
      editor,
      'completion',
      '  - name: one\n    handler: csv.read\n    input:\n      path: |',
    );
    expect(inserted(values, '{{ input.folder }}')).toBe('"{{ input.folder }}"');
  });

  it('offers paths inside placeholders by contract, quoted or not', async () => {
    const editor = await begin();
    const at = (text: string) =>
      ask<CompletionList>(editor, 'completion', `  - name: one\n    handler: csv.read\n    input: { path: ${text}`);
    expect(labels(await at('"{{ |'))).toContain('results');
    expect(labels(await at('{{ input.|'))).toEqual(['folder', 'deep']);
    expect(labels(await at('"{{ results.| }}" }'))).toEqual(['ls', 'total']);
    expect(labels(await at('"{{ results.ls.files.0.|'))).toEqual(['path', 'name', 'type', 'bytes']);
    expect(labels(await at('"{{ results.ls.files[0].pa|'))).toEqual(['path']);
  });

  it('offers Lisp functions, bindings and keys of the data', async () => {
    const editor = await begin();
    const at = (text: string) =>
      ask<CompletionList>(editor, 'completion', `  - name: one\n    type: compute\n    expr: ${text}`);
    const functions = await at('(coun|');
    expect(labels(functions)[0]).toBe('count');
    expect(functions.items[0]?.documentation).toMatchObject({ value: expect.stringContaining('Counts elements') });
    expect(labels(await at('(count data/|')).slice(0, 3)).toEqual(['data/input', 'data/results', 'data/run']);
    expect(labels(await at('(:| data/results)'))).toEqual([':ls', ':total']);
    expect(labels(await at('!lisp (:fi| (:ls data/results))'))).toEqual([':files']);
    expect(labels(await at('"(get-in data/results [:ls :|'))).toContain(':folder');
    const block = await at('>-\n      (let [rows 1\n            other 2]\n        (+ ro|');
    expect(labels(block)[0]).toBe('rows');
  });

  it('inserts plain text for editors without snippets', async () => {
    const editor = await begin(false);
    const task = await ask<CompletionList>(editor, 'completion', '  - name: one\n    depe|');
    expect(inserted(task, 'dependencies')).toBe('dependencies: []');
  });

  it('begins an empty file, and completes the names at its top', async () => {
    const editor = await begin();
    await editor.open('new.yaml', 'rec');
    const whole = await editor.ask<CompletionList>('completion', 'new.yaml', 3);
    expect(labels(whole)).toEqual(['reconverge: 1']);
    await editor.change('new.yaml', inserted(whole, 'reconverge: 1')?.replace(/\$\{\d:([^}]*)\}|\$3/g, '$1') ?? '');
    expect(await editor.ask('completion', 'new.yaml', editor.textOf('new.yaml').length)).toMatchObject({
      items: expect.any(Array),
    });
    const top = await ask<CompletionList>(editor, 'completion', '', 'reconverge: 1\nname: a\ncapa|');
    expect(labels(top)[0]).toBe('capabilities');
    const sources = await ask<CompletionList>(editor, 'completion', '', 'reconverge: 1\nname: a\ncapabilities: [|');
    expect(labels(sources)[0]).toBe('catalog');
    expect(labels(sources)).toContain('csv.read');
  });
});

describe('hover', () => {
  it('explains keys, capabilities, steps, references and functions', async () => {
    const editor = await begin();
    const at = async (piece: string): Promise<string> => {
      const found = await ask<Hover | null>(editor, 'hover', piece);
      const contents = found?.contents;
      return typeof contents === 'object' && 'value' in contents ? contents.value : '';
    };
    expect(await at('  - name: one\n    time|out: 30s')).toContain('The time limit of one attempt.');
    expect(await at('  - name: one\n    handler: csv.re|ad')).toContain('(path, skip :int?, take :int?)');
    expect(await at('  - name: one\n    dependencies: [l|s]')).toMatch(
      /\*\*ls\*\* \(task step\)[\s\S]*List the folder[\s\S]*from `files.list`/,
    );
    expect(await at('  - name: one\n    handler: csv.read\n    input: { pa|th: x }')).toContain(
      'Parameter of `csv.read`',
    );
    const files = await at('  - name: one\n    handler: csv.read\n    input: { path: "{{ results.ls.fi|les.0 }}" }');
    expect(files).toContain('results.ls.files**: `[{path, name, type, bytes :int}]`');
    expect(files).toContain('which step `ls` calls');
    expect(await at('  - name: one\n    handler: csv.read\n    input: { path: "{{ in|put.folder }}" }')).toContain(
      'The input of the run',
    );
    expect(await at('  - name: one\n    type: compute\n    expr: (co|unt [1])')).toContain('(count [1 2 3])');
    expect(await at('  - name: one\n    type: compute\n    expr: (count data/res|ults)')).toContain(
      'The results of earlier steps',
    );
    expect(await at('  - name: one # no|thing')).toBe('');
  });
});
