// llm.ask and llm.extract: capabilities that a model performs. A step that calls one has an agent without tools do it, so that each ask is paid, bounded and recorded like any other.
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

/** One answer, and three in which it may be mended. */
const MODEL_CALL_TURNS = 4;

export function isModelCall(capability: string | undefined): capability is keyof typeof calls {
  return capability !== undefined && Object.hasOwn(calls, capability);
}

/** `settings`: what is known of the call when the template is read. */
export function agentForCall(capability: string | undefined, settings: JsonObject): AgentUse | undefined {
  if (!isModelCall(capability)) return undefined;
  const { model } = settings;
  const { prompt } = calls[capability];
  const named = typeof model === 'string' ? { model } : {};
  return { name: capability, own: { name: capability, prompt, ...named, tools: [], maxTurns: MODEL_CALL_TURNS } };
}

/** The JSON Schema of the answer that the call itself sets. */
export function schemaOfCall(capability: string | undefined, settings: JsonObject): Json | undefined {
  return isModelCall(capability) ? ownProperty(settings, 'schema') : undefined;
}

/** Parts a call into the task and the data, so that the model takes orders from the prompt and not from the data. */
export function taskOfCall(
  capability: string,
  input: Json,
): { readonly task: string; readonly data: Json | undefined } | undefined {
  if (!isModelCall(capability) || !isJsonObject(input)) return undefined;
  const { task, data } = calls[capability];
  return { task: task(input), data: data(input) };
}
