// Merges a named environment into a template's documents before they are checked. Issues keep the place where each part was written.
import { type Issue, issue, type PathPart } from '../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import { didYouMean } from '../base/nearest.ts';
import type { DocumentTree } from './parse/tree.ts';
import { isLisp } from './references.ts';
import { ownNameOfStepKey } from './resolve/aliases.ts';

/** A part of the merged document that comes from the environment. */
interface OverlaidPart {
  readonly at: readonly PathPart[];
  readonly from: readonly PathPart[];
}

type Path = readonly PathPart[];

/**
 * The first tree is the template, the others are its included files. Changes to a step, an agent or a model are merged
 * into the document that declares it, all other changes into the template.
 */
export function overlayEnvironment(
  trees: readonly [DocumentTree, ...DocumentTree[]],
  name: string,
): readonly [DocumentTree, ...DocumentTree[]] {
  const [main, ...included] = trees;
  const overlay = ownProperty(ownProperty(main.value, 'environments'), name);
  if (!isJsonObject(overlay)) return trees;
  const values = trees.map(({ value }) => value);
  const from = ['environments', name];
  return [
    overlaid(main, main, partOf(overlay, values, 0), from),
    ...included.map((tree, index) => overlaid(tree, main, partOf(overlay, values, index + 1), from)),
  ];
}

/** Checks all environments, also those that are not chosen. Issues: ENVIRONMENT_UNKNOWN, ENVIRONMENT_STEP_UNKNOWN. */
export function checkEnvironments(
  [main, ...included]: readonly [DocumentTree, ...DocumentTree[]],
  chosen: string | undefined,
): readonly Issue[] {
  const environments = ownProperty(main.value, 'environments');
  const names = isJsonObject(environments) ? Object.keys(environments) : [];
  const known = [main, ...included].flatMap(({ value }) => stepNames(value));
  return [
    ...(chosen === undefined || names.includes(chosen) ? [] : [unknown(chosen, names)]),
    ...names.flatMap((name) => {
      const steps = ownProperty(ownProperty(environments, name), 'steps');
      const missing = Object.keys(isJsonObject(steps) ? steps : {}).filter((step) => !known.includes(step));
      return missing.map((step) =>
        issue('ENVIRONMENT_STEP_UNKNOWN', `step "${step}" of environment "${name}" is not declared`, {
          path: ['environments', name, 'steps', step],
          hint: didYouMean(step, known) ?? `name one of the steps ${known.join(', ')}`,
        }),
      );
    }),
  ];
}

function unknown(name: string, names: readonly string[]): Issue {
  const listed =
    names.length === 0 ? 'declare it under "environments"; the template has none' : `choose from ${names.join(', ')}`;
  return issue('ENVIRONMENT_UNKNOWN', `there is no environment "${name}"`, {
    path: ['environments'],
    hint: didYouMean(name, names) ?? listed,
  });
}

/** The part of an environment that is merged into one document. */
function partOf(overlay: JsonObject, documents: readonly Json[], index: number): JsonObject {
  const entries = Object.entries(overlay).flatMap(([key, value]): [string, Json][] => {
    const isShared = key === 'steps' || key === 'models' || key === 'agents';
    if (!isShared || !isJsonObject(value)) return index === 0 ? [[key, value]] : [];
    const own = Object.entries(value).filter(([name]) => ownerOf(key, name, documents) === index);
    return own.length === 0 ? [] : [[key, Object.fromEntries(own)]];
  });
  return Object.fromEntries(entries);
}

/** The index of the last document that declares a name; 0, the template, when none does. */
function ownerOf(key: string, name: string, documents: readonly Json[]): number {
  const declares = (document: Json): boolean =>
    key === 'steps' ? stepNames(document).includes(name) : ownProperty(ownProperty(document, key), name) !== undefined;
  return Math.max(0, documents.findLastIndex(declares));
}

function stepNames(document: Json): readonly string[] {
  const steps = ownProperty(document, 'steps');
  if (!isJsonArray(steps)) return [];
  return steps.map((step) => ownProperty(step, 'name')).filter((name) => typeof name === 'string');
}

function overlaid(
  tree: DocumentTree,
  main: DocumentTree,
  { steps, repair, planners, ...rest }: JsonObject,
  from: Path,
): DocumentTree {
  const parts: OverlaidPart[] = [];
  const merged = new Map(Object.entries(mergeMaps(asMap(tree.value), rest, [], from, parts)));
  if (planners !== undefined) {
    const base = merged.get('planners');
    merged.set('planners', mergePlanners(base, planners, [...from, 'planners'], parts));
  }
  const list = merged.get('steps');
  if (isJsonArray(list) && isJsonObject(steps)) merged.set('steps', mergeSteps(list, steps, [...from, 'steps'], parts));
  const again = merged.get('repair');
  if (repair !== undefined) merged.set('repair', mergeStep(again, repair, ['repair'], [...from, 'repair'], parts));
  if (parts.length === 0) return tree;
  return {
    ...tree,
    value: Object.fromEntries(merged),
    placeOf: (path, part) => {
      const origin = parts.find(({ at }) => at.every((each, index) => path[index] === each));
      if (origin === undefined) return tree.placeOf(path, part);
      return main.placeOf([...origin.from, ...path.slice(origin.at.length)], part);
    },
  };
}

function mergeSteps(list: readonly Json[], overlay: JsonObject, from: Path, parts: OverlaidPart[]): Json {
  return list.map((step, index) => {
    const name = ownProperty(step, 'name');
    const over = typeof name === 'string' ? ownProperty(overlay, name) : undefined;
    if (over === undefined) return step;
    return mergeStep(step, over, ['steps', index], [...from, String(name)], parts);
  });
}

function mergePlanners(base: Json | undefined, over: Json, from: Path, parts: OverlaidPart[]): Json {
  if (!isMap(base) || !isMap(over)) return merge(base, over, ['planners'], from, parts);
  const changed = Object.entries(over).map(([name, value]) => {
    const before = plannerBefore(ownProperty(base, name), value);
    return [name, merge(before, value, ['planners', name], [...from, name], parts)];
  });
  return { ...base, ...Object.fromEntries(changed) };
}

/** The planner that an overlay changes; none when the overlay has a `kind` and so replaces the planner. */
function plannerBefore(base: Json | undefined, over: Json): Json | undefined {
  return ownProperty(over, 'kind') === undefined ? base : undefined;
}

/** Merges a step: a new handler or agent replaces the old handler or agent. */
function mergeStep(base: Json | undefined, over: Json, at: Path, from: Path, parts: OverlaidPart[]): Json {
  if (!isMap(base) || !isMap(over)) return merge(base, over, at, from, parts);
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(over)) {
    const own = ownNameOfStepKey(key);
    const said = [...merged.keys()].find((each) => ownNameOfStepKey(each) === own) ?? key;
    const before = merged.get(said);
    const inside = [[...at, said], [...from, key], parts] as const;
    if (own === 'handler') merged.delete('agent');
    if (own === 'agent')
      for (const each of merged.keys()) if (ownNameOfStepKey(each) === 'handler') merged.delete(each);
    if (own === 'do') merged.set(said, mergeStep(before, value, ...inside));
    else if (own === 'handler') merged.set(said, merge(callBefore(before, value), value, ...inside));
    else if (own === 'planner') merged.set(said, merge(plannerBefore(before, value), value, ...inside));
    else merged.set(said, merge(before, value, ...inside));
  }
  return Object.fromEntries(merged);
}

/** The call that an overlay changes; none when the overlay calls another capability. */
function callBefore(base: Json | undefined, over: Json): Json | undefined {
  const call = typeof base === 'string' ? { callable: base } : base;
  const other = ownProperty(over, 'callable');
  return other === undefined || other === ownProperty(call, 'callable') ? call : undefined;
}

/** Merges maps key by key; any other value replaces the value before. */
function merge(base: Json | undefined, over: Json, at: Path, from: Path, parts: OverlaidPart[]): Json {
  if (isMap(base) && isMap(over)) return mergeMaps(base, over, at, from, parts);
  parts.push({ at, from });
  return over;
}

function mergeMaps(base: JsonObject, over: JsonObject, at: Path, from: Path, parts: OverlaidPart[]): JsonObject {
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(over)) {
    merged.set(key, merge(merged.get(key), value, [...at, key], [...from, key], parts));
  }
  return Object.fromEntries(merged);
}

function asMap(value: Json): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** An expression counts as one value, although it is written as a map. */
function isMap(value: Json | undefined): value is JsonObject {
  return isJsonObject(value) && !isLisp(value);
}
