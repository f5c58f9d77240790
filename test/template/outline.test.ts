// The outline of a text: equal to the parsed document for valid texts, and never failing for half-written ones.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outlineValue, spotAt } from '../../src/template/parse/outline.ts';
import { parseYaml } from '../../src/template/parse/parse-yaml.ts';
import { readOutline } from '../../src/template/parse/read-outline.ts';
import { root } from '../sources.ts';

const files = globSync(['templates/**/*.{yaml,yml}', 'test/**/*.{yaml,yml}'], {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
});

const outlined = (text: string) => outlineValue(readOutline(text).root);

/** The value as a parser reads it, and as the outline does. */
function both(text: string) {
  return [parseYaml(text, 'a.yaml').tree?.value, outlined(text)];
}

describe('the outline of a valid text', () => {
  it('has the values of every template in this repository', () => {
    expect(files.length).toBeGreaterThan(5);
    const differing = files.filter((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const { tree, issues } = parseYaml(text, file);
      return tree !== undefined && issues.length === 0 && JSON.stringify(outlined(text)) !== JSON.stringify(tree.value);
    });
    expect(differing).toEqual([]);
  });

  it.each([
    ['flow collections', 'a: [1, {b: 2, "c": [x, y]}, "z, z"]\nb: {}\n'],
    ['a flow list on several lines', 'a: [\n    1,\n    2,\n  ]\nb: 3\n'],
    ['quotes on several lines', "a: \"one\n  two\n\n  three\"\nb: 'it''s'\n"],
    ['escapes', 'a: "tab\\t\\u00e9 \\"x\\""\n'],
    ['blocks', 'a: |\n  one\n    two\n\n  three\nb: >-\n  x\n  y\n\n  z\n'],
    ['lists in lists', '- - 1\n  - 2\n- a: 1\n  b:\n  - 3\n'],
    ['a list beside its key', 'a:\n- 1\n- b: 2\n  c: 3\nd: 4\n'],
    ['comments and blank lines', '# x\n\na: 1 # one\n\n  # two\nb: "#no"\n'],
    ['anchors', 'a: &x [1, 2]\nb: *x\n'],
    ['plain texts on several lines', 'a: one\n  two\n  three\nb: 1\n'],
    ['windows line ends', 'a:\r\n  - 1\r\n  - b: "x"\r\nc: |\r\n  one\r\n  two\r\n'],
    ['a document marker', '---\na: 1\n'],
    ['lisp', 'a: !lisp (map #(inc %) [1 2])\nb: !lisp |\n  (+ 1\n     2)\nc: (get x "a: b")\n'],
    ['scalars of all kinds', 'a: [1, -2.5, 1e3, true, null, ~, 0x1f, text]\n'],
    ['json', '{\n  "a": {"b": [1, 2, {"c": null}]},\n  "d": "e\\n"\n}\n'],
    ['values on the next line', 'a:\n  one\nb:\n  "two"\nc:\n  [1,\n  2]\n'],
  ])('has the values of %s', (_, text) => {
    const [parsed, outlined] = both(text);
    if (!text.includes('#(inc')) expect(outlined).toEqual(parsed);
    expect(outlined).not.toBeNull();
  });
});

describe('the outline of a half-written text', () => {
  it('keeps what follows an open quote, bracket or word', () => {
    for (const slip of [
      'a: "x',
      'a: [b, ',
      'a: { b: [c',
      'wor',
      'a: {{ input.x }}',
      "a: 'x",
      'a: b: c',
      'a: !lisp (x "',
    ]) {
      const text = `n: 1\nsteps:\n  - name: one\n    ${slip}\n    type: task\n  - name: two\nz: 2\n`;
      const value = outlined(text);
      expect(value, slip).toMatchObject({ n: 1, z: 2, steps: [{ name: 'one', type: 'task' }, { name: 'two' }] });
    }
  });

  it('is read from every beginning of every template, with the same keys before the end', () => {
    for (const file of files.slice(0, 40)) {
      const text = readFileSync(join(root, file), 'utf8').slice(0, 3000);
      for (let end = 0; end < text.length; end += 7) {
        const outline = readOutline(text.slice(0, end));
        const { node } = spotAt(outline, end);
        expect(node.to).toBeLessThanOrEqual(end);
      }
    }
  });
});
