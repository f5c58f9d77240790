// Mends keys: those that other tools use for the same thing, missing ones, and steps that lack their type.

import { isJsonArray, isJsonObject, type Json, ownProperty } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { keysOfTypes, stepProperties } from '../keys/step.ts';
import { nodeAtPath, type OutlineEntry, type OutlineMap, outlineValue, spotAt } from '../parse/outline.ts';
import { rewritten, withEntry, withFirstEntry } from './edits.ts';
import type { Correction, MendingCase } from './rule.ts';

const ABOUT_KEYS: ReadonlySet<string> = new Set(['SHAPE_UNKNOWN_KEY', 'SHAPE_KEY_MISPLACED']);

/** Keys of other tools' steps, with ours; a key counts when its value has a form that ours takes. */
const foreign: Readonly<
  Record<string, { readonly key: string; readonly takes: (value: Json, steps: readonly string[]) => boolean }>
> = {
  needs: { key: 'dependencies', takes: namesSteps },
  after: { key: 'dependencies', takes: namesSteps },
  with: { key: 'input', takes: isJsonObject },
  args: { key: 'input', takes: isJsonObject },
  arguments: { key: 'input', takes: isJsonObject },
  params: { key: 'input', takes: isJsonObject },
  id: { key: 'name', takes: (value) => typeof value === 'string' && /^[a-z][a-z0-9_]*$/.test(value) },
  if: { key: 'when', takes: (value) => typeof value === 'string' && value.startsWith('(') },
};

export function misplacedKey(given: MendingCase): Correction | undefined {
  const { issue, outline, document } = given;
  if (!ABOUT_KEYS.has(issue.code)) return undefined;
  const found = entryAt(given);
  if (found === undefined || !isStepPath(issue.path.slice(0, -1))) return undefined;
  const { entry, map } = found;
  const ours = Object.hasOwn(foreign, entry.key) ? foreign[entry.key] : undefined;
  if (ours !== undefined) {
    const isFree = !map.entries.some(({ key }) => key === ours.key);
    if (!isFree || !ours.takes(outlineValue(entry.value), stepNames(document))) return undefined;
    return {
      title: `Write "${ours.key}" instead of "${entry.key}"`,
      edits: [rewritten(outline, entry.keySpan, ours.key)],
    };
  }
  if (entry.key !== 'retries') return undefined;
  const count = outlineValue(entry.value);
  if (
    typeof count !== 'number' ||
    !Number.isInteger(count) ||
    count < 1 ||
    map.entries.some(({ key }) => key === 'retry')
  )
    return undefined;
  const text = `max_retries: ${count}`;
  return { title: `Write "${text}"`, edits: [{ from: entry.keySpan.from, to: entry.value.to, text }] };
}

/** Keys that tell what a step does. */
const WORK = ['type', 'handler', 'capability', 'tool', 'agent'];

/** A step without a type that has keys of one type only. */
export function typeOfKeys({ issue, outline }: MendingCase): Correction | undefined {
  if (issue.code !== 'SHAPE_KEY_MISPLACED' && issue.code !== 'SHAPE_MISSING_KEY') return undefined;
  const length = issue.path.findIndex((part, nth) => typeof part === 'number' && issue.path[nth - 1] === 'steps') + 1;
  const step = length < 2 ? undefined : nodeAtPath(outline, issue.path.slice(0, length));
  if (step?.kind !== 'map' || issue.path.length > length + 1) return undefined;
  const written = step.entries.map(({ key }) => key);
  // A misspelled key may be one of them.
  if (written.some((key) => WORK.includes(key) || (!Object.hasOwn(stepProperties, key) && didYouMean(key, WORK))))
    return undefined;
  const types = Object.entries(keysOfTypes).filter(([, keys]) => keys.some((key) => written.includes(key)));
  const [only, another] = types;
  if (only === undefined || another !== undefined) return undefined;
  const [type] = only;
  return { title: `Add "type: ${type}"`, edits: [withEntry(outline, step, 'type', type)] };
}

export function missingEntry({ issue, outline }: MendingCase): Correction | undefined {
  if (issue.code !== 'SHAPE_MISSING_KEY') return undefined;
  const map = nodeAtPath(outline, issue.path);
  if (map?.kind !== 'map') return undefined;
  const has = (key: string): boolean => map.entries.some((entry) => entry.key === key);
  const value = (key: string): Json => {
    const entry = map.entries.find((each) => each.key === key);
    return entry === undefined ? null : outlineValue(entry.value);
  };
  if (issue.path.length === 0 && !has('reconverge') && issue.message.match(/"reconverge"|version/)) {
    return { title: 'Add "reconverge: 1"', edits: [withFirstEntry(outline, map, 'reconverge', '1')] };
  }
  if (value('policy') === 'quorum' && !has('min')) {
    return { title: 'Add "min: 60%"', edits: [withEntry(outline, map, 'min', '60%')] };
  }
  if (issue.message.includes('"expires_in"') && !has('expires_in')) {
    return { title: 'Add "expires_in: 24h"', edits: [withEntry(outline, map, 'expires_in', '24h')] };
  }
  if (
    isStepPath(issue.path) &&
    / no "?name"?$/.test(issue.message) &&
    map.entries.every(({ key }) => isNameless(key))
  ) {
    const name = freeName(stepNames(outlineValue(outline.root)), `step_${Number(issue.path.at(-1)) + 1}`);
    return { title: `Add "name: ${name}"`, edits: [withFirstEntry(outline, map, 'name', name)] };
  }
  return undefined;
}

/** False for the name, which may be misspelled, and for keys that name steps which wait for this one by its name. */
function isNameless(key: string): boolean {
  return Object.hasOwn(stepProperties, key) && !['name', 'convergence_target', 'branches'].includes(key);
}

/** The entry whose key the issue points at, with its map. */
function entryAt({
  outline,
  issue,
  from,
}: MendingCase): { readonly entry: OutlineEntry; readonly map: OutlineMap } | undefined {
  const { entry, holders } = spotAt(outline, from);
  const map = holders.at(-1);
  const isMeant = entry !== undefined && entry.keySpan.from === from && entry.key === issue.path.at(-1);
  return isMeant && map?.kind === 'map' ? { entry, map } : undefined;
}

function isStepPath(path: readonly (string | number)[]): boolean {
  return path[0] === 'steps' && path.length === 2;
}

function namesSteps(value: Json, steps: readonly string[]): boolean {
  const names = isJsonArray(value) ? value : [value];
  return names.length > 0 && names.every((name) => typeof name === 'string' && steps.includes(name));
}

function stepNames(document: Json): readonly string[] {
  const steps = ownProperty(document, 'steps');
  return isJsonArray(steps) ? steps.map((step) => String(ownProperty(step, 'name') ?? '')) : [];
}

function freeName(taken: readonly string[], wanted: string): string {
  for (let nth = 2, name = wanted; ; nth++) {
    if (!taken.includes(name)) return name;
    name = `${wanted}_${nth}`;
  }
}
