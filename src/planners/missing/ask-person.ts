// A person is asked what shall serve what nothing serves: something that is there, logic, code, a place to look, or nothing.
import { isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { contractOfInput, type MissingCapability, nearText } from '../../goals/plan/missing-capability.ts';
import type { Question } from '../planner.ts';

export type Choice =
  | { readonly kind: 'use'; readonly name: string }
  /** How it works, in plain words. */
  | { readonly kind: 'describe'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  /** The name of a server, a URL, or a pattern of names. */
  | { readonly kind: 'discover'; readonly text: string }
  | { readonly kind: 'none' };

/** `remarks`: what has been found out so far. `mayDescribe`: somebody can make code of a description. */
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

export function choiceIn(answer: Json): Choice | undefined {
  const choice = ownProperty(answer, 'choice');
  const text = ownProperty(answer, 'text');
  if (typeof choice !== 'string') return undefined;
  if (choice === 'none') return { kind: 'none' };
  if (choice !== 'describe' && choice !== 'code' && choice !== 'discover') return { kind: 'use', name: choice };
  return { kind: choice, text: typeof text === 'string' ? text : '' };
}

/** Code alone takes what the plan gives, and may bring anything. */
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
