// The price of a packet, counted in parts, is an upper bound for the tokens of the whole packet.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packetOf } from '../../src/context/body.ts';
import { resultsByDistance } from '../../src/context/fitting/packet-results.ts';
import { sectionsIn, wholeSections } from '../../src/context/fitting/sections.ts';
import { sectionCounter } from '../../src/context/fitting/tokens-of-choices.ts';
import { needsOf } from '../../src/context/needs/needs.ts';
import type { PacketRequest } from '../../src/context/request.ts';
import { sourcesOf } from '../../src/context/source.ts';
import { estimateTokens } from '../../src/context/tokens.ts';
import { record } from './results.ts';

const failure = { code: 'CSV_BROKEN', message: 'line 3 has too many fields' };
const request: fc.Arbitrary<PacketRequest> = fc
  .array(fc.tuple(record, fc.boolean()), { maxLength: 12 })
  .map((steps) => ({
    strategy: 'contract',
    maxTokens: 4_000,
    countTokens: estimateTokens,
    problem: { template: 'profile', input: { folder: 'data' }, constraints: [] },
    budget: {},
    target: null,
    phases: [
      {
        id: 'plan',
        rationale: 'The files are there.',
        steps: steps.map(([each, failed], at) => ({ ...each, id: `plan.1/${at}`, ...(failed ? { failure } : {}) })),
      },
    ],
  }));

describe('the price of a packet', () => {
  it('is at least the packet’s tokens, and hardly more, however much is shown', () => {
    fc.assert(
      fc.property(request, fc.nat(20_000), fc.boolean(), (asked, room, all) => {
        const needs = needsOf(asked);
        const stock = resultsByDistance(sourcesOf(asked), needs);
        const sections = all ? wholeSections(asked, needs, stock) : sectionsIn(asked, needs, stock).show(room);
        const price = sectionCounter(asked, needs)(sections);
        const { tokens } = packetOf(asked, needs, sections);
        expect(price).toBeGreaterThanOrEqual(tokens);
        expect(price).toBeLessThanOrEqual(tokens * 1.15 + 10);
      }),
      { numRuns: 500 },
    );
  });
});
