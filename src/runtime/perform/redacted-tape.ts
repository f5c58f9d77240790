// A tape without secrets: redacts the exchanges that are recorded, and the requests that are looked up, so that both match.
import { defined, type Json } from '../../base/json.ts';
import type { Exchange } from '../../llm/cassette.ts';
import type { Tape } from '../ports/tape.ts';

/**
 * Redacts when the tape is saved, because a secret may become known only after it was first seen. A child run does not
 * save its parent's tape (`isOfAnother`), so its exchanges are redacted when they are recorded.
 */
export function redactedTape({ player, keep, save }: Tape, redact: (value: Json) => Json, isOfAnother = false): Tape {
  return {
    ...(player === undefined
      ? {}
      : { player: { play: (asking) => player.play({ ...asking, request: redact(asking.request) }) } }),
    ...(keep === undefined
      ? {}
      : { keep: isOfAnother ? (exchange: Exchange) => keep(redacted(exchange, redact)) : keep }),
    ...defined({
      save: save === undefined ? undefined : isOfAnother ? save : () => save((exchange) => redacted(exchange, redact)),
    }),
  };
}

/** Names and token counts are not secret. */
function redacted(exchange: Exchange, redact: (value: Json) => Json): Exchange {
  const { request, outcome, heard } = exchange;
  return {
    ...exchange,
    request: redact(request),
    outcome:
      'value' in outcome
        ? { value: redact(outcome.value) }
        : { failure: { ...outcome.failure, message: String(redact(outcome.failure.message)) } },
    ...defined({ heard: heard === undefined ? undefined : String(redact(heard)) }),
  };
}
