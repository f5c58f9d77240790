// The model port over a cassette: answers what was recorded, and fails on anything else.
import { failure } from '../base/failure.ts';
import { defined, type Json } from '../base/json.ts';
import { withoutClock } from '../model/clock-line.ts';
import type { ModelReply } from '../model/reply.ts';
import type { ModelRequest } from '../model/request.ts';
import { type Asking, type Exchange, isMiss, type Miss, type Player } from './cassette.ts';
import type { Asked, Model } from './model.ts';
import { stopped } from './model-failure.ts';
import { piecesOf } from './script.ts';

export function cassetteModel(player: Player): Model {
  return {
    async ask(request, { signal, onDelta }) {
      if (signal.aborted) return { ok: false, failure: stopped(`the model ${request.model}`) };
      const asking = askingOf(request);
      const found = player.play(asking);
      if (isMiss(found)) return { ok: false, failure: missed(asking, found) };
      const { outcome, usage, heard } = found;
      if ('failure' in outcome) {
        if (heard !== undefined) onDelta?.(heard);
        return { ok: false, failure: outcome.failure, ...defined({ usage }) };
      }
      // What was recorded under a model was a reply.
      const reply = outcome.value as unknown as ModelReply;
      if (onDelta !== undefined) piecesOf(reply.text).forEach(onDelta);
      return { ok: true, reply };
    },
  };
}

/** A model whose exchanges are told to `keep`; what was stopped was never answered. */
export function recordedModel(model: Model, keep: (exchange: Exchange) => void): Model {
  return {
    async ask(request, { signal, onDelta }) {
      let heard = '';
      const listen = (text: string): void => {
        heard += text;
        onDelta?.(text);
      };
      const asked = await model.ask(request, {
        signal,
        ...defined({ onDelta: onDelta === undefined ? undefined : listen }),
      });
      if (!signal.aborted) keep({ ...askingOf(request), ...outcomeOf(asked, heard) });
      return asked;
    },
  };
}

function outcomeOf(asked: Asked, heard: string): Pick<Exchange, 'outcome' | 'usage' | 'heard'> {
  if (asked.ok) return { outcome: { value: asJson(asked.reply) } };
  const { failure, usage } = asked;
  return {
    outcome: { failure },
    ...(heard === '' ? {} : { heard }),
    ...defined({ usage }),
  };
}

/** How long an answer may be is the budget's affair, and how much time is left the clock's: neither is part of the question. */
function askingOf({ maxOutputTokens: _, messages, ...rest }: ModelRequest): Asking {
  const timeless = messages.map((message) => ({ ...message, content: withoutClock(message.content) }));
  const { model, ...more } = rest;
  return { kind: 'model', name: model, request: asJson({ model, messages: timeless, ...more }) };
}

const whose = { model: 'model', embeddings: 'embeddings model', capability: 'capability' } as const;

export function missed({ kind, name }: Asking, { differs, usedUp }: Miss) {
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
