// Going to steps, finding and renaming them over the real protocol, in every place that names a step.
import { describe, expect, it } from 'vitest';
import type { Location, WorkspaceEdit } from 'vscode-languageserver-protocol';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { openEditor } from './editor.ts';

/** The template, with the name of its first step. */
const mainWith = (ls: string): string => `reconverge: 1
name: all
capabilities: [catalog]
include: ./more.yaml
environments:
  llm: { steps: { ${ls}: { critical: false } } }
steps:
  - name: ${ls} # 😀
    handler: files.list
    input: { folder: "." }
  - name: choose
    type: decision
    depends_on: "${ls}"
    branches: [one, two]
    choose: (if (:${ls} data/results) "one" :two)
  - name: one
    handler: csv.read
    dependencies: [choose]
    input: { path: "😀 {{ results.${ls}.files.0.path }} {{depends.choose}} {{ results['${ls}'] }}" }
  - name: two
    type: compute
    dependencies: [choose]
    expr: |
      (let [{:keys [${ls}]} data/results]
        (+ (count ${ls}) (count (get data/results "${ls}"))
           (count (-> data/results :${ls} :files)) (get-in data/results ["${ls}" :count])))
  - name: plan
    type: planning
    dependencies: [${ls}]
    needs: [${ls}.files, { step: ${ls} }]
    convergence_target: end
    planner:
      kind: fixed
      fragment: { steps: [{ name: ls2, handler: files.list, input: { folder: "{{ results.${ls}.folder }}" } }] }
output: { a: "{{ results.${ls}.count }}", b: "not ls, and not results.ls" }
`;
const moreWith = (ls: string): string => `steps:
  - name: end
    type: compute
    dependencies: [plan, ${ls}]
    expr: (:count (:${ls} data/depends))
`;

const [main, more] = [mainWith('ls'), moreWith('ls')];

const inText = (text: string, word: string, nth = 0): number => {
  let at = -1;
  for (let count = 0; count <= nth; count++) at = text.indexOf(word, at + 1);
  return at;
};

function applied(text: string, uri: string, { changes = {} }: WorkspaceEdit): string {
  return TextDocument.applyEdits(TextDocument.create(uri, 'yaml', 1, text), changes[uri] ?? []);
}

describe('the steps of a template with an included file', () => {
  it('are renamed in lists, placeholders, Lisp, environments and other files, and the template stays valid', async () => {
    const editor = await openEditor({ files: { 'more.yaml': more } });
    await editor.open('main.yaml', main);
    const before = (await editor.diagnostics('main.yaml')).map(({ code, message }) => `${code} ${message}`);
    expect(before.filter((each) => !/^(?:CRITIC|SPELLING)/.test(each))).toEqual([]);
    const edit = await editor.ask<WorkspaceEdit>('rename', 'main.yaml', inText(main, 'ls'), { newName: 'listing' });
    const [main2, more2] = [
      applied(main, editor.uriOf('main.yaml'), edit),
      applied(more, editor.uriOf('more.yaml'), edit),
    ];
    expect(main2).toBe(mainWith('listing'));
    expect(more2).toBe(moreWith('listing'));
    await editor.open('more.yaml', more2);
    await editor.change('main.yaml', main2);
    expect((await editor.diagnostics('main.yaml')).map(({ code, message }) => `${code} ${message}`)).toEqual(before);
  });

  it('are found from every use, also from the included file and from a half-written text', async () => {
    const editor = await openEditor({ files: { 'more.yaml': more, 'main.yaml': main } });
    await editor.open('more.yaml', more);
    const [definition] = await editor.ask<Location[]>('definition', 'more.yaml', inText(more, 'ls'));
    expect(definition).toEqual({
      uri: editor.uriOf('main.yaml'),
      range: { start: { line: 7, character: 10 }, end: { line: 7, character: 12 } },
    });
    const half = main.replace('output:', '  - name: last\n    dependencies: [end, "\noutput:');
    await editor.open('main.yaml', half);
    const [end] = await editor.ask<Location[]>('definition', 'main.yaml', half.indexOf('end, "'));
    expect(end?.uri).toBe(editor.uriOf('more.yaml'));
    const uses = await editor.ask<Location[]>('references', 'main.yaml', inText(main, 'choose'), {
      context: { includeDeclaration: true },
    });
    expect(uses).toHaveLength(4);
    const inner = await editor.ask<Location[]>('definition', 'main.yaml', inText(main, 'ls2'));
    expect(inner).toHaveLength(1);
  });

  it('keep their names where a new name is no name, or is taken', async () => {
    const editor = await openEditor();
    await editor.open('a.yaml', main);
    const rename = (newName: string) => editor.ask('rename', 'a.yaml', inText(main, 'ls'), { newName });
    await expect(rename('Ls 2')).rejects.toThrow('lower-case letters');
    await expect(rename('choose')).rejects.toThrow('another step is named "choose"');
    await expect(editor.ask('prepareRename', 'a.yaml', 3)).rejects.toThrow('only names of steps');
  });
});
