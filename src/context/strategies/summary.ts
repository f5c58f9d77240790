// Strategy `summary`: shows a model's summary of the results, and the results by contract in the remaining room.
import { good, type Result } from '../../base/result.ts';
import type { Packet } from '../body.ts';
import { largestFit } from '../fitting/largest-fit.ts';
import type { PacketRequest } from '../request.ts';
import { plainView } from '../shrink.ts';
import { contract } from './contract.ts';
import type { Strategy } from './strategy.ts';

/** The summary's share of the allowance. */
const SHARE = 1 / 2;

export const summary: Strategy = {
  name: 'summary',
  assemble(request, needs) {
    const { summary: told, ...rest } = request;
    const plain = contract.assemble(rest, needs);
    if (told === undefined || !plain.ok) return plain;
    if (told.text === undefined) return withReceipt(plain.value, { why: told.why });
    const text = shortened(told.text, rest);
    const packet = contract.assemble({ ...rest, summary: { text } }, needs);
    if (!packet.ok) return withReceipt(plain.value, { why: 'there is no room for one in context.max_tokens' });
    return withReceipt(packet.value, { tokens: request.countTokens(JSON.stringify(text)) });
  },
};

/** The most tokens of a packet that a summary may take. */
export function summaryRoom(maxTokens: number): number {
  return Math.floor(maxTokens * SHARE);
}

/** Models miss a given length: a summary that is too long loses sentences from its middle, with a mark. */
function shortened(text: string, { maxTokens, countTokens }: PacketRequest): string {
  const room = summaryRoom(maxTokens);
  const fits = (shown: string) => countTokens(JSON.stringify(shown)) <= room;
  if (fits(text)) return text;
  const view = plainView(text);
  return largestFit({ most: view.most, show: (bytes) => String(view.show(bytes)) }, fits);
}

function withReceipt(packet: Packet, summed: NonNullable<Packet['receipt']['summary']>): Result<Packet> {
  return good({ ...packet, receipt: { ...packet.receipt, summary: summed } });
}
