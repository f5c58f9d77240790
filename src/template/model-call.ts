// The capabilities llm.ask and llm.extract. An agent without tools performs each call, so that its requests are paid, limited and recorded like those of other agents.
import { isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import type { AgentUse } from './keys/agent.ts';

const calls = {
  'llm.ask': {
    prompt: 'You answer one question, or do one small task, with what you are given.',
    task: ({ prompt }: JsonObject) => (typeof prompt === 'string' ? prompt : ''),
    data: ({ data }: JsonObject) => data,
  },
  'llm.extract': {
    prompt: 'You take out of a text what is asked for: only what it says, in its own words and figures.',
    task: ({ instructions }: JsonObject) =>
      [
        'Extract from the text what the schema of the answer asks for. Make nothing up: what the text does not say is left out, or null where it may not be.',
        ...(typeof instructions === 'string' ? [instructions] : []),
      ].join(' '),
    data: ({ text }: JsonObject) => text,
  },
} as const;

/** One answer, and three corrections of it. */
const MODEL_CALL_TURNS = 4;

export function isModelCall(capability: string | undefined): capability is keyof typeof calls {
  return capability !== undefined && Object.hasOwn(calls, capability);
}

/** `settings` is the part of the input that is known when the template is read. */
export function agentForCall(capability: string | undefined, settings: JsonObject): AgentUse | undefined {
  if (!isModelCall(capability)) return undefined;
  const { model } = settings;
  const { prompt } = calls[capability];
  const named = typeof model === 'string' ? { model } : {};
  return { name: capability, own: { name: capability, prompt, ...named, tools: [], maxTurns: MODEL_CALL_TURNS } };
}

/** The JSON Schema of the answer, which is a part of the call's input. */
export function schemaOfCall(capability: string | undefined, settings: JsonObject): Json | undefined {
  return isModelCall(capability) ? ownProperty(settings, 'schema') : undefined;
}

/** Separates the task from the data, so that the model follows the prompt and not the data. */
export function taskOfCall(
  capability: string,
  input: Json,
): { readonly task: string; readonly data: Json | undefined } | undefined {
  if (!isModelCall(capability) || !isJsonObject(input)) return undefined;
  const { task, data } = calls[capability];
  return { task: task(input), data: data(input) };
}
