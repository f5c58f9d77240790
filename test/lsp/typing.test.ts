// A template typed letter by letter over the real protocol: every answer comes, and no diagnostic has words of a parser.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/template/parse/parse-json.ts';
import { parseYaml } from '../../src/template/parse/parse-yaml.ts';
import { root } from '../sources.ts';
import { openEditor } from './editor.ts';

/** Words of parsers and of JavaScript that tell an author nothing. */
const FOREIGN =
  /flow (?:map|seq)|block (?:map|seq|collection)|implicit|compact mapping|indented and end|plain value|scalar|unresolved|BAD_|MISSING_CHAR|TypeError|undefined|\[object/i;

const template = `reconverge: 1
name: typed
capabilities: [catalog]
input: "{folder :string}"
steps:
  # Every kind of value is typed here once.
  - name: ls
    handler: files.list
    input: { folder: "{{ input.folder }}", recursive: true }
  - name: total
    type: compute
    dependencies:
      - ls
    expr: |
      (let [{:keys [files]} (:ls data/depends)]
        (count files))
  - name: plan
    type: planning
    dependencies: [ls, 'total']
    planner: { kind: lisp, source: !lisp "{:steps []}" }
    goal: "Read {{ results.ls.folder }} U0001F600"
    convergence_target: done
  - name: done
    type: compute
    dependencies: [plan]
    expr: "1"
    retry: { max_attempts: 2 }
budget: { max_total_steps: 20 }
`;

/** Editors close brackets and quotes as soon as they are opened. */
const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}', '(': ')', '"': '"', "'": "'" };

describe('a person who types a template letter by letter', () => {
  it.each([false, true])('gets answers at every letter, in an editor that closes brackets: %s', async (closes) => {
    const editor = await openEditor({ delay: 0 });
    const said = new Set<string>();
    await editor.open('a.yaml', '');
    let offset = 0;
    for (const letter of template) {
      const [at, next] = [offset, editor.textOf('a.yaml')[offset]];
      offset += letter.length;
      const isTypedOver = closes && next === letter && Object.values(CLOSING).includes(letter);
      if (!isTypedOver) await editor.change('a.yaml', letter + (closes ? (CLOSING[letter] ?? '') : ''), { offset: at });
      const answers = ['completion', 'hover', 'definition', 'documentHighlight'].map((method) =>
        editor.ask(method, 'a.yaml', offset),
      );
      await Promise.all(answers);
      if (at % 5 === 0) for (const { message } of await editor.diagnostics('a.yaml')) said.add(String(message));
    }
    const last = await editor.diagnostics('a.yaml');
    expect(editor.textOf('a.yaml').trim()).toBe(template.trim());
    expect(last.filter(({ severity }) => severity === 1)).toEqual([]);
    expect(said.size).toBeGreaterThan(10);
    expect([...said].filter((message) => FOREIGN.test(message))).toEqual([]);
    expect(editor.errors()).toEqual([]);
  });

  it('reads no words of a parser at any length of any template', () => {
    const said = new Set<string>();
    for (const file of globSync('templates/*.{yaml,json}', { cwd: root })) {
      const text = readFileSync(join(root, file), 'utf8').slice(0, 4000);
      const parse = file.endsWith('.json') ? parseJson : parseYaml;
      for (let end = 1; end < text.length; end += 43)
        for (const { message, hint = '' } of parse(text.slice(0, end), file).issues) said.add(`${message}: ${hint}`);
    }
    expect([...said].filter((message) => FOREIGN.test(message))).toEqual([]);
  });
});
