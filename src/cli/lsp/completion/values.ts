// Completes values: names of steps, capabilities, planners, agents and models, words of the schema, files, and references.
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PathPart } from '../../../base/issue.ts';
import { isJsonArray, type JsonObject } from '../../../base/json.ts';
import { schemaAt as contractAt } from '../../../contract/path.ts';
import { nodeAtPath } from '../../../template/parse/outline.ts';
import { ownNameOfStepKey } from '../../../template/resolve/aliases.ts';
import { schemaAt } from '../../../template/step-occurrences.ts';
import type { AnalyzedDocument } from '../analyzed-document.ts';
import { isInput, type ValueCursor } from '../cursor.ts';
import { capabilityText, keyText, plainText, typeText, wordsOf } from '../markdown.ts';
import { calledAt, capabilitiesOf, capabilityNamed, namesAfter, stepNames, templateOf, textAt } from '../study.ts';
import type { Suggestion } from './item.ts';
import { currentWords, inputSnippet } from './keys.ts';

export async function valueSuggestions(
  document: AnalyzedDocument,
  cursor: ValueCursor,
): Promise<readonly Suggestion[]> {
  const { path } = cursor;
  if (isInput(path)) return inputValues(document, cursor);
  const key = String(path.findLast((part) => typeof part === 'string') ?? '');
  const own = ownNameOfStepKey(key);
  const named = namesFor(document, cursor, own);
  if (named !== undefined) return named;
  if (path[0] === 'include' || ['module', 'template', 'file', 'include'].includes(key)) return files(document, cursor);
  if (path[0] === 'capabilities' && path.length <= 2)
    return [...(await sources(document)), ...(await files(document, cursor))];
  if (path[0] === 'output' || own === 'for_each') return references(document, cursor);
  return [...schemaWords(path, document), ...(own === 'reconverge' ? [{ label: '1', kind: 'value' as const }] : [])];
}

/** Names of things that the document declares; undefined where no such name is wanted. */
function namesFor(document: AnalyzedDocument, cursor: ValueCursor, key: string): readonly Suggestion[] | undefined {
  const { path } = cursor;
  const template = templateOf(document);
  const isInStep = path[0] === 'steps' || path[0] === 'repair' || path[0] === 'environments';
  switch (key) {
    case 'dependencies':
    case 'branches':
    case 'convergence_target':
    case 'needs':
      return isInStep ? steps(document, cursor) : undefined;
    case 'step':
      return path.includes('needs') ? steps(document, cursor) : undefined;
    case 'handler':
    case 'callable':
      return isInStep ? capabilities(document, cursor) : undefined;
    case 'allow':
    case 'deny':
    case 'tools':
    case 'applies_to':
      return globs(document);
    case 'planner':
      return [...keysUnder(document, 'planners'), ...planners(cursor)];
    case 'agent':
      return names(['default', ...Object.keys(template?.agents ?? {})]);
    case 'model':
      return path[0] === 'models' || path[0] === 'embeddings' ? undefined : names(Object.keys(template?.models ?? {}));
    default:
      return undefined;
  }
}

function steps(document: AnalyzedDocument, { path, outline }: ValueCursor): readonly Suggestion[] {
  const self = textAt(document, [...path.slice(0, 2), 'name']);
  const list = nodeAtPath(outline, path.slice(0, -1));
  const listed = list?.kind === 'list' ? list.items.flatMap((each) => (each.kind === 'scalar' ? [each.text] : [])) : [];
  return stepNames(document)
    .filter((name) => name !== self && !listed.includes(name))
    .map((name) => {
      const step = templateOf(document)?.steps.find((each) => each.name === name);
      return { label: name, kind: 'step', detail: step?.type, help: step?.description };
    });
}

function capabilities(document: AnalyzedDocument, cursor: ValueCursor): readonly Suggestion[] {
  const { path, column, isFlow, isQuoted } = cursor;
  const step = path.slice(
    0,
    path.findLastIndex((part) => part === 'handler' || part === 'capability' || part === 'tool'),
  );
  const hasInput = nodeAtPath(document.outline, [...step, 'input']) !== undefined;
  const isWhole = hasInput || isFlow || isQuoted || path.at(-1) === 'callable';
  return capabilitiesOf(document).map((each) => {
    const input = isWhole ? '' : inputSnippet(each.input, column);
    return {
      label: each.name,
      kind: 'capability',
      detail: each.description,
      help: capabilityText(each),
      ...(input !== '' && { insert: `${each.name}${input}`, isSnippet: true }),
    };
  });
}

/** Capabilities, and their families as `files.*`. */
function globs(document: AnalyzedDocument): readonly Suggestion[] {
  const all = capabilitiesOf(document);
  const families = new Set(
    all.flatMap(({ name }) => (name.includes('.') ? [name.slice(0, name.lastIndexOf('.'))] : [])),
  );
  const family = (name: string): Suggestion => ({
    label: `${name}.*`,
    kind: 'capability',
    detail: `every capability of ${name}`,
    rank: 3,
  });
  return [
    ...all.map(
      (each): Suggestion => ({
        label: each.name,
        kind: 'capability',
        detail: each.description,
        help: capabilityText(each),
      }),
    ),
    ...[...families].map(family),
  ];
}

function keysUnder({ outline }: AnalyzedDocument, key: string): readonly Suggestion[] {
  const node = nodeAtPath(outline, [key]);
  return node?.kind === 'map' ? names(node.entries.flatMap((each) => (each.isWhole ? [each.key] : []))) : [];
}

function planners({ isFlow, isQuoted }: ValueCursor): readonly Suggestion[] {
  if (isFlow || isQuoted) return [];
  const inline = (kind: string, detail: string, rest = ''): Suggestion => ({
    label: `{ kind: ${kind} }`,
    kind: 'snippet',
    detail,
    insert: `{ kind: ${kind}${rest} }`,
    isSnippet: rest !== '',
  });
  return [
    inline('llm', 'A model plans'),
    inline('lisp', 'A Lisp rule plans', ', source: "($1)"'),
    inline('pattern', 'Patterns of words split the goal'),
    inline('hybrid', 'Patterns first, then a model'),
    inline('capability', 'A capability plans', ', name: $1'),
  ];
}

function names(all: readonly string[]): readonly Suggestion[] {
  return [...new Set(all)].map((label) => ({ label, kind: 'name' }));
}

function schemaWords(path: readonly PathPart[], { kind }: AnalyzedDocument): readonly Suggestion[] {
  const schema = schemaAt(path, kind);
  if (schema === undefined) return [];
  const key = String(path.findLast((part) => typeof part === 'string') ?? '');
  const words = currentWords(wordsOf(schema));
  if (words.length > 0) {
    return words.map((word) => ({
      label: word,
      kind: 'word',
      help: keyText(key, schema),
      ...(word === String(schema.default) && { detail: 'default' }),
    }));
  }
  const { examples, default: fallback } = schema;
  const shown = [...(isJsonArray(examples) ? examples : []), ...(fallback === undefined ? [] : [fallback])];
  const texts = shown.filter((each) => typeof each !== 'object').map((each) => plainText(each));
  return [...new Set(texts)].map((label) => ({ label, kind: 'value', detail: 'example' }));
}

/** Values for a parameter: its own words, and references to values. */
function inputValues(document: AnalyzedDocument, cursor: ValueCursor): readonly Suggestion[] {
  const { path } = cursor;
  const capability = calledAt(document, path);
  const contract = capability === undefined ? undefined : capabilityNamed(document, capability)?.input;
  const found = contract === undefined ? 'unknown' : contractAt(contract, path.slice(path.indexOf('input') + 1));
  const schema: JsonObject | undefined = typeof found === 'string' ? undefined : found;
  const words = wordsOf(schema).map((label): Suggestion => ({ label, kind: 'word', rank: 1 }));
  return [...words, ...references(document, cursor)];
}

/** Placeholders for the input of the run and for the results of steps. */
function references(document: AnalyzedDocument, { path, isQuoted }: ValueCursor): readonly Suggestion[] {
  const quoted = (inner: string): string => (isQuoted ? `{{ ${inner} }}` : `"{{ ${inner} }}"`);
  const rooted = (['input', 'results'] as const).flatMap((root) =>
    namesAfter(document, path, { root, path: [] }).map(
      (each): Suggestion => ({
        label: `{{ ${root}.${each.name} }}`,
        kind: 'name',
        detail: typeText(each.schema),
        insert: quoted(`${root}.${each.name}`),
      }),
    ),
  );
  const item = path.includes('do') ? [{ label: '{{ item }}', kind: 'name' as const, insert: quoted('item') }] : [];
  return [...item, ...rooted];
}

/** The sources of capabilities that need no settings. */
async function sources(document: AnalyzedDocument): Promise<readonly Suggestion[]> {
  const { catalog, byNameOnly } = await import('../../../capabilities/catalog/catalog.ts');
  const builtIn = [...catalog, ...byNameOnly].map(({ declaration }) => declaration);
  const known = new Map([...builtIn, ...capabilitiesOf(document)].map((each) => [each.name, each.description]));
  const own = [...known].map(
    ([name, description]): Suggestion => ({ label: name, kind: 'capability', detail: description, rank: 4 }),
  );
  return [{ label: 'catalog', kind: 'name', detail: 'every built-in capability', rank: 1 }, ...own];
}

const FILES = /\.(?:ya?ml|json|[cm]?[jt]s)$/;

/** The files beside the document, as paths relative to it. Links are not followed. */
async function files({ path }: AnalyzedDocument, { prefix }: ValueCursor): Promise<readonly Suggestion[]> {
  const typed = /^(?:\.\/)?((?:[\w-]+\/)*)[\w.-]*$/.exec(prefix);
  if (typed === null) return [];
  const below = typed[1] ?? '';
  const entries: readonly Dirent[] = await readdir(join(dirname(path), below), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((each) => !each.name.startsWith('.') && each.name !== 'node_modules')
    .filter((each) => each.isDirectory() || (each.isFile() && FILES.test(each.name)))
    .slice(0, 200)
    .map((each) => ({ label: `./${below}${each.name}${each.isDirectory() ? '/' : ''}`, kind: 'file', rank: 3 }));
}
