// Strategy `summary`: what a model has written of the results, and in what room is left the results themselves, by contract.
import { good, type Result } from '../../base/result.ts';
import type { Packet } from '../body.ts';
import { roomiest } from '../fitting/roomiest.ts';
import type { PacketRequest } from '../request.ts';
import { plainView } from '../shrink.ts';
import { contract } from './contract.ts';
import type { Strategy } from './strategy.ts';

/** Of the allowance. */
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

/** How many tokens of a packet are a summary's. */
export function summaryRoom(maxTokens: number): number {
  return Math.floor(maxTokens * SHARE);
}

/** A model does not count as we do: what is too long loses sentences of its middle, and says so. */
function shortened(text: string, { maxTokens, countTokens }: PacketRequest): string {
  const room = summaryRoom(maxTokens);
  const fits = (shown: string) => countTokens(JSON.stringify(shown)) <= room;
  if (fits(text)) return text;
  const view = plainView(text);
  return roomiest({ most: view.most, show: (bytes) => String(view.show(bytes)) }, fits);
}

function withReceipt(packet: Packet, summed: NonNullable<Packet['receipt']['summary']>): Result<Packet> {
  return good({ ...packet, receipt: { ...packet.receipt, summary: summed } });
}
