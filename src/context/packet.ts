// A packet: everything that a planning step learns about the run. The strategy decides how much of each result it shows.
import { bad, good, type Result } from '../base/result.ts';
import { type Packet, packetOf } from './body.ts';
import { fitPacket } from './fitting/fit-packet.ts';
import { largestFit } from './fitting/largest-fit.ts';
import { resultsByDistance } from './fitting/packet-results.ts';
import { wholeSections } from './fitting/sections.ts';
import { tokensOfChoices } from './fitting/tokens-of-choices.ts';
import { type Needs, needsOf } from './needs/needs.ts';
import { overAllowance } from './over-allowance.ts';
import type { PacketRequest } from './request.ts';
import { outlineView } from './shelf/tier.ts';
import { plainView } from './shrink.ts';
import { sourcesOf } from './source.ts';

export type { Packet } from './body.ts';
export type { PacketRequest, StepRecord } from './request.ts';

type Strategy = (request: PacketRequest, needs: Needs) => Result<Packet>;

const strategies: Readonly<Record<PacketRequest['strategy'], Strategy>> = {
  full: inFull,
  contract: byContract,
  summary: withSummary,
  selective: (request, needs) => fitPacket(request, needs, { all: sourcesOf(request), near: [], older: [] }),
  hierarchical: (request, needs) =>
    fitPacket(request, needs, resultsByDistance(sourcesOf(request), needs, outlineView)),
};

/**
 * The same request always gives the same packet. It takes at most `maxTokens`, not counting needs that the planner's reply
 * requested. Issue: CONTEXT_OVER_ALLOWANCE.
 */
export function assemblePacket(request: PacketRequest): Result<Packet> {
  return strategies[request.strategy](request, needsOf(request));
}

/** Shows every result, shrunk by its output contract to the allowance. */
function byContract(request: PacketRequest, needs: Needs): Result<Packet> {
  return fitPacket(request, needs, resultsByDistance(sourcesOf(request), needs));
}

/** Shows every result verbatim, or fails with an issue. */
function inFull(request: PacketRequest, needs: Needs): Result<Packet> {
  const results = resultsByDistance(sourcesOf(request), needs);
  const packet = packetOf(request, needs, wholeSections(request, needs, results));
  const tokens = packet.tokens - tokensOfChoices(needs.served);
  if (tokens <= request.maxTokens) return good(packet);
  const hint = 'raise context.max_tokens, or let context.strategy be contract, which shrinks results to fit';
  const who = 'with all results in full (context.strategy), the planner needs';
  return bad([overAllowance(who, tokens, request.maxTokens, hint)]);
}

/** Shows a model's summary of the results, and the results by contract in the remaining room. */
function withSummary({ summary, ...request }: PacketRequest, needs: Needs): Result<Packet> {
  const plain = byContract(request, needs);
  if (summary === undefined || !plain.ok) return plain;
  if (summary.text === undefined) return withReceipt(plain.value, { why: summary.why });
  const text = shortened(summary.text, request);
  const packet = byContract({ ...request, summary: { text } }, needs);
  if (!packet.ok) return withReceipt(plain.value, { why: 'there is no room for one in context.max_tokens' });
  return withReceipt(packet.value, { tokens: request.countTokens(JSON.stringify(text)) });
}

/** The summary's share of the allowance. */
const SHARE = 1 / 2;

/** The most tokens of a packet that a summary may take. */
export function summaryRoom(maxTokens: number): number {
  return Math.floor(maxTokens * SHARE);
}

/** Models miss a given length: a summary that is too long loses sentences from its middle, with a mark. */
function shortened(text: string, { maxTokens, countTokens }: Omit<PacketRequest, 'summary'>): string {
  const room = summaryRoom(maxTokens);
  const fits = (shown: string) => countTokens(JSON.stringify(shown)) <= room;
  if (fits(text)) return text;
  const view = plainView(text);
  return largestFit({ most: view.most, show: (bytes) => String(view.show(bytes)) }, fits);
}

function withReceipt(packet: Packet, summary: NonNullable<Packet['receipt']['summary']>): Result<Packet> {
  return good({ ...packet, receipt: { ...packet.receipt, summary } });
}
