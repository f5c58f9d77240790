// A template typed letter by letter over the real protocol: every answer comes, and no diagnostic has words of a parser.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../sources.ts';
import { openEditor } from './editor.ts';

/** Words of the YAML library and of JavaScript that tell an author nothing. */
const FOREIGN =
  /flow (?:map|seq)|block (?:map|seq|collection)|implicit|compact mapping|indented and end|plain value|unexpected scalar|scalar|unresolved|BAD_|MISSING_CHAR|TypeError|undefined|\[object/i;

describe('a person who types a template letter by letter', () => {
  it.each(['templates/recon-then-execute.yaml'])('gets answers at every letter of %s', async (file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const editor = await openEditor();
    const said = new Set<string>();
    await editor.open('a.yaml', 'reconverge: 1\n');
    const rest = text.slice(text.indexOf('reconverge: 1\n') + 'reconverge: 1\n'.length);
    for (const letter of rest) {
      const offset = editor.textOf('a.yaml').length;
      await editor.change('a.yaml', letter, { offset });
      await Promise.all([
        editor.ask('completion', 'a.yaml', offset + 1),
        editor.ask('hover', 'a.yaml', offset + 1),
        editor.ask('definition', 'a.yaml', offset + 1),
        editor.ask('documentHighlight', 'a.yaml', offset),
      ]);
      for (const { message } of editor.published('a.yaml') ?? []) said.add(message);
    }
    await editor.diagnostics('a.yaml');
    expect([...said].filter((message) => FOREIGN.test(message))).toEqual([]);
    expect(editor.errors()).toEqual([]);
    expect(editor.textOf('a.yaml').endsWith(rest)).toBe(true);
  });
});
