// Mistakes that a person could make in real templates: each is answered in our own words, near the mistake, and once.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/template/parse/parse-json.ts';
import { parseYaml } from '../../src/template/parse/parse-yaml.ts';
import type { ParsedDocument } from '../../src/template/parse/tree.ts';

const root = join(import.meta.dirname, '../..');
const names = ['stock-comparison', 'review-then-publish', 'triage-refunds', 'map-analyze-reduce'];
const templates = names.map((name) => {
  const text = readFileSync(join(root, `templates/${name}.yaml`), 'utf8').replace(/^(?:#[^\n]*\n)+/, '');
  // A part of each is enough, and fast.
  return text.slice(0, text.lastIndexOf('\n', 1_200) + 1);
});

/** The sentences of the `yaml` package, from its own sources. */
const sentences = globSync('node_modules/yaml/dist/{compose,doc,schema,parse}/**/*.js', { cwd: root })
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .flatMap((text) => [...text.matchAll(/(['"`])([A-Z][^'"`\n]*? [^'"`\n]{8,})\1/g)].map((match) => match[2] ?? ''))
  // A template literal is recognized by its fixed beginning.
  .map((sentence) => sentence.split('${')[0]?.trim() ?? '')
  .filter((sentence) => sentence.length > 12);

/** The words of V8 and of JSON.parse. */
const foreign = /Unexpected token|JSON at position|call stack|undefined|\[object|Error:/;

/** A generator of numbers that gives the same ones on every machine. */
function numbers(seed: number): (below: number) => number {
  let at = seed;
  return (below) => {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((at / 2 ** 32) * below);
  };
}

const SIGNS = [...'{}[]"\':,-#|>&*!@%`? \n\taé'];

/** The text with one character or line deleted, inserted, doubled, or shifted. */
function mistaken(text: string, pick: (below: number) => number): string {
  const at = pick(text.length);
  const lines = text.split('\n');
  const row = pick(lines.length);
  const line = lines[row] ?? '';
  const sign = SIGNS[pick(SIGNS.length)] ?? '';
  const ways = [
    text.slice(0, at) + text.slice(at + 1),
    text.slice(0, at) + sign + text.slice(at),
    text.slice(0, at) + text.charAt(at) + text.slice(at),
    lines.toSpliced(row, 1).join('\n'),
    lines.toSpliced(row, 0, line).join('\n'),
    lines.with(row, ' '.repeat(1 + pick(3)) + line).join('\n'),
    lines.with(row, line.slice(1 + pick(2))).join('\n'),
    text.slice(0, at),
  ];
  return ways[pick(ways.length)] ?? text;
}

function faultsOf(text: string, { issues }: ParsedDocument): readonly string[] {
  const lines = text.split('\n');
  const told = issues.flatMap(({ message, hint = '', mend }) => [message, hint, mend?.title ?? '']);
  const raw = told.filter((each) => foreign.test(each) || sentences.some((sentence) => each.includes(sentence)));
  const lost = issues.filter(({ place }) => {
    const line = lines[(place?.line ?? 0) - 1];
    return line === undefined || place === undefined || place.column < 1 || place.column > line.length + 1;
  });
  return [
    ...raw,
    ...lost.map(({ code }) => `${code} has no place in the file`),
    ...(issues.length > 5 ? [`${issues.length} issues for one mistake`] : []),
    ...issues.filter(({ hint }) => hint === undefined).map(({ code }) => `${code} has no hint`),
  ];
}

describe('a mistake in a real template', () => {
  it('knows the sentences of the parser', () => {
    expect(sentences.length).toBeGreaterThan(40);
    expect(sentences).toContain('Nested mappings are not allowed in compact mappings');
  });

  it('is never told in the words of the parser, lies in the file, and gives a handful of issues', () => {
    const pick = numbers(2_024);
    const found: string[] = [];
    let unexplained = 0;
    let broken = 0;
    for (let count = 0; count < 1_200; count += 1) {
      const text = mistaken(templates[count % templates.length] ?? '', pick);
      const parsed = parseYaml(text, 'a.yaml');
      found.push(...faultsOf(text, parsed).map((fault) => `${count}: ${fault}`));
      if (parsed.tree === undefined) broken += 1;
      if (parsed.issues.some(({ code }) => code === 'YAML_SYNTAX')) unexplained += 1;
    }
    expect(found).toEqual([]);
    expect(broken).toBeGreaterThan(300);
    // Most broken texts are explained by a mistake that a person makes.
    expect(unexplained / broken).toBeLessThan(0.15);
  }, 60_000);

  it('is answered in the same way in JSON', () => {
    const pick = numbers(7);
    const values = templates.map((text) => JSON.stringify(parseYaml(text, 'a.yaml').tree?.value ?? {}, null, 2));
    const found: string[] = [];
    for (let count = 0; count < 3_000; count += 1) {
      const text = mistaken(values[count % values.length] ?? '', pick);
      found.push(...faultsOf(text, parseJson(text, 'a.json')).map((fault) => `${count}: ${fault}`));
    }
    expect(found).toEqual([]);
  });
});
