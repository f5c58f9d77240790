// Reads YAML 1.2 into a document tree. Ambiguous YAML becomes an issue with a place, never a guess.
import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  parseAllDocuments,
  type YAMLError,
} from 'yaml';
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import { type Locate, locator } from './line-positions.ts';
import { cutAfter, cutBefore, cutIssue } from './lisp-cut.ts';
import { linesOf, MAX_NESTING, MAX_SOURCE, type ParsedDocument } from './tree.ts';

const MAX_ALIASES = 100;
/** The most reported syntax errors, because one slip causes many. */
const MAX_ERRORS = 20;

const lispTag = { tag: '!lisp', resolve: (text: string) => text };

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
  const documents = parseAllDocuments(text, {
    version: '1.2',
    strict: true,
    uniqueKeys: true,
    prettyErrors: false,
    customTags: [lispTag],
  });
  const document = documents[0];
  if (document === undefined || !('contents' in document) || document.contents === null) {
    return { lines, issues: [issue('SOURCE_EMPTY', 'the file is empty', { place: start })] };
  }
  const issues = [...document.errors, ...document.warnings]
    .slice(0, MAX_ERRORS)
    .map((error) => syntaxIssue(error, text, locate));
  const second = documents[1];
  if (second !== undefined) {
    const place = locate(second.range[0], second.range[0]);
    issues.push(
      issue('YAML_SEVERAL_DOCUMENTS', 'the file holds several documents', {
        place,
        hint: 'keep one document per file',
      }),
    );
  }
  const broken = document.errors[0];
  const cut = broken === undefined ? undefined : cutBefore(text, broken.pos[0]);
  // Errors behind the cut are caused by the cut.
  if (cut !== undefined) return { lines, issues: [cutIssue(text, cut, [], locate)] };
  // The values of a text with syntax errors would be guesses.
  if (issues.some((each) => each.code === 'YAML_SYNTAX' || each.code === 'YAML_TAB')) return { lines, issues };
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
    return refuse('SOURCE_TOO_DEEP', `lists and maps nest more than ${MAX_NESTING} levels deep`, node, path, reader);
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
  const entries: [string, Json][] = [];
  for (const pair of node.items) {
    if (!isPair(pair)) continue;
    const key = asNode(pair.key);
    const name = isScalar(key) ? String(key.value ?? '') : undefined;
    if (name === undefined) {
      refuse('KEY_NOT_TEXT', 'a key must be plain text', key ?? node, path, reader);
    } else if (name === '<<') {
      const hint = 'write the keys out: merge keys are not part of YAML 1.2';
      refuse('YAML_MERGE_KEY', 'merge keys ("<<") are not supported', key ?? node, path, reader, hint);
    } else {
      entries.push([name, read(asNode(pair.value), [...path, name], reader)]);
    }
  }
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
    return refuse(
      'NUMBER_INEXACT',
      'the number has too many digits to be exact',
      node,
      path,
      reader,
      'quote it to keep it as text',
    );
  }
  return value;
}

function readAlias(node: Node & { source: string }, path: readonly PathPart[], reader: YamlReader): Json {
  const target = isAlias(node) ? node.resolve(reader.document) : undefined;
  reader.aliases += 1;
  if (target === undefined) {
    return refuse('YAML_ALIAS_UNKNOWN', `there is no anchor "&${node.source}" before this alias`, node, path, reader);
  }
  if (reader.open.has(target)) {
    return refuse('YAML_ALIAS_CYCLE', `the alias "*${node.source}" stands inside what it repeats`, node, path, reader);
  }
  if (reader.aliases > MAX_ALIASES) {
    if (reader.aliases > MAX_ALIASES + 1) return null;
    return refuse('YAML_ALIAS_BOMB', `aliases repeat more than ${MAX_ALIASES} parts`, node, path, reader);
  }
  return read(target, path, reader);
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

function syntaxIssue(error: YAMLError, text: string, locate: Locate): Issue {
  const [from, to] = error.pos;
  const key = /[^:\s,}]*/.exec(text.slice(from))?.[0] ?? '';
  const place = locate(from, error.code === 'DUPLICATE_KEY' ? from + key.length : to);
  const message = (error.message.split('\n')[0] ?? '').replace(/\.$/, '');
  switch (error.code) {
    case 'DUPLICATE_KEY':
      return issue('KEY_DUPLICATE', 'the key occurs twice in this map', { place, hint: 'keep one of them' });
    case 'TAG_RESOLVE_FAILED':
      return issue('YAML_UNKNOWN_TAG', 'the tag is unknown', {
        place,
        hint: 'remove the tag; the only known tag is !lisp',
      });
    case 'TAB_AS_INDENT':
      return issue('YAML_TAB', 'the line is indented with a tab', { place, hint: 'indent with spaces' });
    default:
      return issue('YAML_SYNTAX', message, { place });
  }
}

function rangeOf(document: Document.Parsed, path: readonly PathPart[], part: 'key' | 'value', locate: Locate) {
  let at: Node | null = document.contents;
  let key: Node | null = null;
  let whole = true;
  for (const step of path) {
    const holder: Node | null | undefined = isAlias(at) ? at.resolve(document) : at;
    if (isSeq(holder) && typeof step === 'number' && step < holder.items.length) {
      at = asNode(holder.items[step]);
      key = null;
    } else if (isMap(holder)) {
      const pair = holder.items.find((each) => isScalar(each.key) && String(each.key.value ?? '') === step);
      if (pair === undefined) {
        whole = false;
        break;
      }
      key = asNode(pair.key);
      at = asNode(pair.value) ?? key;
    } else {
      whole = false;
      break;
    }
  }
  // A missing key is shown at the key of its map, because the map may be long.
  const shown = key !== null && (part === 'key' || (!whole && isMap(at))) ? key : at;
  const [from, to] = shown?.range ?? [0, 0];
  return locate(from, to);
}

function asNode(value: unknown): Node | null {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value) ? value : null;
}
