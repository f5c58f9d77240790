// A tape without secrets: they are taken out of what is kept, and out of what is looked up in it, so that both agree.
import { defined, type Json } from '../../base/json.ts';
import type { Exchange } from '../../llm/cassette.ts';
import type { Tape } from '../ports/tape.ts';

/**
 * `redact` is asked when the tape is saved, since a secret may be known only after it was first seen. A child run
 * does not save its parent's tape, so its values are redacted when they are kept.
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

/** Who asked whom, and how many tokens it took, is never secret. */
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
