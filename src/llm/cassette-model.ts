// A model that replays a cassette, and fails on any request that was not recorded.
import { failure } from '../base/failure.ts';
import { defined, type Json } from '../base/json.ts';
import { bad, good } from '../base/result.ts';
import { withoutClock } from '../model/clock-line.ts';
import type { ModelReply } from '../model/reply.ts';
import type { ModelRequest } from '../model/request.ts';
import { type CassetteKey, type Exchange, isMiss, type Miss, type Player } from './cassette.ts';
import type { Model, ModelResult } from './model.ts';
import { stopped } from './model-failure.ts';
import { piecesOf } from './script.ts';

export function cassetteModel(player: Player): Model {
  return {
    async ask(request, { signal, onDelta }) {
      if (signal.aborted) return bad({ failure: stopped(`the model ${request.model}`) });
      const key = cassetteKey(request);
      const found = player.play(key);
      if (isMiss(found)) return bad({ failure: missed(key, found) });
      const { outcome, usage, heard, isFree } = found;
      if ('failure' in outcome) {
        if (heard !== undefined) onDelta?.(heard);
        return bad({ failure: outcome.failure, ...defined({ usage, isFree }) });
      }
      // An exchange of kind `model` always holds a reply.
      const reply = outcome.value as unknown as ModelReply;
      if (onDelta !== undefined) piecesOf(reply.text).forEach(onDelta);
      return good(reply);
    },
  };
}

/** Passes each exchange of a model to `keep`, except requests that were aborted. */
export function recordedModel(model: Model, keep: (exchange: Exchange) => void): Model {
  return {
    async ask(request, { onDelta, ...context }) {
      const { signal } = context;
      let heard = '';
      const listen = (text: string): void => {
        heard += text;
        onDelta?.(text);
      };
      const asked = await model.ask(request, {
        ...context,
        ...defined({ onDelta: onDelta === undefined ? undefined : listen }),
      });
      if (!signal.aborted) keep({ ...cassetteKey(request), ...outcomeOf(asked, heard) });
      return asked;
    },
  };
}

function outcomeOf(asked: ModelResult, heard: string): Pick<Exchange, 'outcome' | 'usage' | 'heard' | 'isFree'> {
  if (asked.ok) return { outcome: { value: asJson(asked.value) } };
  const { failure, usage, isFree } = asked.error;
  return {
    outcome: { failure },
    ...(heard === '' ? {} : { heard }),
    ...defined({ usage, isFree }),
  };
}

/**
 * The key leaves out the token limit and the clock line, which depend on the budget and the time, and the narrow schema of
 * the answer, which follows from the contracts in the prompt.
 */
function cassetteKey({ maxOutputTokens: _, messages, answer, ...rest }: ModelRequest): CassetteKey {
  const timeless = messages.map((message) => ({ ...message, content: withoutClock(message.content) }));
  const { model, ...more } = rest;
  const shape = answer === undefined ? {} : { answer: { name: answer.name, schema: answer.schema } };
  return { kind: 'model', name: model, request: asJson({ model, messages: timeless, ...more, ...shape }) };
}

const whose = { model: 'model', embeddings: 'embeddings model', capability: 'capability' } as const;

export function missed({ kind, name }: CassetteKey, { differs, usedUp }: Miss) {
  const what = kind === 'capability' ? `this call of ${name}` : `what the ${whose[kind]} "${name}" is asked`;
  const why =
    usedUp === undefined
      ? (differs ?? `nothing was recorded of this ${whose[kind]}`)
      : `it was recorded ${usedUp === 1 ? 'once' : `${usedUp} times`}, and is asked once more`;
  const mend = 'if the change is meant, record the run again with --record';
  return failure('CASSETTE_MISS', `the cassette has no answer to ${what}: ${why}; ${mend}`, { retry: 'never' });
}

function asJson(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
