// Warnings about a valid template: parts that probably do not do what their author means.
import { type Issue, issue, type PathPart } from '../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, ownProperty } from '../base/json.ts';
import { didYouMean } from '../base/nearest.ts';
import { isGranted } from '../contract/grant.ts';
import { secretsIn } from './advice/secrets.ts';
import { outdatedSpellings } from './advice/spellings.ts';
import { eachWork } from './check/paths.ts';
import { compileExpression } from './expressions.ts';
import { isLisp, valueAt } from './references.ts';
import type { Template } from './template.ts';

export interface AdviceOptions {
  /** All granted capabilities are known; otherwise globs without a match are not reported. */
  readonly declared: boolean;
}

/** Warnings with paths into `written`, the document before it was resolved. */
export function adviceOn(template: Template, written: Json, options: AdviceOptions): readonly Issue[] {
  return [...(template.steps.length === 0 ? [noSteps] : []), ...adviceOnIncluded(template, written, options)];
}

/** Warnings about the own steps of an included document. */
export function adviceOnIncluded(template: Template, written: Json, { declared }: AdviceOptions): readonly Issue[] {
  return [
    ...(declared ? grantsOfNothing(template, written) : []),
    ...lispWithoutTag(template, written),
    ...dollars(template, written),
    ...secretsIn(written),
    ...outdatedSpellings(written),
  ];
}

const noSteps = issue('STEPS_EMPTY', 'the template has no steps, so a run does nothing', {
  severity: 'warning',
  path: ['steps'],
  hint: 'add a step: - { name: look, handler: files.list, input: { folder: data } }',
});

/** The path of a step in the document; undefined for a step of an included file. */
export function placeOfStep(written: Json, name: string): readonly PathPart[] | undefined {
  const steps = ownProperty(written, 'steps');
  const index = isJsonArray(steps) ? steps.findIndex((each) => ownProperty(each, 'name') === name) : -1;
  return index < 0 ? undefined : ['steps', index];
}

function grantsOfNothing({ steps, capabilities, sources }: Template, written: Json): readonly Issue[] {
  const names = Object.keys(capabilities);
  // The tools of a server are unknown until it starts.
  const servers = new Set(sources.flatMap((each) => (typeof each !== 'string' && 'mcp' in each ? each.mcp.name : [])));
  return steps.flatMap(({ name, planning }) => {
    const at = placeOfStep(written, name);
    return (planning?.allow ?? []).flatMap((glob, index) => {
      const family = glob.split('.')[0] ?? '';
      if (at === undefined || servers.has(family) || names.some((each) => isGranted(each, [glob], []))) return [];
      const isList = isJsonArray(valueAt(written, [...at.map(String), 'allow']));
      return [
        issue('GRANT_MATCHES_NOTHING', `"${glob}" matches no granted capability`, {
          severity: 'warning',
          path: [...at, 'allow', ...(isList ? [index] : [])],
          hint: hintAt(glob, names),
        }),
      ];
    });
  });
}

/** The most capabilities in a hint. */
const SHOWN = 8;

function hintAt(glob: string, names: readonly string[]): string {
  const families = [...new Set(names.map((name) => name.slice(0, name.lastIndexOf('.') + 1)))].filter(
    (each) => each !== '',
  );
  const near = didYouMean(glob, glob.includes('*') ? families.map((family) => `${family}*`) : names);
  if (near !== undefined) return near;
  if (names.length === 0) return 'nothing is granted: list "catalog" or a module under "capabilities"';
  const all = [...families.map((family) => `${family}*`), ...names.filter((name) => !name.includes('.'))];
  return `choose from ${all.slice(0, SHOWN).join(', ')}${all.length > SHOWN ? ' and others' : ''}`;
}

/** Reports texts that look like Lisp without its tag: they stay plain texts. */
function lispWithoutTag({ steps }: Template, written: Json): readonly Issue[] {
  return eachWork({ steps }, (step, _at, of = step) => {
    const at = placeOfStep(written, of.name);
    if (at === undefined || step.input === undefined) return [];
    const inside = step === of ? at : [...at, 'do'];
    return textsIn(step.input, [...inside, 'input'])
      .filter(({ text }) => isLispText(text))
      .map(({ path }) =>
        issue('LISP_UNMARKED', 'this text looks like Lisp, but it is passed on as plain text', {
          severity: 'warning',
          path,
          hint: 'write !lisp before it to evaluate it',
        }),
      );
  });
}

/** `${{ input.a }}` of GitHub Actions: the dollar sign stays in the text. */
function dollars({ steps }: Template, written: Json): readonly Issue[] {
  return eachWork({ steps }, (step, _at, of = step) => {
    const at = placeOfStep(written, of.name);
    if (at === undefined || step.input === undefined) return [];
    return textsIn(step.input, [...(step === of ? at : [...at, 'do']), 'input'])
      .filter(({ text }) => /^\$\{\{[^{}]*\}\}$/.test(text.trim()))
      .map(({ text, path }) =>
        issue('REFERENCE_DOLLAR', 'the "$" before {{ stays in the text', {
          severity: 'warning',
          path,
          hint: `write "${text.trim().slice(1)}"`,
        }),
      );
  });
}

function isLispText(text: string): boolean {
  const trimmed = text.trim();
  if (!/^\([a-zA-Z:+*/<>=-][^\s()]*[\s)]/.test(trimmed)) return false;
  return trimmed.includes('data/') || compileExpression({ $lisp: trimmed }, 'input').ok;
}

interface PlacedText {
  readonly text: string;
  readonly path: readonly PathPart[];
}

function textsIn(value: Json, path: readonly PathPart[]): readonly PlacedText[] {
  if (typeof value === 'string') return [{ text: value, path }];
  if (isLisp(value)) return [];
  if (isJsonArray(value)) return value.flatMap((each, index) => textsIn(each, [...path, index]));
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, each]) => textsIn(each, [...path, key])) : [];
}
