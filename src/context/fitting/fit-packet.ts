// Fits a packet into its allowance: shows as much as there is room for, and lists every cut in the receipt.
import type { Issue } from '../../base/issue.ts';
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
  return bad([tooLarge(needs, price(chosen) - tokensOfChoices(needs.served), request.maxTokens)]);
}

/** Names the largest need with `full: true`, if there is any. */
function tooLarge({ whole }: Needs, tokens: number, maxTokens: number): Issue {
  const raise = `raise context.max_tokens to ${Math.ceil(tokens / 1000)}k`;
  const [largest] = whole.toSorted((one, other) => other.whole.tokens - one.whole.tokens);
  if (largest === undefined) {
    const hint = `${raise}, or hand large inputs over by path`;
    return overAllowance('even without any result, the planner needs', tokens, maxTokens, hint);
  }
  const share = largest.whole.tokens * 2 > tokens ? 'most of it is' : 'the largest part is';
  const found = overAllowance('the planner needs', tokens, maxTokens, `${raise}, or take full: true out`);
  return { ...found, message: `${found.message}; ${share} ${largest.name} (full: true)` };
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
