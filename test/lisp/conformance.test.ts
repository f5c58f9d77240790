// Compares the language with recorded answers of Clojure, if the data is present.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { findBuiltin } from '../../src/lisp/builtins.ts';
import { departures } from '../../src/lisp/departures.ts';
import { specialForms } from '../../src/lisp/special-forms.ts';
import { evaluate, expected } from './evaluate.ts';

interface Case {
  readonly id: string;
  readonly expr: string;
  readonly expected?: string | { readonly error: string };
  readonly error?: string;
  readonly context?: Readonly<Record<string, Json>>;
}

const folder = join(import.meta.dirname, '../../../shared/conformance');
const there = existsSync(join(folder, 'lisp-open.json'));

/** The data names Java exceptions, which only tell that there is an error. */
const families: Readonly<Record<string, string>> = {
  parse_error: 'parse',
  invalid_form: 'parse',
  duplicate_key: 'parse',
  invalid_thread_form: 'parse',
  invalid_arity: 'arity',
  arity_error: 'arity',
  arity_mismatch: 'arity',
  unbound_var: 'unbound',
  type_error: 'type',
  not_callable: 'type',
  runtime_error: 'type',
  arithmetic_error: 'arithmetic',
};

function agrees(each: Case): boolean {
  const given = evaluate(each.expr, each.context ?? {});
  if (typeof each.expected === 'string') return given === expected(each.expected);
  const family = families[each.error ?? ''];
  return family === undefined ? given.startsWith('error ') : given === `error ${family}`;
}

describe.skipIf(!there)('recorded answers of Clojure', () => {
  const cases: readonly Case[] = there ? JSON.parse(readFileSync(join(folder, 'lisp-open.json'), 'utf8')).cases : [];
  const named = new Set(departures.flatMap(({ examples }) => examples.map(([expression]) => expression)));

  it('equal the values here, except for documented departures', () => {
    const silent = cases.filter((each) => !agrees(each) && !named.has(each.expr));
    expect(silent.map((each) => `${each.id}: ${each.expr} gives ${evaluate(each.expr, each.context)}`)).toEqual([]);
  });

  it('number over a thousand, and over 98 % of them agree', () => {
    expect(cases.length).toBeGreaterThan(1_000);
    expect(cases.filter(agrees).length).toBeGreaterThan(cases.length * 0.98);
  });

  it('use only names that exist here', () => {
    const special = new Set(specialForms.map((form) => form.name));
    const rows = [...readFileSync(join(folder, 'names.md'), 'utf8').matchAll(/^\| `([^`]+)` \|/gm)].map(
      (row) => row[1] ?? '',
    );
    const missing = rows.filter((name) => !special.has(name) && findBuiltin(name) === undefined);
    // `return` ends a program in the other language; here the last expression is the answer.
    expect(missing).toEqual(['return']);
    expect(rows.length).toBeGreaterThan(200);
  });
});
