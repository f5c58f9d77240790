// Strategy `contract`: every result as its output contract weighs it, within the allowance.
import type { JsonObject } from '../../base/json.ts';
import { bad, good } from '../../base/result.ts';
import { bodyOf, receiptOf, type Sections, wholeSections } from '../body.ts';
import { sectionsIn } from '../fitting/sections.ts';
import { SMALL } from '../fitting/tier.ts';
import { sourcesOf } from '../source.ts';
import { overAllowance, type Strategy } from './strategy.ts';

/** The rooms tried, in bytes, are 0 and a series that grows by this; the same for every allowance. */
const FIRST_ROOM = 64;
const GROWTH = 1.04;

interface Fitting {
  readonly sections: Sections;
  readonly body: JsonObject;
  readonly tokens: number;
}

export const contract: Strategy = {
  name: 'contract',
  assemble(request) {
    const { countTokens, maxTokens } = request;
    const sources = sourcesOf(request);
    const measure = (sections: Sections): Fitting => {
      const body = bodyOf(request, sections);
      return { sections, body, tokens: countTokens(JSON.stringify(body)) };
    };
    const packet = ({ sections, body, tokens }: Fitting) =>
      good({ body, receipt: receiptOf(sections.choices, countTokens), tokens });

    if (sources.every(({ bytes }) => bytes < SMALL)) {
      const whole = measure(wholeSections(request, sources));
      if (whole.tokens <= maxTokens) return packet(whole);
    }
    const { most, show } = sectionsIn(request, sources);
    const least = measure(show(0));
    if (least.tokens > maxTokens) {
      const hint = 'raise context.max_tokens, or hand large inputs over by path';
      return bad([overAllowance('the problem and its surroundings, without any result,', least.tokens, request, hint)]);
    }
    return packet(roomiest(least, most, maxTokens, (room) => measure(show(room))));
  },
};

/**
 * The roomiest that fits. Rooms are tried in an order that does not depend on the allowance, and a larger allowance
 * passes each trial that a smaller one passes, so it never ends with less room, however tokens are counted.
 */
function roomiest(least: Fitting, most: number, maxTokens: number, inRoom: (room: number) => Fitting): Fitting {
  let best = inRoom(most);
  if (best.tokens <= maxTokens) return best;
  best = least;
  let low = 0;
  let high = Math.ceil(Math.log(Math.max(1, most / FIRST_ROOM)) / Math.log(GROWTH)) + 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const tried = inRoom(Math.round(FIRST_ROOM * GROWTH ** (middle - 1)));
    if (tried.tokens > maxTokens) high = middle;
    else [low, best] = [middle, tried];
  }
  return best;
}
