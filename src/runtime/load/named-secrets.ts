// Finds values that are secrets: a template declares them as secrets, or their names say so.
import { isJsonObject, type Json } from '../../base/json.ts';
import type { Template } from '../../template/template.ts';
import type { Surroundings } from '../ports/boundary.ts';
import { SHORTEST_SECRET } from '../ports/redaction.ts';
import { isSecretName } from '../ports/secret-names.ts';

/** A shorter environment variable with the name of a secret is mostly a setting. */
const SHORTEST_AROUND = 12;

/** The texts in the input of a run under names of secrets. */
export function secretsGiven(input: Json): readonly string[] {
  if (typeof input !== 'object' || input === null) return [];
  if (!isJsonObject(input)) return input.flatMap(secretsGiven);
  return Object.entries(input).flatMap(([name, value]) => {
    if (!isSecretName(name)) return secretsGiven(value);
    return textsIn(value).filter((text) => text.length >= SHORTEST_SECRET);
  });
}

/** The texts that a template writes under names of secrets in inputs of steps; references are not secrets. */
export function secretsWritten({ steps }: Template): readonly string[] {
  return steps
    .flatMap(({ input, fanOut }) => [input, fanOut?.do.input].flatMap((each) => secretsGiven(each ?? null)))
    .filter((text) => !/\{\{|\$\{/.test(text));
}

/** The environment variables that the template refers to as `${secret.X}`, or that have the name of a secret. */
export function secretsAround(template: Template, surroundings: Surroundings): readonly string[] {
  const referred = JSON.stringify(template).matchAll(/\$\{secret\.(\w+)\}/g);
  const declared = new Set([...referred].map(([, name]) => name));
  return Object.entries(surroundings).flatMap(([name, value = '']) => {
    const isLong = value.length >= (declared.has(name) ? SHORTEST_SECRET : SHORTEST_AROUND);
    return isLong && (declared.has(name) || isSecretName(name)) ? [value] : [];
  });
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
