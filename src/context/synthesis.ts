// A synthesis: results side by side in one allowance, each shrunk by its output contract.
import { issue } from '../base/issue.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { bad, good, type Result } from '../base/result.ts';
import { shownIn } from './body.ts';
import { largestFit } from './fitting/largest-fit.ts';
import { receiptRoom } from './fitting/sections.ts';
import { tokensOfChoices } from './fitting/tokens-of-choices.ts';
import { memoize } from './memoize.ts';
import { receiptLine } from './receipt.ts';
import type { StepRecord } from './request.ts';
import { type Choice, isPartial } from './shelf/choice.ts';
import { shelfOf } from './shelf/shelf.ts';
import { tieredView } from './shelf/tier.ts';
import { linesView } from './shrink/lines.ts';
import { fixed } from './shrink/view.ts';
import { sourcesOf } from './source.ts';
import type { CountTokens } from './tokens.ts';

export interface SynthesisRequest {
  /** Results are shown under the `id` of their step. */
  readonly steps: readonly StepRecord[];
  /** Extra fields of the body, shown whole. */
  readonly beside: JsonObject;
  /** The allowance of the whole synthesis. */
  readonly maxTokens: number;
  readonly countTokens: CountTokens;
}

export interface Synthesis {
  /** `{results, …beside, receipt}`; the receipt lists each result that is not shown whole. */
  readonly body: JsonObject;
  /** The tokens of the given results, and of the body. */
  readonly tokens: { readonly in: number; readonly out: number };
}

interface ShownPart {
  readonly choices: readonly Choice[];
  readonly receipt: readonly Json[];
}

/** The same request always gives the same synthesis, of at most `maxTokens`. Issue when no outline fits: CONTEXT_OVER_ALLOWANCE. */
export function synthesis({ steps, beside, maxTokens, countTokens }: SynthesisRequest): Result<Synthesis> {
  const sources = sourcesOf({ phases: [{ id: '', steps }], countTokens });
  const books = sources.map((source) => ({ source, view: tieredView(source) }));
  const shelf = shelfOf(books, countTokens);
  const tokensOf = memoize((line: Json) => countTokens(`,${JSON.stringify(line)}`));
  const around = countTokens(JSON.stringify({ results: {}, ...beside, receipt: [] }));
  const given = sources.reduce((sum, { frame, weight }) => sum + frame.tokens + weight.tokens, around);
  const price = ({ choices, receipt }: ShownPart): number =>
    around + tokensOfChoices(choices) + receipt.reduce<number>((sum, line) => sum + tokensOf(line), 0);
  const fits = (shown: ShownPart) => price(shown) <= maxTokens;
  const lineOf = memoize((choice: Choice) => fixed(receiptLine(choice)));
  const show = (room: number): ShownPart => {
    const choices = shelf.show(room);
    return { choices, receipt: linesView(choices.filter(isPartial).map(lineOf)).show(receiptRoom(room)) };
  };
  const whole = show(shelf.most);
  const shown = fits(whole) ? whole : largestFit({ most: shelf.most, show }, fits);
  const out = price(shown);
  const isBare = sources.length > 0 && shown.choices.every(({ part }) => part === undefined);
  if (out > maxTokens || isBare) {
    const message = `no result fits into context.max_tokens (${maxTokens.toLocaleString('en-US')}), not even in outline`;
    const hint = 'raise context.max_tokens of the step';
    return bad([issue('CONTEXT_OVER_ALLOWANCE', message, { path: ['context', 'max_tokens'], hint })]);
  }
  return good({
    body: { results: shownIn('results', shown.choices), ...beside, receipt: shown.receipt },
    tokens: { in: given, out },
  });
}
