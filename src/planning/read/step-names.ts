// Gives proposed steps names that the language accepts, and follows each name to where it is used.
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { isLisp, parseText, type Reference, referenceText } from '../../template/references.ts';
import { dependencyKeys } from './step-keys.ts';

/** Keys that are never data of a call, so that nothing in them is looked through for names. */
const NAMING_KEYS = [...dependencyKeys, 'name', 'convergence_target', 'branches'];

/** From a name as the planner wrote it to the one that it is given. */
export type Renaming = ReadonlyMap<string, string>;

/** `Fetch A`, `fetchA` and `fetch-a` become `fetch_a`, `1` becomes `step_1`; a name without a letter or digit stays. */
function acceptableName(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  if (words === '') return name;
  return /^[a-z]/.test(words) ? words : `step_${words}`;
}

/** Only of the names that are not acceptable as they stand. */
export function renamingOf(steps: readonly Json[]): Renaming {
  const renaming = new Map<string, string>();
  for (const step of steps.flatMap(withItem)) {
    const { name } = step;
    if (typeof name === 'string' && acceptableName(name) !== name) renaming.set(name, acceptableName(name));
  }
  return renaming;
}

/** A step, and what a fan-out does. */
function withItem(step: Json | undefined): readonly JsonObject[] {
  return isJsonObject(step) ? [step, ...withItem(step.do)] : [];
}

export function renameIn(step: Json, renaming: Renaming): Json {
  if (!isJsonObject(step) || renaming.size === 0) return step;
  const renamed = (value: Json): Json => (typeof value === 'string' ? (renaming.get(value) ?? value) : value);
  const entries = Object.entries(step).map(([key, value]): [string, Json] => {
    if (key === 'do') return [key, renameIn(value, renaming)];
    if (!NAMING_KEYS.includes(key)) return [key, renameReferences(value, renaming)];
    return [key, Array.isArray(value) ? value.map(renamed) : renamed(value)];
  });
  return Object.fromEntries(entries);
}

function renameReferences(value: Json, renaming: Renaming): Json {
  if (typeof value === 'string') return value.includes('{{') ? renameInText(value, renaming) : value;
  if (Array.isArray(value)) return value.map((each: Json) => renameReferences(each, renaming));
  if (!isJsonObject(value) || isLisp(value)) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, renameReferences(each, renaming)] as const);
  return Object.fromEntries(entries);
}

/** A placeholder that cannot be read leaves its text as it is: the checks will speak of it. */
function renameInText(text: string, renaming: Renaming): string {
  const { parts, issues } = parseText(text);
  if (issues.length > 0) return text;
  return parts
    .map((part) => (typeof part === 'string' ? part : `{{ ${referenceText(renamed(part, renaming))} }}`))
    .join('');
}

function renamed(reference: Reference, renaming: Renaming): Reference {
  const { root, path } = reference;
  const [step, ...rest] = path;
  const name = step === undefined || (root !== 'results' && root !== 'depends') ? undefined : renaming.get(step);
  return name === undefined ? reference : { root, path: [name, ...rest] };
}
