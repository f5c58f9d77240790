// Fits a packet into its allowance: shows as much as there is room for, and lists every cut in the receipt.
import { bad, good, type Result } from '../../base/result.ts';
import { type Packet, packetOf, type Sections } from '../body.ts';
import type { Needs } from '../needs/needs.ts';
import { overAllowance } from '../over-allowance.ts';
import type { PacketRequest } from '../request.ts';
import { leftOut } from '../shelf/choice.ts';
import { largestFit } from './largest-fit.ts';
import type { PacketResults } from './packet-results.ts';
import { sectionsIn, wholeSections } from './sections.ts';
import { sectionCounter, tokensOfChoices } from './tokens-of-choices.ts';

export function fitPacket(request: PacketRequest, needs: Needs, results: PacketResults): Result<Packet> {
  const allowance = request.maxTokens + tokensOfChoices(needs.served);
  const price = sectionCounter(request, needs);
  const fits = (sections: Sections) => price(sections) <= allowance;
  const told = (sections: Sections) => good(packetOf(request, needs, withLeftOut(sections, needs, results)));
  // When every result is small, the whole packet is priced first: building shrinkable views would be wasted.
  const verbatim = isFixed(results) ? wholeSections(request, needs, results) : undefined;
  if (verbatim !== undefined && fits(verbatim)) return told(verbatim);
  const roomy = sectionsIn(request, needs, results);
  const whole = verbatim ?? roomy.show(roomy.most);
  const chosen = fits(whole) ? whole : largestFit(roomy, fits);
  if (fits(chosen)) return told(chosen);
  const hint = 'raise context.max_tokens, or hand large inputs over by path';
  const what =
    needs.whole.length === 0
      ? 'the problem and its surroundings, without any result,'
      : 'the problem, its surroundings and the needs that ask to be shown in full';
  return bad([overAllowance(what, price(chosen) - tokensOfChoices(needs.served), request.maxTokens, hint)]);
}

/** Tells whether every result can only be shown whole or not at all. */
function isFixed({ near, older }: PacketResults): boolean {
  return [...near, ...older].every(({ source, view }) => view.least === view.most && view.most >= source.whole.bytes);
}

/** Adds a `left out` choice for each result that the strategy put on no shelf. */
function withLeftOut(sections: Sections, { ids }: Needs, { all, near, older }: PacketResults): Sections {
  const shelved = new Set([...near, ...older].map(({ source }) => source));
  if (shelved.size === all.length) return sections;
  const others = all.filter((source) => !shelved.has(source) && !ids.has(source.record.id));
  return { ...sections, choices: [...sections.choices, ...others.map(leftOut)] };
}
