// Finds every place in a document that names a step: its definition, lists of names, placeholders and Lisp, also in half-written texts.
import type { PathPart } from '../base/issue.ts';
import { dataNames } from '../lisp/data-names.ts';
import { lispTokens } from '../lisp/tokens.ts';
import {
  childOf,
  entryOf,
  nodeAtPath,
  type Outline,
  type OutlineNode,
  type OutlineScalar,
  offsetIn,
  type Span,
  scalarsIn,
} from './parse/outline.ts';
import { ownNameOfStepKey } from './resolve/aliases.ts';
import type { DocumentKind } from './schema/meaning.ts';
import { schemaOfPath } from './schema/meaning.ts';

export interface StepOccurrence {
  readonly name: string;
  readonly span: Span;
  readonly isDefinition: boolean;
  /** The path of the fragment whose steps the name is one of; absent for steps of the template. */
  readonly fragment?: string;
}

/** The keys of a step whose values are names of steps. */
const NAMING: ReadonlySet<string> = new Set(['dependencies', 'branches', 'convergence_target']);

const REFERENCE = /\{\{\s*(?:results|depends)\s*(?:\.\s*([A-Za-z0-9_$-]+)|\[\s*["']([^"']+)["'])/g;

interface NamedSpan {
  readonly name: string;
  readonly span: Span;
}

const remembered = new WeakMap<Outline, readonly StepOccurrence[]>();

/** In the order of the text; computed once for each outline. */
export function stepOccurrences(outline: Outline, kind: DocumentKind): readonly StepOccurrence[] {
  const known = remembered.get(outline);
  if (known !== undefined) return known;
  const found = findOccurrences(outline, kind);
  remembered.set(outline, found);
  return found;
}

function findOccurrences(outline: Outline, kind: DocumentKind): readonly StepOccurrence[] {
  const definitions = definitionsIn(outline);
  const scopes = definitions.map(({ fragment, name }) => ({ fragment, name }));
  const uses = [...scalarsIn(outline.root)].flatMap(({ scalar, path }) =>
    namesIn(outline, scalar, path, kind).map((each) => {
      // A name means a step of its own fragment, if there is one.
      const inner = scopes.find(
        ({ fragment, name }) => fragment !== undefined && name === each.name && isBelow(path, fragment),
      );
      return { ...each, isDefinition: false, ...(inner?.fragment !== undefined && { fragment: inner.fragment }) };
    }),
  );
  return [...definitions, ...uses, ...environmentKeys(outline)].toSorted(
    (one, other) => one.span.from - other.span.from,
  );
}

function definitionsIn({ root }: Outline): readonly StepOccurrence[] {
  const own = stepsOf(root).flatMap((step) => nameOf(step).map((each) => ({ ...each, isDefinition: true })));
  const planners = [
    ...stepsOf(root).map((step, index) => ({ holder: childOf(step, 'planner'), at: ['steps', index, 'planner'] })),
    ...entriesAt(root, 'planners').map(({ key, value }) => ({ holder: value, at: ['planners', key] })),
  ];
  const inner = planners.flatMap(({ holder, at }) => {
    const fragment = holder && childOf(holder, 'fragment');
    if (fragment === undefined) return [];
    const path = JSON.stringify([...at, 'fragment']);
    return stepsOf(fragment).flatMap((step) =>
      nameOf(step).map((each) => ({ ...each, isDefinition: true, fragment: path })),
    );
  });
  return [...own, ...inner];
}

/** The steps that a document or a fragment defines. */
function stepsOf(node: OutlineNode): readonly OutlineNode[] {
  const steps = childOf(node, 'steps');
  return steps?.kind === 'list' ? steps.items : [];
}

function entriesAt(node: OutlineNode, key: string) {
  const map = childOf(node, key);
  return map?.kind === 'map' ? map.entries : [];
}

function nameOf(step: OutlineNode): readonly NamedSpan[] {
  const name = entryOf(step, 'name')?.value;
  return name?.kind === 'scalar' && name.text !== '' ? [whole(name)] : [];
}

function whole(scalar: OutlineScalar): NamedSpan {
  const { text } = scalar;
  return { name: text, span: spanIn(scalar, 0, text.length) };
}

function spanIn(scalar: OutlineScalar, from: number, to: number): Span {
  const start = offsetIn(scalar, from);
  return { from: start, to: start + to - from };
}

function isBelow(path: readonly PathPart[], fragment: string): boolean {
  const parts: unknown = JSON.parse(fragment);
  return Array.isArray(parts) && parts.every((part, nth) => path[nth] === part);
}

/** The names of steps in one scalar. */
function namesIn(
  outline: Outline,
  scalar: OutlineScalar,
  path: readonly PathPart[],
  kind: DocumentKind,
): readonly NamedSpan[] {
  if (scalar.style === 'alias' || scalar.text === '') return [];
  const key = keyOf(path);
  const own = ownNameOfStepKey(key);
  if (isStepKey(path)) {
    if (NAMING.has(own)) return [whole(scalar)];
    if (own === 'needs') return needIn(scalar);
  }
  if (own === 'step' && path.includes('needs')) return needIn(scalar);
  if (isLispAt(scalar, path, kind)) return namesInLisp(outline, scalar, path);
  return [...scalar.text.matchAll(REFERENCE)].map((match) => {
    const name = match[1] ?? match[2] ?? '';
    const from = match.index + match[0].lastIndexOf(name);
    return { name, span: spanIn(scalar, from, from + name.length) };
  });
}

/** The last key of a path. */
function keyOf(path: readonly PathPart[]): string {
  return String(path.findLast((part) => typeof part === 'string') ?? '');
}

/** True for `steps[i].KEY`, `repair.KEY`, the steps of fragments, and lists of one level below. */
function isStepKey(path: readonly PathPart[]): boolean {
  const last = path.findLastIndex((part) => typeof part === 'string');
  if (last < path.length - 2) return false;
  const [holder, above] = [path[last - 1], path[last - 2]];
  if (last === 1 && holder === 'repair') return true;
  return (
    (typeof holder === 'number' && above === 'steps') ||
    (typeof holder === 'string' && above === 'steps') ||
    (last === 1 && path[0] === 'fragment')
  );
}

/** `ingest` of `ingest.files`; nothing of a glob or of an id of another phase. */
function needIn(scalar: OutlineScalar): readonly NamedSpan[] {
  const [name = ''] = /^[^.]*/.exec(scalar.text) ?? [];
  return name === '' || /[*/]/.test(name) ? [] : [{ name, span: spanIn(scalar, 0, name.length) }];
}

/** Tells whether a scalar holds Lisp: by its tag, or by its key. */
export function isLispAt({ tag }: { readonly tag?: string }, path: readonly PathPart[], kind: DocumentKind): boolean {
  return tag === '!lisp' || path.at(-1) === '$lisp' || (tag === undefined && isLispKey(path, kind));
}

function isLispKey(path: readonly PathPart[], kind: DocumentKind): boolean {
  const expects = schemaAt(path, kind)?.['x-expects'];
  return (
    (typeof expects === 'string' && expects.startsWith('Lisp')) || (path.at(-1) === 'lisp' && path.includes('compose'))
  );
}

type PathSchema = ReturnType<typeof schemaOfPath>;

/** Schemas by kind and path, with one key for all indexes of a list. */
const schemas = new Map<string, PathSchema>();
/** The most remembered schemas. */
const REMEMBERED = 5_000;

/** The schema at a path; the fragment of a `fixed` planner has the schema of fragments. */
export function schemaAt(path: readonly PathPart[], kind: DocumentKind): PathSchema {
  const key = JSON.stringify([kind, ...path.map((part) => (typeof part === 'number' ? 0 : part))]);
  if (schemas.has(key)) return schemas.get(key);
  const fragment = path.indexOf('fragment');
  const found = fragment < 0 ? schemaOfPath(kind, path) : schemaOfPath('fragment', path.slice(fragment + 1));
  if (schemas.size >= REMEMBERED) schemas.clear();
  schemas.set(key, found);
  return found;
}

function namesInLisp(outline: Outline, scalar: OutlineScalar, path: readonly PathPart[]): readonly NamedSpan[] {
  const { text } = scalar;
  const key = path.findLast((part) => typeof part === 'string' && part !== '$lisp');
  const looked = dataNames(text, key === 'verification' ? ['depends'] : [])
    .filter(({ binding }) => binding === 'results' || binding === 'depends')
    .map(({ name, from, to }) => ({ name, span: spanIn(scalar, from, to) }));
  if (key !== 'choose') return looked;
  const branches = new Set(branchesBeside(outline, path));
  const chosen = lispTokens(text)
    .filter(
      (token) =>
        (token.kind === 'string' || token.kind === 'keyword') && branches.has(token.text.replace(/^[":]|"$/g, '')),
    )
    .map((token) => {
      const name = token.text.replace(/^[":]|"$/g, '');
      return { name, span: spanIn(scalar, token.from + 1, token.from + 1 + name.length) };
    })
    .filter(({ span }) => !looked.some((each) => each.span.from === span.from));
  return [...looked, ...chosen];
}

/** The branches of the decision whose `choose` stands at a path. */
function branchesBeside(outline: Outline, path: readonly PathPart[]): readonly string[] {
  const step = path.slice(0, path.lastIndexOf('choose'));
  const branches = nodeAtPath(outline, [...step, 'branches']);
  if (branches?.kind === 'scalar') return [branches.text];
  return branches?.kind === 'list' ? branches.items.flatMap((each) => (each.kind === 'scalar' ? [each.text] : [])) : [];
}

/** The keys of `environments.NAME.steps`. */
function environmentKeys({ root }: Outline): readonly StepOccurrence[] {
  return entriesAt(root, 'environments').flatMap(({ value }) =>
    entriesAt(value, 'steps').map(({ key, keySpan }) => ({ name: key, span: keySpan, isDefinition: false })),
  );
}
