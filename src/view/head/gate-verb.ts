// The verb on the button of an open gate: approve where a yes is enough, answer where more is asked.
import { isJsonArray, isJsonObject } from '../../base/json.ts';
import type { OpenGate } from '../open-gates.ts';

/** Reads the contract without compiling it; the form of the gate decides which answers are taken. */
export function gateVerb({ kind, decision }: Pick<OpenGate, 'kind' | 'decision'>): 'approve' | 'answer' {
  if (kind === 'clarification' || kind === 'exhaustion' || kind === 'outcome') return 'answer';
  if (kind !== 'review') return 'approve';
  const { required, properties } = decision;
  const fields = isJsonObject(properties) ? properties : {};
  const needed = (isJsonArray(required) ? required : [])
    .map((name) => (typeof name === 'string' ? fields[name] : undefined))
    .filter((field) => !isJsonObject(field) || !('default' in field));
  const [only, ...others] = needed;
  const isBoolean = isJsonObject(only) && only.type === 'boolean';
  return needed.length === 0 || (isBoolean && others.length === 0) ? 'approve' : 'answer';
}
