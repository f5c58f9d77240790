// References: what they are, and what becomes of the values that hold them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { issue } from '../../src/base/issue.ts';
import type { Json } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import { interpolate } from '../../src/template/interpolate.ts';
import { readReferences, valueAt } from '../../src/template/references.ts';

const data: Json = {
  input: { folder: '/data', depth: 3, tags: ['a', 'b'] },
  results: { ingest: { files: ['x.csv', 'y.csv'] }, 'plan.1/fetch_a': { path: 'p' }, skipped: null },
};

const fill = (value: Json, most?: number) =>
  interpolate(
    value,
    (root, path) => valueAt(data, [root, ...path]),
    ({ $lisp }) => ($lisp === 'fail' ? bad([issue('LISP_FAILED', 'it failed')]) : good(`computed ${$lisp}`)),
    most,
  );

const filled = (value: Json) => {
  const result = fill(value);
  return result.ok ? result.value : result.error.map((each) => each.code);
};

describe('filling references in', () => {
  it('keeps the type of a value when the text is one placeholder', () => {
    expect(filled('{{ input.depth }}')).toBe(3);
    expect(filled('{{input.tags}}')).toEqual(['a', 'b']);
    expect(filled({ deep: [{ at: '{{ results.ingest.files.1 }}' }] })).toEqual({ deep: [{ at: 'y.csv' }] });
  });

  it('prints strings plainly and everything else as JSON inside text', () => {
    expect(filled('{{ input.folder }}/{{ input.depth }}: {{ input.tags }}')).toBe('/data/3: ["a","b"]');
  });

  it('writes a quoted text literally', () => {
    expect(filled('{{ "{{" }} name }} lives in {{ input.folder }}')).toBe('{{ name }} lives in /data');
    expect(filled('{{ "a \\"b\\" {{ c \\u007d}" }}')).toBe('a "b" {{ c }}');
    expect(filled('{{ "open }}')).toEqual(['REFERENCE_MALFORMED']);
  });

  it('accepts a full step id in brackets', () => {
    expect(filled('{{ results["plan.1/fetch_a"].path }}')).toBe('p');
  });

  it('evaluates Lisp anywhere in the value', () => {
    expect(filled({ a: { $lisp: '(+ 1 2)' } })).toEqual({ a: 'computed (+ 1 2)' });
    expect(filled([{ $lisp: 'fail' }])).toEqual(['LISP_FAILED']);
  });

  it('reads a skipped result as null all the way down', () => {
    expect(filled('{{ results.skipped.any.path }}')).toBeNull();
  });

  it('reports a reference to a missing value', () => {
    expect(filled({ a: '{{ input.nothing }}', b: 'x{{ results.ingest.files.9 }}' })).toEqual([
      'REFERENCE_UNRESOLVED',
      'REFERENCE_UNRESOLVED',
    ]);
    expect(filled('{{ input.constructor }}')).toEqual(['REFERENCE_UNRESOLVED']);
  });

  it('leaves env and secret placeholders unchanged', () => {
    const value = { token: `$${'{secret.TOKEN}'}`, home: `$${'{env.HOME}'}` };
    expect(filled(value)).toBe(value);
  });

  it('returns the same object when it has no references', () => {
    fc.assert(
      fc.property(fc.object({ withNullPrototype: false }), (value) => {
        const json: Json = JSON.parse(JSON.stringify(value).replaceAll('{{', ''));
        const result = fill(json);
        expect(result.ok && result.value).toBe(json);
      }),
    );
  });
});

describe('reading references', () => {
  it('finds each reference with its path in the value', () => {
    const { references, issues } = readReferences({
      a: ['{{ depends }}', 'x {{ run.id }} {{ depends.b.c.0 }}'],
      lisp: { $lisp: '{{ no }}' },
    });
    expect(issues).toEqual([]);
    expect(references).toEqual([
      { root: 'depends', path: [], at: ['a', 0] },
      { root: 'run', path: ['id'], at: ['a', 1] },
      { root: 'depends', path: ['b', 'c', '0'], at: ['a', 1] },
    ]);
  });

  it.each([
    '{{ }}',
    '{{ foo.x }}',
    '{{ input..x }}',
    '{{ input.x | upper }}',
    '{{ input.x',
    '{{ results[a] }}',
    '{{ input.x. }}',
  ])('calls %s malformed', (text) => {
    expect(readReferences(text).issues.map((each) => each.code)).toContain('REFERENCE_MALFORMED');
  });

  it('never throws on any text', () => {
    const part = fc.constantFrom('{{', '}}', 'input', '.', '["', '"]', 'results', ' ', '0', '[', ']', '|');
    fc.assert(
      fc.property(
        fc.array(part).map((parts) => parts.join('')),
        (text) => void readReferences(text),
      ),
    );
  });
});

describe('the size of referenced values', () => {
  const refusals = (value: Json, most: number) => {
    const outcome = fill(value, most);
    return outcome.ok ? [] : outcome.error;
  };
  const thrice = ['{{ results.ingest.files }}', '{{ results.ingest.files }}', 'again: {{ results.ingest.files }}'];

  it('counts at each reference, in characters of JSON', () => {
    // Each is ["x.csv","y.csv"], 17 characters.
    expect(fill(thrice, 51).ok).toBe(true);
    expect(refusals(thrice, 50)).toMatchObject([
      { code: 'RESULT_TOO_LARGE', message: expect.stringContaining('50 characters') },
    ]);
  });

  it('includes the values of expressions', () => {
    expect(refusals([{ $lisp: 'a' }, { $lisp: 'b' }], 15)).toMatchObject([{ code: 'RESULT_TOO_LARGE' }]);
  });
});
