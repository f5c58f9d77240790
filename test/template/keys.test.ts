// The keys that the docs name and the keys that the schema knows are the same.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { knownKeys, schemaOfPath } from '../../src/template/schema/meaning.ts';

const root = join(import.meta.dirname, '../..');
const reference = readFileSync(join(root, 'docs/template.md'), 'utf8');
const design = join(root, '../shared/design/template.md');

/** The keys of a section's table, by their first column. */
function documented(title: string): readonly string[] {
  const section = reference.split(/^## /m).find((each) => each.startsWith(`${title}\n`)) ?? '';
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1] ?? '');
}

const sections = {
  'At the top': [],
  '`budget`': ['budget'],
  'On a step': ['steps', 0],
  '`budget` on a step': ['steps', 0, 'budget'],
  'In one of `environments`': ['environments', 'llm'],
};

describe('the reference of keys', () => {
  it.each(Object.entries(sections))('documents under "%s" every key that the schema knows', (title, path) => {
    expect(knownKeys(schemaOfPath('template', path)).length).toBeGreaterThan(5);
    expect(documented(title)).toEqual(expect.arrayContaining([...knownKeys(schemaOfPath('template', path))]));
  });

  it.each(Object.entries(sections))('documents under "%s" no key that the schema does not know', (title, path) => {
    const unknown = documented(title).filter((key) => {
      const at: (string | number)[] = [...path];
      for (const part of key.split('.')) {
        at.push(part === '*' && schemaOfPath('template', [...at, 0]) !== undefined ? 0 : part);
      }
      return schemaOfPath('template', at) === undefined;
    });
    expect(unknown).toEqual([]);
  });

  it('describes every key', () => {
    expect(reference).not.toMatch(/^\| `[^`]+` \| [^|]* \| [^|]* \|\s*\|$/m);
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
