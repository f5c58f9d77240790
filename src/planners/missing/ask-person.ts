// Asks a person for a missing capability: an existing one, a description, code, a server, or none.
import { isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { contractOfInput, type MissingCapability, nearText } from '../../goals/plan/missing-capability.ts';
import type { Question } from '../planner.ts';

export type PersonChoice =
  | { readonly kind: 'use'; readonly name: string }
  /** A description in plain words. */
  | { readonly kind: 'describe'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  /** A server name, a URL, or a pattern of names. */
  | { readonly kind: 'discover'; readonly text: string }
  | { readonly kind: 'none' };

/** `remarks` holds results of the search so far. `mayDescribe` says that a model can turn a description into code. */
export function questionAbout(wanted: MissingCapability, remarks: readonly string[], mayDescribe: boolean): Question {
  const { name, description, nearest } = wanted;
  const lines = [
    `Nothing here does "${description}" (${name}).`,
    ...(nearest.length === 0 ? [] : [`Nearest: ${nearest.map(nearText).join('; ')}.`]),
    ...remarks.map((remark) => `${remark}.`),
  ];
  const used = nearest.map((each) => each.name);
  const kinds = [...(mayDescribe ? ['describe'] : []), 'code', 'discover', 'none'];
  const answer: JsonObject = {
    type: 'object',
    required: ['choice'],
    additionalProperties: false,
    properties: {
      choice: { title: 'What shall serve it?', type: 'string', enum: [...used, ...kinds] },
      text: {
        type: 'string',
        description: `${mayDescribe ? 'With describe: how it works, in plain words. ' : ''}With code: Lisp over data/input, or JSON with input, output and lisp. With discover: a server, a URL, or a pattern such as hub.*`,
      },
    },
  };
  return { kind: 'question', question: lines.join('\n'), answer };
}

export function choiceIn(answer: Json): PersonChoice | undefined {
  const choice = ownProperty(answer, 'choice');
  const text = ownProperty(answer, 'text');
  if (typeof choice !== 'string') return undefined;
  if (choice === 'none') return { kind: 'none' };
  if (choice !== 'describe' && choice !== 'code' && choice !== 'discover') return { kind: 'use', name: choice };
  return { kind: choice, text: typeof text === 'string' ? text : '' };
}

/** Reads code with or without contracts; by default its input is the plan's, and its output may be anything. */
export function capabilityOfCode({ name, description, input }: MissingCapability, text: string): JsonObject {
  const written = parsed(text);
  const bare = { description, input: contractOfInput(input), output: {}, lisp: text };
  return { ...bare, ...(isJsonObject(written) ? written : {}), name };
}

function parsed(text: string): Json | undefined {
  if (!text.trim().startsWith('{"')) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
