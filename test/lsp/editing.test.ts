// The language server by its protocol: quick fixes, the outline, folding, and the bound above the plan.
import { describe, expect, it } from 'vitest';
import type {
  CodeAction,
  CodeLens,
  DocumentSymbol,
  FoldingRange,
  SemanticTokens,
} from 'vscode-languageserver-protocol';
import { type Editor, openEditor } from './editor.ts';

const template = `# Looks at files,
# and reports.
reconverge: 1
name: look
budget: { max_total_steps: 40, max_wall_clock_time: 10m }
capabilities: [catalog]
steps:
  - name: list
    handler: files.list
    input: { folder: "." }
  - name: plan
    type: planning
    dependencies: [list]
    goal: Look at each file.
    budget: { max_fragment_steps: 7 }
    convergence_target: report
    planner:
      kind: lisp
      source: |
        {:steps []}
  - name: other
    handler: files.list
    input: { folder: "." }
  - name: report
    type: deferred
    dependencies: [plan]
    handler: report.write
    input: { path: r.md, title: all, sections: [] }
`;

const everywhere = { start: { line: 0, character: 0 }, end: { line: 999, character: 0 } };

async function actions(editor: Editor, only?: readonly string[], range = everywhere): Promise<readonly CodeAction[]> {
  return editor.request('textDocument/codeAction', {
    textDocument: { uri: editor.uriOf('a.yaml') },
    range,
    context: { diagnostics: [], ...(only && { only }) },
  });
}

/** Applies an action to the text of the editor, as editors do. */
async function apply(editor: Editor, action: CodeAction | undefined): Promise<void> {
  const lines = editor.textOf('a.yaml').split('\n');
  const offset = ({ line, character }: { line: number; character: number }): number =>
    lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + character;
  const edits = Object.values(action?.edit?.changes ?? {}).flat();
  const text = edits
    .toSorted((one, other) => offset(other.range.start) - offset(one.range.start))
    .reduce(
      (now, { range, newText }) => now.slice(0, offset(range.start)) + newText + now.slice(offset(range.end)),
      editor.textOf('a.yaml'),
    );
  await editor.change('a.yaml', text);
}

const of = (editor: Editor) => ({ textDocument: { uri: editor.uriOf('a.yaml') } });

describe('the language server while a person edits', () => {
  it('fixes one problem, then all, and offers nothing for a template without problems', async () => {
    const editor = await openEditor();
    const broken = template
      .replace('files.list\n    input', 'files.lits\n    input')
      .replace('reconverge: 1\n', '')
      .replace('[list]', '[lsit]')
      .replace('max_total_steps: 40', 'max_total_steps: "40"');
    await editor.open('a.yaml', broken);
    const found = await editor.diagnostics('a.yaml');
    expect(found.length).toBe(4);
    const line = broken.split('\n').findIndex((each) => each.includes('files.lits'));
    const here = { start: { line, character: 15 }, end: { line, character: 15 } };
    const [fix, all] = await actions(editor, ['quickfix'], here);
    expect(fix).toMatchObject({ title: 'Change "files.lits" to "files.list"', kind: 'quickfix', isPreferred: true });
    expect(fix?.diagnostics?.[0]).toMatchObject({ code: 'CAPABILITY_UNKNOWN', range: { start: { line } } });
    expect(all?.title).toBe('Fix all 4 problems that have a quick fix');
    await apply(editor, fix);
    expect((await editor.diagnostics('a.yaml')).length).toBe(3);
    const [fixAll, another] = await actions(editor, ['source.fixAll']);
    expect(another).toBeUndefined();
    expect(fixAll?.kind).toBe('source.fixAll.reconverge');
    await apply(editor, fixAll);
    expect((await editor.diagnostics('a.yaml')).map(({ code }) => code)).toEqual(['STEP_ORPHAN']);
    expect(editor.textOf('a.yaml')).toBe(template);
    expect(await actions(editor)).toEqual([]);
  });

  it('outlines phases and steps, also of a half-written template', async () => {
    const editor = await openEditor();
    await editor.open('a.yaml', template);
    const symbols = await editor.request<DocumentSymbol[]>('textDocument/documentSymbol', of(editor));
    const outlined = (all: readonly DocumentSymbol[]): unknown =>
      all.map(({ name, detail, children = [] }) => [
        name,
        detail,
        ...(children.length > 0 ? [outlined(children)] : []),
      ]);
    expect(outlined(symbols)).toEqual([
      ['reconverge', '1'],
      ['name', 'look'],
      ['budget', ''],
      ['capabilities', ''],
      [
        'steps',
        '',
        [
          ['list', 'task files.list'],
          ['plan', 'planning → report', [['other', 'task files.list']]],
          ['report', 'deferred report.write'],
        ],
      ],
    ]);
    await editor.change('a.yaml', `${template}  - name: last\n    input: { a: "`);
    const now = await editor.request<DocumentSymbol[]>('textDocument/documentSymbol', of(editor));
    expect(now.at(-1)?.children?.map(({ name }) => name)).toEqual(['list', 'plan', 'report', 'last']);
  });

  it('folds phases, steps, texts in blocks, and comments', async () => {
    const editor = await openEditor();
    await editor.open('a.yaml', template);
    const ranges = await editor.request<FoldingRange[]>('textDocument/foldingRange', of(editor));
    const lines = template.split('\n');
    const folded = ranges.map(({ startLine, endLine }) => `${lines[startLine]?.trim()} … ${lines[endLine]?.trim()}`);
    expect(folded).toEqual([
      '# Looks at files, … # and reports.',
      'steps: … input: { path: r.md, title: all, sections: [] }',
      '- name: list … input: { folder: "." }',
      '- name: plan … input: { folder: "." }',
      'planner: … {:steps []}',
      'source: | … {:steps []}',
      '- name: other … input: { folder: "." }',
      '- name: report … input: { path: r.md, title: all, sections: [] }',
    ]);
  });

  it('shows the bound above the template and its planning steps, and keeps it while there are errors', async () => {
    const editor = await openEditor();
    await editor.open('a.yaml', template);
    const lenses = async (): Promise<readonly unknown[]> =>
      (await editor.request<CodeLens[]>('textDocument/codeLens', of(editor))).map(({ range, command }) => [
        range.start.line,
        command?.title,
      ]);
    const shown = [
      [2, 'at most 40 steps, 10m'],
      [10, 'plans at most 7 steps'],
    ];
    expect(await lenses()).toEqual(shown);
    await editor.change('a.yaml', `${template}  - name: [`);
    expect(await lenses()).toEqual(shown.map(([line, title]) => [line, `${title} (before the errors)`]));
  });

  it('colors Lisp and references, in every way to write them', async () => {
    const editor = await openEditor();
    const text = `reconverge: 1
name: colors
steps:
  - name: a
    when: (pos? 1)
    expr: !lisp |
      ; adds
      (defn add [x] (let [y (:k data/input)] (str/join "a
        b" %)))
      (add nil)
    prompt: "On {{ results.one[0] }} and \\t{{ item }}"
    input: { a: !lisp "(get data/x \\"k\\")", b: !lisp (inc 1.5) }
`;
    await editor.open('a.yaml', text);
    const { legend } = editor.capabilities.semanticTokensProvider ?? { legend: { tokenTypes: [] as string[] } };
    const { data } = await editor.request<SemanticTokens>('textDocument/semanticTokens/full', of(editor));
    const lines = text.split('\n');
    let [line, character] = [0, 0];
    const shown: string[] = [];
    for (let at = 0; at < data.length; at += 5) {
      const [down = 0, right = 0, length = 0, type = 0] = data.slice(at, at + 4);
      line += down;
      character = down === 0 ? character + right : right;
      shown.push(`${lines[line]?.slice(character, character + length)} ${legend.tokenTypes[type]}`);
    }
    expect(shown).toEqual([
      ...['pos? function', '1 number', '; adds comment', 'defn keyword', 'add function', 'x variable', 'let keyword'],
      ...['y variable', ':k property', 'data/input variable', 'str/join function', '"a string', '  b" string'],
      ...[
        '% parameter',
        'add function',
        'nil keyword',
        'results variable',
        'one property',
        '0 number',
        'item variable',
      ],
      ...['get function', 'data/x variable', '\\"k\\" string', 'inc function', '1.5 number'],
    ]);
  });

  it('answers nothing about YAML of other tools', async () => {
    const editor = await openEditor();
    await editor.open('a.yaml', 'jobs:\n  a:\n    needs: [b]\n');
    expect(await actions(editor)).toEqual([]);
    for (const method of ['documentSymbol', 'codeLens']) {
      expect(await editor.request(`textDocument/${method}`, of(editor))).toEqual([]);
    }
    expect(await editor.request('textDocument/foldingRange', of(editor))).toBeNull();
  });
});
