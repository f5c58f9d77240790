// Names the parts of a document in messages.
import type { PathPart } from '../../base/issue.ts';
import { type Json, ownProperty } from '../../base/json.ts';
import type { DocumentKind } from '../schema/meaning.ts';

const documentNames: Readonly<Record<DocumentKind, string>> = {
  template: 'the template',
  include: 'the included file',
  fragment: 'the plan',
  scenarios: 'the file of scenarios',
};

export function nameOfHolder(path: readonly PathPart[], kind: DocumentKind): string {
  const holder = path.slice(0, -1);
  if (holder.length === 0) return documentNames[kind];
  const last = holder.at(-1);
  return typeof last === 'number' ? `a ${singular(String(holder.at(-2)))}` : `"${last}"`;
}

export function nameOfValue(path: readonly PathPart[], kind: DocumentKind): string {
  const last = path.at(-1);
  if (last === undefined) return documentNames[kind];
  if (typeof last === 'string') return `"${last}"`;
  const holder = String(path.at(-2));
  return holder === 'steps' ? 'a step' : `an item of "${holder}"`;
}

function singular(word: string): string {
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/s$/, '');
}

export function typeText(type: unknown): string {
  const types = Array.isArray(type) ? type : [type];
  return types.map((each) => kindNames[String(each)] ?? String(each)).join(' or ');
}

/** Words for kinds of values, by the names of JSON Schema and of this project. */
export const kindNames: Readonly<Record<string, string>> = {
  object: 'a map',
  map: 'a map',
  array: 'a list',
  list: 'a list',
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'empty',
};

/** `step "list"`, or `a step` without a name. */
export function nameOfStep(step: Json | undefined): string {
  const name = ownProperty(step, 'name');
  return typeof name === 'string' ? `step "${name}"` : 'a step';
}

/** The path of a step, also of one under `do`. */
export function isStepPath(path: readonly PathPart[]): boolean {
  if (path.at(-1) === 'do') return isStepPath(path.slice(0, -1));
  return path.length >= 2 && path.at(-2) === 'steps' && typeof path.at(-1) === 'number';
}
