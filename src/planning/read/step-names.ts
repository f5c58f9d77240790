// Normalizes step names, and renames every use of them.
import { isJsonObject, type Json } from '../../base/json.ts';
import { readNeeds } from '../../template/keys/needs.ts';
import { escapedText, isLisp, parseText, type Reference, referenceText } from '../../template/references.ts';

/** Keys that hold step names and no data. */
const NAMING_KEYS = ['dependencies', 'depends_on', 'requires', 'after', 'name', 'convergence_target', 'branches'];

/** The normalized name for each name from the planner. */
export type Renaming = ReadonlyMap<string, string>;

/** Turns `Fetch A`, `fetchA` and `fetch-a` into `fetch_a`, and `1` into `step_1`; a name without letter or digit stays. */
export function acceptableName(name: string, otherwise = 'step'): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  if (words === '') return name;
  return /^[a-z]/.test(words) ? words : `${otherwise}_${words}`;
}

const WORDS = 6;

/** A name from the first words of a description; undefined without words. */
export function nameOfWords(text: string, otherwise = 'step'): string | undefined {
  const plain = acceptableName(text.replace(/\{\{.*?\}\}/gs, ' '), otherwise);
  return /^[a-z][a-z0-9_]*$/.test(plain) ? plain.split('_').slice(0, WORDS).join('_') : undefined;
}

/** The first free name of `name`, `name_2`, `name_3`, and so on. */
export function freeName(name: string, taken: { has(name: string): boolean }): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}_${number}`;
  return free;
}

/** The names of a step and of its fan-out item. */
export function namesOf(step: Json): readonly string[] {
  if (!isJsonObject(step)) return [];
  return [...(typeof step.name === 'string' ? [step.name] : []), ...namesOf(step.do ?? null)];
}

export function renameIn(step: Json, renaming: Renaming): Json {
  if (!isJsonObject(step) || renaming.size === 0) return step;
  const renamed = (value: Json): Json => (typeof value === 'string' ? (renaming.get(value) ?? value) : value);
  const entries = Object.entries(step).map(([key, value]): [string, Json] => {
    if (key === 'do') return [key, renameIn(value, renaming)];
    if (key === 'needs') return [key, renameNeeds(value, renaming)];
    if (!NAMING_KEYS.includes(key)) return [key, renameReferences(value, renaming)];
    return [key, Array.isArray(value) ? value.map(renamed) : renamed(value)];
  });
  return Object.fromEntries(entries);
}

/** Renames steps in needs such as `Fetch A.files.0` or `{step, path}`. */
function renameNeeds(value: Json, renaming: Renaming): Json {
  if (Array.isArray(value)) return value.map((each: Json) => renameNeeds(each, renaming));
  const [need] = readNeeds(value);
  if (need === undefined) return value;
  const step = renaming.get(need.step) ?? need.step;
  if (typeof value === 'string') return renaming.get(value) ?? `${step}${value.slice(need.step.length)}`;
  return isJsonObject(value) ? { ...value, step } : value;
}

function renameReferences(value: Json, renaming: Renaming): Json {
  if (typeof value === 'string') return value.includes('{{') ? renameInText(value, renaming) : value;
  if (Array.isArray(value)) return value.map((each: Json) => renameReferences(each, renaming));
  if (!isJsonObject(value) || isLisp(value)) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, renameReferences(each, renaming)] as const);
  return Object.fromEntries(entries);
}

/** A text with an unreadable placeholder stays unchanged, for the checks to report. */
function renameInText(text: string, renaming: Renaming): string {
  const { parts, issues } = parseText(text);
  const after = parts.map((part) => (typeof part === 'string' ? part : renamed(part, renaming)));
  if (issues.length > 0 || after.every((part, index) => part === parts[index])) return text;
  return after.map((part) => (typeof part === 'string' ? escapedText(part) : `{{ ${referenceText(part)} }}`)).join('');
}

function renamed(reference: Reference, renaming: Renaming): Reference {
  const { root, path } = reference;
  const [step, ...rest] = path;
  const name = step === undefined || (root !== 'results' && root !== 'depends') ? undefined : renaming.get(step);
  return name === undefined || name === step ? reference : { root, path: [name, ...rest] };
}
