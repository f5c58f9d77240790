// Strategy `full`: every result verbatim, or an issue; never a silent cut.
import { bad, good } from '../../base/result.ts';
import { bodyOf, receiptOf, wholeSections } from '../body.ts';
import { sourcesOf } from '../source.ts';
import { overAllowance, type Strategy } from './strategy.ts';

export const full: Strategy = {
  name: 'full',
  assemble(request) {
    const { countTokens, maxTokens } = request;
    const sections = wholeSections(request, sourcesOf(request));
    const body = bodyOf(request, sections);
    const tokens = countTokens(JSON.stringify(body));
    if (tokens <= maxTokens) return good({ body, receipt: receiptOf(sections.choices, countTokens), tokens });
    const hint = 'raise context.max_tokens, or let context.strategy be contract, which shrinks results to fit';
    return bad([overAllowance('the results, shown in full as context.strategy asks,', tokens, request, hint)]);
  },
};
