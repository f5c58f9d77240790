// Parses references in values, such as `{{ results.step.path.0 }}`.
import { type Issue, issue, type PathPart } from '../base/issue.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import { didYouMean } from '../base/nearest.ts';
import type { Place } from '../base/place.ts';

/**
 * The roots of references. `input` is the run's input, `results` and `depends` hold results by the name or the full id
 * of their step, `summary` is a short text about the results of all earlier steps.
 */
export const referenceRoots = ['input', 'results', 'depends', 'item', 'convergence', 'run', 'summary'] as const;

export type ReferenceRoot = (typeof referenceRoots)[number];

export interface Reference {
  readonly root: ReferenceRoot;
  readonly path: readonly string[];
}

/** A reference with its path in the value that holds it. */
export interface PlacedReference extends Reference {
  readonly at: readonly PathPart[];
}

/** A part of a text: literal text, or a reference. */
type TextPart = string | Reference;

export interface ParsedText {
  readonly parts: readonly TextPart[];
  readonly issues: readonly Issue[];
}

const PLACEHOLDER = /\{\{(.*?)\}\}/gs;
const SEGMENT = /\.([A-Za-z0-9_$-]+)|\[(\d+)\]|\["([^"]+)"\]|\['([^']+)'\]/y;
/** The most cached texts. */
const REMEMBERED = 10_000;

const remembered = new Map<string, ParsedText>();

/** Parses equal texts once; a text without a placeholder is one part. */
export function parseText(text: string): ParsedText {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  if (remembered.size >= REMEMBERED) remembered.clear();
  const parsed = cut(text);
  remembered.set(text, parsed);
  return parsed;
}

/** All references in a value, and an issue for each malformed placeholder. Skips Lisp expressions. */
export function readReferences(value: Json): {
  readonly references: readonly PlacedReference[];
  readonly issues: readonly Issue[];
} {
  const references: PlacedReference[] = [];
  const issues: Issue[] = [];
  const visit = (each: Json, at: readonly PathPart[]): void => {
    if (typeof each === 'string') {
      if (!each.includes('{{')) return;
      const parsed = parseText(each);
      for (const part of parsed.parts) if (typeof part !== 'string') references.push({ ...part, at });
      for (const found of parsed.issues) issues.push({ ...found, path: at });
    } else if (Array.isArray(each)) {
      each.forEach((item, index) => {
        visit(item, [...at, index]);
      });
    } else if (isJsonObject(each) && !isLisp(each)) {
      for (const [key, item] of Object.entries(each)) visit(item, [...at, key]);
    }
  };
  visit(value, []);
  return { references, issues };
}

/** Lisp source of a document, with its place. */
export interface Expression {
  readonly $lisp: string;
  readonly place?: Place;
}

/** Tells whether a value is an expression, `{"$lisp": "…"}`. */
export function isLisp(value: Json | undefined): value is { readonly $lisp: string } {
  if (!isJsonObject(value) || typeof value.$lisp !== 'string') return false;
  const keys = Object.keys(value);
  return keys.length === 1 || (keys.length === 2 && 'place' in value);
}

/** `results.ingest.files.0`, as an author would write it. */
export function referenceText({ root, path }: Reference): string {
  return path.reduce<string>(
    (text, part) => (/^[A-Za-z0-9_$-]+$/.test(part) ? `${text}.${part}` : `${text}["${part}"]`),
    root,
  );
}

/** The value at a path; null when a value on the way is null, as for skipped steps; undefined when the path does not exist. */
export function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let at = value;
  for (const part of path) {
    if (at === null || at === undefined) return at;
    if (Array.isArray(at)) at = /^\d+$/.test(part) ? at[Number(part)] : undefined;
    else at = isJsonObject(at) && Object.hasOwn(at, part) ? at[part] : undefined;
  }
  return at;
}

function cut(text: string): ParsedText {
  const parts: TextPart[] = [];
  const issues: Issue[] = [];
  let from = 0;
  // Behind the last "}}" nothing closes, and each "{{" there would be searched to the end.
  for (const match of text.slice(0, text.lastIndexOf('}}') + 2).matchAll(PLACEHOLDER)) {
    const inner = (match[1] ?? '').trim();
    const literal = literalIn(inner);
    if (match.index > from) pushText(parts, text.slice(from, match.index));
    if (literal === undefined) {
      const parsed = parseReference(inner);
      if ('root' in parsed) parts.push(parsed);
      else issues.push(parsed);
    } else pushText(parts, literal);
    from = match.index + match[0].length;
  }
  const rest = text.slice(from);
  if (rest.includes('{{'))
    issues.push(malformed('a placeholder that begins with "{{" is not closed with "}}"', closedHint(rest)));
  if (rest !== '' || parts.length === 0) pushText(parts, rest);
  return { parts, issues };
}

/** `{{ input.a }` is written out; of other texts only the sign is named. */
function closedHint(rest: string): string {
  const [, inner] = /\{\{\s*([\w.$[\]"-]+)\s*\}?\s*$/.exec(rest) ?? [];
  return inner === undefined ? 'write }} behind it' : `write {{ ${inner} }}`;
}

function pushText(parts: TextPart[], text: string): void {
  const before = parts.at(-1);
  if (typeof before === 'string') parts[parts.length - 1] = before + text;
  else parts.push(text);
}

/** The text of a placeholder in double quotes, such as `{{ "{{" }}`, with which authors write braces. */
export function literalIn(inner: string): string | undefined {
  if (!inner.startsWith('"')) return undefined;
  try {
    const value: unknown = JSON.parse(inner);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A placeholder for a literal text. */
export function literalText(text: string): string {
  return `{{ ${JSON.stringify(text).replaceAll('}', '\\u007d')} }}`;
}

/** Escapes literal braces of a text, so that only its references are replaced. */
export function escapedText(text: string): string {
  return text.replaceAll('{{', literalText('{{'));
}

function parseReference(text: string): Reference | Issue {
  const word = /^[A-Za-z_][A-Za-z0-9_]*/.exec(text)?.[0] ?? '';
  const root = referenceRoots.find((each) => each === word);
  if (root === undefined) {
    const known = referenceRoots.join(', ');
    const what = word === '' ? 'an empty placeholder names nothing' : `"${word}" is not something to refer to`;
    return malformed(
      what,
      resultHint(text) ?? didYouMean(word, referenceRoots) ?? `a reference begins with one of ${known}`,
    );
  }
  const path: string[] = [];
  SEGMENT.lastIndex = word.length;
  let end = word.length;
  for (let match = SEGMENT.exec(text); match !== null; match = SEGMENT.exec(text)) {
    path.push(match[1] ?? match[2] ?? match[3] ?? match[4] ?? '');
    end = SEGMENT.lastIndex;
  }
  if (end === text.length) return { root, path };
  return malformed(
    `the reference "${text}" is not a dotted path`,
    'a placeholder holds a path such as results.ingest.files.0; compute anything else with !lisp',
  );
}

/** `steps.list.outputs.files` → `results.list.files`; `list.files` → `results.list.files` */
function resultHint(text: string): string | undefined {
  const ofSteps = /^steps\.(\w+)(?:\.(?:outputs?|results?))?((?:[.[].*)?)$/.exec(text);
  if (ofSteps !== null) return `write {{ results.${ofSteps[1]}${ofSteps[2]} }}`;
  const isPath = /^[a-z]\w*[.[]/.test(text) && didYouMean(/^\w+/.exec(text)?.[0] ?? '', referenceRoots) === undefined;
  return isPath ? `the result of a step is read as {{ results.${text} }}` : undefined;
}

function malformed(message: string, hint?: string): Issue {
  return issue('REFERENCE_MALFORMED', message, { hint });
}

/** Tells whether a text that is not interpolated has references, as opposed to braces of another template language. */
export function refersToData(text: string): boolean {
  if (/\{\{\s*(?:results|depends)\s*[.[]/.test(text)) return true;
  return /\{\{\s*(?:input\s*[.[]|item\b)/.test(text) && !isOtherTemplate(text);
}

/** Tells whether a text has marks of other template languages: `{% if %}`, `{{#each}}`, `{{ .Values.x }}`, `{{ range … }}`. */
export function isOtherTemplate(text: string): boolean {
  return /\{%|\{\{\s*[-#/^!&>~.$]|\{\{\s*(?:range|if|else|end|with|define|template|block|include|each)\b/.test(text);
}
