// Reads YAML 1.2 into a document tree. Ambiguous YAML becomes an issue with a place, never a guess.
import { type Document, isAlias, isMap, isPair, isScalar, isSeq, type Node } from 'yaml';
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import { duplicateKeys } from './duplicate-keys.ts';
import { explainMistakes } from './find-mistakes.ts';
import { inexactNumber, NUMBER_HINT } from './inexact-number.ts';
import { type Locate, locator } from './line-positions.ts';
import { cutAfter, cutBefore, cutIssue } from './lisp-cut.ts';
import { inQuotes, shortened } from './mistakes/mistake.ts';
import { linesOf, MAX_NESTING, MAX_SOURCE, type ParsedDocument } from './tree.ts';
import { deepAt, documentsIn, errorsIn, errorsOf, tooDeep, unknownTags } from './yaml-errors.ts';
import { asNode, rangeOf } from './yaml-places.ts';

const MAX_ALIASES = 100;
/** The most reported syntax errors, because one slip causes many. */
const MAX_ERRORS = 20;
const ALIAS_HINT = 'write an anchor before the value that it repeats, or put the text in quotes';
const WRITE_OUT = 'write the values out';
const EMPTY = 'begin a template with: reconverge init';

interface YamlReader {
  readonly text: string;
  readonly document: Document.Parsed;
  readonly locate: Locate;
  readonly issues: Issue[];
  /** Nodes that are being read, which shows aliases that contain themselves. */
  readonly open: Set<Node>;
  aliases: number;
}

/** Never throws, whatever the text. */
export function parseYaml(text: string, file: string): ParsedDocument {
  const locate = locator(text, file);
  const start = locate(0, 0);
  const lines = linesOf(text);
  if (text.length > MAX_SOURCE) {
    return {
      lines,
      issues: [issue('SOURCE_TOO_LARGE', `the file has more than ${MAX_SOURCE} characters`, { place: start })],
    };
  }
  const [document, second] = documentsIn(text);
  if (document === undefined || (document.contents === null && document.errors.length === 0)) {
    return { lines, issues: [issue('SOURCE_EMPTY', 'the file is empty', { place: start, hint: EMPTY })] };
  }
  const errors = errorsOf(document);
  const [broken] = errors;
  if (broken !== undefined) {
    const deep = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
    if (deep !== undefined) return { lines, issues: [tooDeep(text, deep.from, locate)] };
    const cut = cutBefore(text, broken.from);
    // Errors behind the cut are caused by the cut.
    if (cut !== undefined) return { lines, issues: [cutIssue(text, cut, [], locate)] };
    // The values of a text with syntax errors would be guesses.
    return { lines, issues: explainMistakes(text, errors, errorsIn, locate).issues };
  }
  const issues = unknownTags(document, text, locate).slice(0, MAX_ERRORS);
  if (second !== undefined) {
    const place = locate(second.range[0], second.range[0]);
    issues.push(
      issue('YAML_SEVERAL_DOCUMENTS', 'the file holds several documents', {
        place,
        hint: 'keep one document per file',
      }),
    );
  }
  const reader: YamlReader = { text, document, locate, issues, open: new Set(), aliases: 0 };
  const value = read(document.contents, [], reader);
  return {
    issues,
    lines,
    tree: {
      file,
      value,
      lines,
      placeOf: (path, part = 'value') => rangeOf(document, path, part, locate),
    },
  };
}

function read(node: Node | null, path: readonly PathPart[], reader: YamlReader): Json {
  if (node === null) return null;
  if (path.length > MAX_NESTING) {
    const from = node.range?.[0] ?? 0;
    reader.issues.push(deepAt(reader.locate(from, from + 1), path));
    return null;
  }
  if (isAlias(node)) return readAlias(node, path, reader);
  reader.open.add(node);
  const value = readNode(node, path, reader);
  reader.open.delete(node);
  return value;
}

function readNode(node: Node, path: readonly PathPart[], reader: YamlReader): Json {
  if (isScalar(node)) return readScalar(node, path, reader);
  if (isSeq(node)) return node.items.map((item, index) => read(asNode(item), [...path, index], reader));
  if (!isMap(node)) return null;
  const entries = new Map<string, Json>();
  const repeated: Node[] = [];
  for (const pair of node.items) {
    if (!isPair(pair)) continue;
    const key = asNode(pair.key);
    const name = isScalar(key) ? String(key.value ?? '') : undefined;
    if (name === undefined) {
      refuse('KEY_NOT_TEXT', 'a key must be plain text', key ?? node, path, reader, 'put the key in quotes');
    } else if (name === '<<') {
      const hint = 'write the keys out: merge keys are not part of YAML 1.2';
      refuse('YAML_MERGE_KEY', 'merge keys ("<<") are not supported', key ?? node, path, reader, hint);
    } else if (entries.has(name)) {
      if (key !== null) repeated.push(key);
    } else {
      entries.set(name, read(asNode(pair.value), [...path, name], reader));
    }
  }
  reader.issues.push(...duplicateKeys(node, repeated, path, reader));
  return Object.fromEntries(entries);
}

function readScalar(
  node: Node & { value: unknown; source?: string; type?: string },
  path: readonly PathPart[],
  reader: YamlReader,
): Json {
  const { value, source = '' } = node;
  const isLisp = node.tag === '!lisp';
  const end = node.range?.[1];
  const cut = end === undefined || node.type !== 'PLAIN' ? undefined : cutAfter(reader.text, source, end, isLisp);
  if (cut !== undefined) reader.issues.push(cutIssue(reader.text, cut, path, reader.locate));
  const comment = value === null ? commentAsValue(node, path, reader) : undefined;
  if (comment !== undefined) reader.issues.push(comment);
  if (isLisp) return { $lisp: String(value) };
  if (typeof value === 'number') return readNumber(value, source, node, path, reader);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  return null;
}

function readNumber(value: number, source: string, node: Node, path: readonly PathPart[], reader: YamlReader): Json {
  if (/^[-+]?0\d/.test(source)) {
    const hint = 'quote it to keep the zero, or drop the zero';
    return refuse('NUMBER_AMBIGUOUS', 'a number begins with a zero', node, path, reader, hint);
  }
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
    return refuse('NUMBER_INEXACT', inexactNumber(source), node, path, reader, NUMBER_HINT);
  }
  return value;
}

function readAlias(node: Node & { source: string }, path: readonly PathPart[], reader: YamlReader): Json {
  const target = isAlias(node) ? node.resolve(reader.document) : undefined;
  reader.aliases += 1;
  if (target === undefined) {
    const starred = starredText(node, path, reader);
    if (starred !== undefined) reader.issues.push(starred);
    if (starred !== undefined) return null;
    return refuse(
      'YAML_ALIAS_UNKNOWN',
      `there is no anchor "&${node.source}" before this alias`,
      node,
      path,
      reader,
      ALIAS_HINT,
    );
  }
  if (reader.open.has(target)) {
    return refuse(
      'YAML_ALIAS_CYCLE',
      `the alias "*${node.source}" stands inside what it repeats`,
      node,
      path,
      reader,
      WRITE_OUT,
    );
  }
  if (reader.aliases > MAX_ALIASES) {
    if (reader.aliases > MAX_ALIASES + 1) return null;
    return refuse('YAML_ALIAS_BOMB', `aliases repeat more than ${MAX_ALIASES} parts`, node, path, reader, WRITE_OUT);
  }
  return read(target, path, reader);
}

/** `channel: #general`: YAML reads a comment, and the value is empty. */
function commentAsValue({ range }: Node, path: readonly PathPart[], { text, locate }: YamlReader): Issue | undefined {
  const from = range?.[0] ?? 0;
  const [written] = /^#[^\s#!-][^\n\r]*/.exec(text.slice(from, from + 200)) ?? [];
  if (written === undefined) return undefined;
  const place = locate(from, from + written.trimEnd().length);
  const quoted = inQuotes(written.trimEnd());
  return issue(
    'YAML_COMMENT_AS_VALUE',
    `the value is empty, because YAML reads "${shortened(written.trimEnd())}" as a comment`,
    {
      path,
      place,
      hint: `write ${quoted}`,
      mend: { title: `Write ${quoted}`, edits: [{ place, text: quoted }] },
    },
  );
}

/** `*.csv` without quotes: YAML reads it as an alias, but nobody has named anything with `&`. */
function starredText({ range }: Node, path: readonly PathPart[], { text, locate }: YamlReader): Issue | undefined {
  const [from, to] = range ?? [0, 0];
  if (/(?:^|[\s[{,])&[\w.-]+/m.test(text) || !/^\s*(?:[,\]}\n\r#]|$)/.test(text.slice(to, to + 80))) return undefined;
  const place = locate(from, to);
  const quoted = `"${text.slice(from, to)}"`;
  return issue('YAML_VALUE_UNQUOTED', 'a text that begins with "*" needs quotes', {
    path,
    place,
    hint: `write ${quoted}`,
    mend: { title: `Write ${quoted}`, edits: [{ place, text: quoted }] },
  });
}

function refuse(
  code: string,
  message: string,
  node: Node,
  path: readonly PathPart[],
  reader: YamlReader,
  hint?: string,
): null {
  const [from, to] = node.range ?? [0, 0];
  reader.issues.push(issue(code, message, { path, place: reader.locate(from, to), hint }));
  return null;
}
