// Gives the keys of a proposed step the names that the language has for them.
import { isJsonObject, type Json } from '../../base/json.ts';

/** What models call things; the language's own aliases (`depends_on`, `tool`, …) are left to it. */
const meanings: Readonly<Record<string, string>> = {
  id: 'name',
  inputs: 'input',
  args: 'input',
  arguments: 'input',
  parameters: 'input',
  params: 'input',
  dependsOn: 'depends_on',
};

export const dependencyKeys = ['dependencies', 'depends_on', 'requires', 'after'];

/**
 * A key is given its other name only where that is free; where both stand, both are left, to be found by the shape.
 * `null` says nothing, so a key with it is left out.
 */
export function readStepKeys(step: Json, notes: Set<string>): Json {
  if (!isJsonObject(step)) return step;
  const entries = Object.entries(step)
    .filter(([, value]) => value !== null)
    .map(([key, value]): [string, Json] => {
      if (key === 'do') return [key, readStepKeys(value, notes)];
      const meant = Object.hasOwn(meanings, key) ? meanings[key] : undefined;
      if (meant === undefined || Object.hasOwn(step, meant)) return [key, plain(key, value)];
      notes.add(`"${key}" for "${meant}"`);
      return [meant, plain(meant, value)];
    });
  return Object.fromEntries(entries);
}

/** Names given as numbers are names all the same. */
function plain(key: string, value: Json): Json {
  if (key === 'name' && typeof value === 'number') return String(value);
  if (!dependencyKeys.includes(key)) return value;
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.map((each: Json) => (typeof each === 'number' ? String(each) : each));
  return value;
}
