// References in values: `{{ results.step.path.0 }}`, parsed once and remembered.
import { type Issue, issue, type PathPart } from '../base/issue.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import { didYouMean } from '../base/nearest.ts';
import type { Place } from '../base/place.ts';

/**
 * The roots of references. `input` is the run's input, `results` and `depends` hold steps by name or full id,
 * `summary` is a short text about the results of all steps before.
 */
export const referenceRoots = ['input', 'results', 'depends', 'item', 'convergence', 'run', 'summary'] as const;

export type ReferenceRoot = (typeof referenceRoots)[number];

export interface Reference {
  readonly root: ReferenceRoot;
  readonly path: readonly string[];
}

/** A reference and where it stands in the value that was read. */
export interface PlacedReference extends Reference {
  readonly at: readonly PathPart[];
}

/** A string cut into what stands and what is looked up. */
type TextPart = string | Reference;

export interface ParsedText {
  readonly parts: readonly TextPart[];
  readonly issues: readonly Issue[];
}

const PLACEHOLDER = /\{\{(.*?)\}\}/gs;
const SEGMENT = /\.([A-Za-z0-9_$-]+)|\[(\d+)\]|\["([^"]+)"\]|\['([^']+)'\]/y;
const REMEMBERED = 10_000;

const remembered = new Map<string, ParsedText>();

/** Parses each different text once; a text without a placeholder is one part. */
export function parseText(text: string): ParsedText {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  if (remembered.size >= REMEMBERED) remembered.clear();
  const parsed = cut(text);
  remembered.set(text, parsed);
  return parsed;
}

/** Every reference in a value, and an issue for every placeholder that is not one. Lisp inside is left to its own reader. */
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

/** Lisp source as a document has it, and its place there. */
export interface Expression {
  readonly $lisp: string;
  readonly place?: Place;
}

/** `{"$lisp": "…"}` and nothing else. */
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

/** Follows a path into a value; a step that was skipped is null all the way down. Undefined: there is no such path. */
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
  for (const match of text.matchAll(PLACEHOLDER)) {
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
  if (rest.includes('{{')) issues.push(malformed('a placeholder begins with "{{" and is not closed with "}}"'));
  if (rest !== '' || parts.length === 0) pushText(parts, rest);
  return { parts, issues };
}

function pushText(parts: TextPart[], text: string): void {
  const before = parts.at(-1);
  if (typeof before === 'string') parts[parts.length - 1] = before + text;
  else parts.push(text);
}

/** `"{{"` of `{{ "{{" }}`: a text in double quotes stands for itself, so that braces can be written. */
export function literalIn(inner: string): string | undefined {
  if (!inner.startsWith('"')) return undefined;
  try {
    const value: unknown = JSON.parse(inner);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The placeholder that writes a text as it stands. */
export function literalText(text: string): string {
  return `{{ ${JSON.stringify(text).replaceAll('}', '\\u007d')} }}`;
}

/** A text in which only references are looked up: its own braces stand for themselves. */
export function escapedText(text: string): string {
  return text.replaceAll('{{', literalText('{{'));
}

function parseReference(text: string): Reference | Issue {
  const word = /^[A-Za-z_][A-Za-z0-9_]*/.exec(text)?.[0] ?? '';
  const root = referenceRoots.find((each) => each === word);
  if (root === undefined) {
    const known = referenceRoots.join(', ');
    const what = word === '' ? 'an empty placeholder names nothing' : `"${word}" is not something to refer to`;
    return malformed(what, didYouMean(word, referenceRoots) ?? `a reference begins with one of ${known}`);
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

function malformed(message: string, hint?: string): Issue {
  return issue('REFERENCE_MALFORMED', message, { hint });
}

/** Finds, in a text that is told as it stands, references that cannot be meant as plain text. */
export function refersToData(text: string): boolean {
  if (/\{\{\s*(?:results|depends)\s*[.[]/.test(text)) return true;
  return /\{\{\s*(?:input\s*[.[]|item\b)/.test(text) && !isOtherTemplate(text);
}

/** Whether a text has marks that only other template languages have: `{% if %}`, `{{#each}}`, `{{ .Values.x }}`, `{{ range … }}`. */
export function isOtherTemplate(text: string): boolean {
  return /\{%|\{\{\s*[-#/^!&>~.$]|\{\{\s*(?:range|if|else|end|with|define|template|block|include|each)\b/.test(text);
}
