// Reads a value from one text, like an answer at a terminal: a choice by number or prefix, a list with commas, JSON, or plain words.
import type { Json } from '../../base/json.ts';
import { openKinds, type Schema, valuesOf } from '../../contract/schema.ts';
import { readPlain } from './plain-answer.ts';
import { readAnswer } from './read-answer.ts';

/** Undefined for broken JSON. Does not check the value against the contract. */
export function readTextValue(text: string, schema: Schema): Json | undefined {
  const isAnyText = valuesOf(schema) === undefined && openKinds(schema, schema).has('string');
  const reply = isAnyText ? undefined : readAnswer(text, schema);
  const value = reply?.ok === true ? reply.value : readPlain(text, schema);
  const isBroken = typeof value === 'string' && /^\s*[{[]/.test(text) && !isTextAlone(schema);
  return isBroken ? undefined : value;
}

export function isTextAlone(schema: Schema): boolean {
  const kinds = openKinds(schema, schema);
  return kinds.has('string') && kinds.size === 1;
}
