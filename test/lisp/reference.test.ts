// Compares the reference with the language: every example is true, and no name is missing.
import { describe, expect, it } from 'vitest';
import { lispReference } from '../../scripts/generate/lisp-reference.ts';
import { specialNames } from '../../src/lisp/analyze/analyze.ts';
import { chapters } from '../../src/lisp/builtins.ts';
import { departures } from '../../src/lisp/departures.ts';
import { docOf } from '../../src/lisp/reference.ts';
import { specialForms } from '../../src/lisp/special-forms.ts';
import { evaluate, expected } from './evaluate.ts';

const builtins = chapters.flatMap((chapter) => chapter.builtins);

function wrong(rows: readonly (readonly [string, string])[]): string[] {
  return rows
    .filter(([expression, gives]) => evaluate(expression) !== expected(gives))
    .map(([expression, gives]) => `${expression} gives ${evaluate(expression)}, not ${gives}`);
}

describe('the reference', () => {
  it('has an example for each builtin that gives the stated value', () => {
    expect(wrong(builtins.map(({ example, gives }) => [example, gives]))).toEqual([]);
  });

  it('has an example for each special form that gives the stated value', () => {
    expect(wrong(specialForms.map(({ example, gives }) => [example, gives]))).toEqual([]);
  });

  it('has examples for each departure that give the stated values', () => {
    expect(wrong(departures.flatMap(({ examples }) => examples))).toEqual([]);
  });

  it('uses each builtin in its own example', () => {
    const bare = (name: string) => name.slice(name.indexOf('/') > 0 ? name.indexOf('/') + 1 : 0);
    expect(builtins.filter(({ name, example }) => !example.includes(bare(name))).map(({ name }) => name)).toEqual([]);
  });

  it('has every special form', () => {
    expect(specialForms.map((form) => form.name).sort()).toEqual([...specialNames].sort());
  });

  it('lists about three hundred builtins, each once', () => {
    const names = builtins.map(({ name }) => name);
    expect(names.length).toBe(new Set(names).size);
    expect(names.length).toBeGreaterThan(280);
  });

  it('has a page for each chapter, with a row for each builtin', () => {
    const pages = Object.values(lispReference()).join('');
    for (const { name } of builtins) expect(pages).toContain(`| \`${name}\` |`);
    expect(Object.keys(lispReference())).toHaveLength(chapters.length + 1);
  });

  it('finds a builtin by every spelling of its name', () => {
    expect(docOf('str/join')).toContain('string/join');
    expect(docOf('if-let')).toContain('(if-let [pattern test] then else?)');
    expect(docOf('frobnicate')).toBeUndefined();
  });
});
