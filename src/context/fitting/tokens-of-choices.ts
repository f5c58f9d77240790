// The price of a packet in tokens, counted part by part: an upper bound for the tokens of the whole.
import type { Json } from '../../base/json.ts';
import { bodyOf, nothingShown, type Sections } from '../body.ts';
import { memoize } from '../memoize.ts';
import type { Needs } from '../needs/needs.ts';
import type { PacketRequest } from '../request.ts';
import type { Choice } from '../shelf/choice.ts';

/** A price function for one request; it counts each line once, however many packets are priced. */
export function sectionCounter(request: PacketRequest, needs: Needs): (sections: Sections) => number {
  const { countTokens } = request;
  const around = countTokens(JSON.stringify(bodyOf(request, needs, nothingShown)));
  const lineTokens = memoize((line: Json) => countTokens(`,${JSON.stringify(line)}`));
  return ({ choices, failures, retried, phases, index, receipt }) => {
    let tokens = around + tokensOfChoices(choices);
    for (const lines of [failures, retried, phases, index, receipt]) {
      for (const line of lines) tokens += lineTokens(line);
    }
    return tokens;
  };
}

/** The tokens of the shown results alone. */
export function tokensOfChoices(choices: readonly Choice[]): number {
  return choices.reduce(
    (sum, { source, part }) => sum + (part === undefined ? 0 : source.frame.tokens + part.tokens),
    0,
  );
}
