// The keys that the docs name and the keys that the schema knows are the same.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { templateReference } from '../../scripts/generate/template-reference.ts';
import { knownKeys, schemaOfPath } from '../../src/template/schema/meaning.ts';

const design = join(import.meta.dirname, '../../../shared/design/template.md');

interface Section {
  /** `models.*.prices`; empty for the top of a template. */
  readonly path: string;
  readonly keys: readonly string[];
}

const sections: readonly Section[] = Object.entries(templateReference()).flatMap(([file, text]) =>
  text
    .split(/^## /m)
    .slice(file === 'template/README.md' ? 0 : 1)
    .map((part) => ({
      path: file === 'template/README.md' ? '' : (part.split('`')[1] ?? ''),
      keys: [...part.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1] ?? ''),
    })),
);

/** The path of a section as the schema takes it: an index for the entry of a list, any name for the entry of a map. */
function schemaPath(path: string): readonly (string | number)[] {
  const at: (string | number)[] = [];
  for (const part of path === '' ? [] : path.split('.'))
    at.push(part === '*' && schemaOfPath('template', [...at, 0]) !== undefined ? 0 : part);
  return at;
}

describe('the reference of keys', () => {
  it('documents every key of each section, and no other', () => {
    for (const { path, keys } of sections)
      expect([path, [...keys].sort()]).toEqual([
        path,
        [...knownKeys(schemaOfPath('template', schemaPath(path)))].sort(),
      ]);
  });

  it('has each map of keys once', () => {
    const paths = sections.map(({ path }) => path);
    expect(paths).toEqual([...new Set(paths)]);
    expect(paths).toEqual(
      expect.arrayContaining(['', 'budget', 'steps.*', 'steps.*.budget', 'environments.*', 'planners.*']),
    );
    const contents = sections.map(({ keys }) => keys.join()).filter((keys) => keys.split(',').length > 3);
    expect(contents).toEqual([...new Set(contents)]);
  });

  it('describes every key', () => {
    const pages = Object.values(templateReference()).join('');
    expect(pages).not.toMatch(/^\| `[^`]+` \| [^|]* \|\s*\|$/m);
  });
});

describe.skipIf(!existsSync(design))('the design', () => {
  const text = existsSync(design) ? readFileSync(design, 'utf8') : '';
  const between = (from: string, to: string) => text.slice(text.indexOf(from), text.indexOf(to));
  const words = (part: string) => [...part.matchAll(/`([a-z_]+)[^`]*`/g)].map((match) => match[1] ?? '');
  // Words in backticks that are values, not keys.
  const values = ['repair', 'source', 'stop', 'lisp', 'keep', 'elide', 'sample', 'max_tokens'];

  it('names no key at the top of a template that the schema does not know', () => {
    const named = words(between('### Top level', '### Step types')).filter((word) => !values.includes(word));
    expect(named.length).toBeGreaterThan(25);
    expect(knownKeys(schemaOfPath('template', []))).toEqual(expect.arrayContaining(named));
  });

  it('names no field of a step that the schema does not know', () => {
    const named = words(between('### Step fields', 'Defaults (where')).filter((word) => !values.includes(word));
    expect(named.length).toBeGreaterThan(35);
    expect(knownKeys(schemaOfPath('template', ['steps', 0]))).toEqual(expect.arrayContaining(named));
  });

  it('names no type of step that the schema does not know', () => {
    const table = between('### Step types', '### Step fields');
    const named = [...table.matchAll(/^\| `(\w+)`(?: \(.*?alias `(\w+)`\))?/gm)].flatMap((match) => [
      match[1],
      match[2],
    ]);
    const known = schemaOfPath('template', ['steps', 0, 'type'])?.enum;
    expect(named.filter((word) => word !== undefined && word !== 'type').length).toBeGreaterThan(8);
    expect(known).toEqual(expect.arrayContaining(named.filter((word) => word !== undefined && word !== 'type')));
  });
});
