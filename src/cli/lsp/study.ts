// Looks up what the last analysis understood: steps, capabilities, and the contracts of the values that references lead to.
import type { PathPart } from '../../base/issue.ts';
import { defined, type JsonObject } from '../../base/json.ts';
import type { Declaration } from '../../contract/declaration.ts';
import { namesIn, schemaAt } from '../../contract/path.ts';
import { producersOf } from '../../template/check/producers.ts';
import { originOfItem, type ReferenceOrigin, targetOf } from '../../template/check/reference-targets.ts';
import { nodeAtPath } from '../../template/parse/outline.ts';
import type { Reference } from '../../template/references.ts';
import type { Scope } from '../../template/scope.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import type { AnalyzedDocument } from './analyzed-document.ts';

export type StudiedTemplate = Omit<Template, 'digest'>;

export function templateOf({ analysis }: AnalyzedDocument): StudiedTemplate | undefined {
  return analysis?.study?.resolution.template;
}

export function capabilitiesOf(document: AnalyzedDocument): readonly Declaration[] {
  return Object.values(templateOf(document)?.capabilities ?? {}).filter(({ tags }) => !tags.includes('not-checked'));
}

export function capabilityNamed(document: AnalyzedDocument, name: string): Declaration | undefined {
  return capabilitiesOf(document).find((each) => each.name === name);
}

/** The names of all steps of a template with its included files, in order. */
export function stepNames(document: AnalyzedDocument): readonly string[] {
  const steps = nodeAtPath(document.outline, ['steps']);
  const written = (steps?.kind === 'list' ? steps.items : []).flatMap(
    (_, index) => textAt(document, ['steps', index, 'name']) ?? [],
  );
  const known = templateOf(document)?.steps.map(({ name }) => name) ?? [];
  return [...new Set([...written, ...known.filter((name) => isFromInclude(document, name))])];
}

/** A step that was read from another file is not in the text of this one. */
function isFromInclude({ analysis, path }: AnalyzedDocument, name: string): boolean {
  const { resolution, trees } = analysis?.study ?? {};
  const index = resolution?.template.steps.findIndex((step) => step.name === name) ?? -1;
  const source = resolution?.origins[index]?.source;
  const file = source === undefined ? undefined : trees?.[source]?.file;
  return file !== undefined && !path.endsWith(file.replace(/^.*[\\/]/, ''));
}

/** The text of the scalar at a path of the current text. */
export function textAt({ outline }: AnalyzedDocument, path: readonly PathPart[]): string | undefined {
  const node = nodeAtPath(outline, path);
  return node?.kind === 'scalar' && node.text !== '' ? node.text : undefined;
}

/** The path of the innermost step around a path: `steps[i]`, its `do`, or `repair`. */
function stepPathOf(path: readonly PathPart[]): readonly PathPart[] | undefined {
  if (path[0] === 'repair') return ['repair'];
  if (path[0] !== 'steps' || typeof path[1] !== 'number') return undefined;
  return path[2] === 'do' ? path.slice(0, 3) : path.slice(0, 2);
}

export function stepNamed(document: AnalyzedDocument, name: string | undefined): StepSpec | undefined {
  return templateOf(document)?.steps.find((step) => step.name === name);
}

/** The capability that the step around a path calls, as written now. */
export function calledAt(document: AnalyzedDocument, path: readonly PathPart[]): string | undefined {
  const at = stepPathOf(path);
  if (at === undefined) return undefined;
  for (const key of ['handler', 'capability', 'tool']) {
    const called = textAt(document, [...at, key]) ?? textAt(document, [...at, key, 'callable']);
    if (called !== undefined) return called;
  }
  return undefined;
}

function originAt(document: AnalyzedDocument, path: readonly PathPart[]): ReferenceOrigin | undefined {
  const template = templateOf(document);
  if (template === undefined) return undefined;
  const { steps, capabilities, input } = template;
  const outside = { get: () => undefined, names: () => [] };
  const scope: Scope = { steps, outside, declarations: capabilities, ...defined({ input }) };
  const isRepair = path[0] === 'repair';
  const step = isRepair ? template.repair : stepNamed(document, textAt(document, [...path.slice(0, 2), 'name']));
  const targets = steps.some(({ planning }) => planning?.target === step?.name);
  const converges = step !== undefined && (step.convergence !== undefined || targets);
  const origin: ReferenceOrigin = { scope, producers: producersOf(scope), step, converges };
  return path[2] === 'do' && step?.fanOut !== undefined ? originOfItem(origin, step.fanOut) : origin;
}

export interface ValueType {
  /** Absent: the value may be anything. */
  readonly schema?: JsonObject;
  /** The step may be skipped; the value is then null. */
  readonly optional: boolean;
}

/** The contract of the value that a reference at a path of the document leads to; undefined when it leads nowhere. */
export function typeOf(
  document: AnalyzedDocument,
  at: readonly PathPart[],
  reference: Reference,
): ValueType | undefined {
  const origin = originAt(document, at);
  if (origin === undefined) return undefined;
  const target = targetOf(reference, origin);
  if (!target.known) return undefined;
  const { schema, path, optional } = target;
  const found = schema === undefined ? 'unknown' : schemaAt(schema, path);
  if (found === 'absent') return undefined;
  return found === 'unknown' ? { optional } : { schema: found, optional };
}

/** The names that may follow a reference: steps, or properties of a contract, with their types. */
export function namesAfter(
  document: AnalyzedDocument,
  at: readonly PathPart[],
  reference: Reference,
): readonly (ValueType & { readonly name: string })[] {
  const { root, path } = reference;
  const typed = (name: string) => {
    const type = typeOf(document, at, { root, path: [...path, name] });
    return { name, ...(type ?? { optional: false }) };
  };
  if ((root === 'results' || root === 'depends') && path.length === 0) {
    const self = textAt(document, [...at.slice(0, 2), 'name']);
    const dependencies = stepNamed(document, self)?.dependencies ?? [];
    const others = stepNames(document).filter((name) => name !== self);
    const named = root === 'depends' && dependencies.length > 0 ? dependencies : others;
    return named.map(typed);
  }
  const type = typeOf(document, at, reference);
  return type?.schema === undefined ? [] : namesIn(type.schema).map(typed);
}
