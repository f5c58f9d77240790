// Reading text: places, the traps of YAML, and that nothing ever throws.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type Json } from '../../src/base/json.ts';
import { parseJson } from '../../src/template/parse/parse-json.ts';
import { parseYaml } from '../../src/template/parse/parse-yaml.ts';
import { MAX_SOURCE } from '../../src/template/parse/tree.ts';

const folder = join(import.meta.dirname, 'cases');
const texts = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(join(folder, name), 'utf8'));

const codes = (text: string) => parseYaml(text, 'a.yaml').issues.map((each) => each.code);

describe('reading YAML', () => {
  it('returns the value and the place of each part', () => {
    const { tree, issues } = parseYaml('a: 1\nlist:\n  - { name: first, size: 200k }\n', 'a.yaml');
    expect(issues).toEqual([]);
    expect(tree?.value).toEqual({ a: 1, list: [{ name: 'first', size: '200k' }] });
    expect(tree?.placeOf(['list', 0, 'name'])).toEqual({
      file: 'a.yaml',
      line: 3,
      column: 13,
      endLine: 3,
      endColumn: 18,
    });
    expect(tree?.placeOf(['list', 0, 'size'], 'key')).toMatchObject({ line: 3, column: 20, endColumn: 24 });
  });

  it('returns the place of the nearest part above for a missing part', () => {
    const { tree } = parseYaml('a:\n  b: 1\n  c: 2\n', 'a.yaml');
    expect(tree?.placeOf(['a', 'd', 'e'])).toMatchObject({ line: 1, column: 1, endColumn: 2 });
  });

  it('reads !lisp as an expression at any place', () => {
    const text = 'a: !lisp (pos? 1)\nb: [!lisp "(x)"]\nc: !lisp |\n  (y\n   z)\n';
    expect(parseYaml(text, 'a.yaml').tree?.value).toEqual({
      a: { $lisp: '(pos? 1)' },
      b: [{ $lisp: '(x)' }],
      c: { $lisp: '(y\n z)\n' },
    });
  });

  it('reports an expression that a comment cuts off, even if the YAML is then invalid', () => {
    const places = (text: string) => parseYaml(text, 'a.yaml').issues.map(({ code, place }) => [code, place?.column]);
    expect(places('a: !lisp (map #(inc %) xs)\n')).toEqual([['YAML_LISP_CUT', 15]]);
    expect(places('a: [!lisp (map #(inc %) xs), 1]\nb: 1\n')).toEqual([['YAML_LISP_CUT', 16]]);
    expect(places('a: (map #(inc %) xs)\n')).toEqual([['YAML_LISP_CUT', 9]]);
    for (const text of [
      'a: !lisp (f) # why\n',
      'a: (see) #(that)\n',
      'a: !lisp "(map #(f) xs)"\n',
      'a: [1 # (two)\n',
    ]) {
      expect(codes(text)).not.toContain('YAML_LISP_CUT');
    }
  });

  it('reads words as texts that older YAML converts, such as yes and no', () => {
    expect(parseYaml('a: yes\nb: off\nc: 2026-01-01\nd: 0o14\n', 'a.yaml').tree?.value).toEqual({
      a: 'yes',
      b: 'off',
      c: '2026-01-01',
      d: 12,
    });
  });

  it('repeats the value of an alias', () => {
    expect(parseYaml('a: &x [1]\nb: *x\n', 'a.yaml').tree?.value).toEqual({ a: [1], b: [1] });
  });

  it('treats a key called __proto__ as a key', () => {
    const value = parseYaml('__proto__: { polluted: true }\n', 'a.yaml').tree?.value;
    expect(Object.keys(value ?? {})).toEqual(['__proto__']);
    expect(Object.hasOwn({}, 'polluted')).toBe(false);
  });

  it('refuses a file above the size limit', () => {
    expect(codes('#'.repeat(MAX_SOURCE + 1))).toEqual(['SOURCE_TOO_LARGE']);
  });

  it('refuses nesting that would exhaust the stack', () => {
    expect(codes(`a: ${'['.repeat(300)}${']'.repeat(300)}\n`)).toEqual(['SOURCE_TOO_DEEP']);
    expect(codes(`a: ${'['.repeat(50_000)}`)).toEqual(['SOURCE_TOO_DEEP']);
  });

  it('stops at an alias bomb', () => {
    const levels = Array.from(
      { length: 20 },
      (_, index) => `l${index}: &l${index} [${index === 0 ? 'x' : `*l${index - 1}, *l${index - 1}, *l${index - 1}`}]`,
    );
    expect(codes(levels.join('\n'))).toEqual(['YAML_ALIAS_BOMB']);
  });

  it('never throws for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        parseYaml(new TextDecoder().decode(bytes), 'a.yaml');
      }),
    );
  });

  it('never throws for a valid text with random changes', () => {
    const piece = fc.constantFrom(
      '&a',
      '*a',
      '!lisp ',
      '!x ',
      '{',
      '}',
      '[',
      ']',
      ': ',
      '- ',
      '\t',
      '\n',
      '"',
      '|',
      '<<: ',
      '? ',
      '\u0000',
      '%',
    );
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.nat(), fc.nat(30), piece, (text, at, cut, put) => {
        const from = at % (text.length + 1);
        const { tree } = parseYaml(text.slice(0, from) + put + text.slice(from + cut), 'a.yaml');
        tree?.placeOf(['steps', 0, 'name']);
      }),
      { numRuns: 300 },
    );
  });
});

describe('reading JSON', () => {
  it('returns the value and the place of each part', () => {
    const { tree, issues } = parseJson('{\n  "steps": [ { "name": "a" } ]\n}', 'a.json');
    expect(issues).toEqual([]);
    expect(tree?.value).toEqual({ steps: [{ name: 'a' }] });
    expect(tree?.placeOf(['steps', 0, 'name'])).toEqual({
      file: 'a.json',
      line: 2,
      column: 24,
      endLine: 2,
      endColumn: 27,
    });
    expect(tree?.placeOf(['steps', 0, 'nme'], 'key')).toMatchObject({ line: 2, column: 14 });
  });

  it('reports the place of a syntax error', () => {
    expect(parseJson('{"a": 1,\n "b": x}', 'a.json').issues).toMatchObject([
      { code: 'JSON_SYNTAX', place: { line: 2, column: 7 } },
    ]);
    expect(parseJson('{"a": 1', 'a.json').issues).toMatchObject([
      { code: 'JSON_SYNTAX', place: { line: 1, column: 1 } },
    ]);
  });

  it('reports repeated keys and inexact numbers', () => {
    const { issues } = parseJson('{"a": 1, "a": [12345678901234567890]}', 'a.json');
    expect(issues.map((each) => each.code)).toEqual(['KEY_DUPLICATE', 'NUMBER_INEXACT']);
  });

  it('refuses nesting that would exhaust the stack', () => {
    expect(parseJson('['.repeat(5_000) + ']'.repeat(5_000), 'a.json').issues[0]?.code).toBe('SOURCE_TOO_DEEP');
  });

  it('finds a place for every part of every value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value, null, 1);
        const { tree } = parseJson(text, 'a.json');
        const visit = (each: Json, path: readonly (string | number)[]): void => {
          const place = tree?.placeOf(path);
          if (typeof each === 'string' || typeof each === 'number') {
            const line = text.split('\n')[(place?.line ?? 0) - 1] ?? '';
            expect(line.slice((place?.column ?? 0) - 1, (place?.endColumn ?? 0) - 1)).toBe(JSON.stringify(each));
          }
          for (const [index, item] of Array.isArray(each) ? each.entries() : []) visit(item, [...path, index]);
          for (const [key, item] of isJsonObject(each) ? Object.entries(each) : []) visit(item, [...path, key]);
        };
        visit(JSON.parse(text), []);
      }),
    );
  });

  it('reports the exact place of a cut or broken token', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (value, at) => {
        const text = JSON.stringify([value], null, 1);
        const from = 1 + (at % (text.length - 1));
        const { issues } = parseJson(`${text.slice(0, from)}\u0001${text.slice(from)}`, 'a.json');
        expect(issues.map((each) => each.code)).toEqual(['JSON_SYNTAX']);
      }),
    );
  });

  it('never throws for any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseJson(text, 'a.json')));
  });
});
