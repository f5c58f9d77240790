// Syntheses: results side by side in one allowance, deterministic, and showing more in more room.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { type SynthesisRequest, synthesis } from '../../src/context/synthesis.ts';
import { estimateTokens } from '../../src/context/tokens.ts';
import { record } from './results.ts';
import { within } from './within.ts';

const request: fc.Arbitrary<SynthesisRequest> = fc
  .tuple(fc.array(record, { maxLength: 8 }), fc.nat(3), fc.integer({ min: 1, max: 3_000 }))
  .map(([steps, gaps, maxTokens]) => ({
    steps: steps.map((each, at) => ({ ...each, id: `s${at}` })),
    beside: { skipped: Array.from({ length: gaps }, (_, at) => ({ step: `gone${at}`, reason: 'when_false' })) },
    maxTokens,
    countTokens: estimateTokens,
  }));

function bodyOf(asked: SynthesisRequest): JsonObject | undefined {
  const made = synthesis(asked);
  return made.ok ? made.value.body : undefined;
}

describe('a synthesis', () => {
  it('never exceeds its allowance, and reports its tokens', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const made = synthesis(asked);
        if (!made.ok) {
          expect(made.error.map(({ code }) => code)).toEqual(['CONTEXT_OVER_ALLOWANCE']);
          return;
        }
        const { body, tokens } = made.value;
        expect(estimateTokens(JSON.stringify(body))).toBeLessThanOrEqual(tokens.out);
        expect(tokens.out).toBeLessThanOrEqual(asked.maxTokens);
        expect(bodyOf(asked)).toEqual(body);
      }),
      { numRuns: 300 },
    );
  });

  it('shows no less of any result in a larger allowance', () => {
    fc.assert(
      fc.property(request, fc.nat(3_000), (asked, more) => {
        const small = bodyOf(asked);
        if (small === undefined) return;
        const large = bodyOf({ ...asked, maxTokens: asked.maxTokens + more });
        const shown = large?.results as JsonObject;
        for (const [id, part] of Object.entries(small.results as JsonObject))
          expect(within(part, shown[id])).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('has a receipt line for each result that is not shown whole', () => {
    const rows = Array.from({ length: 400 }, (_, id) => ({ id }));
    const step = { attempt: 2, status: 'completed', name: 'x' };
    const steps = [
      { ...step, id: 'rows', result: rows },
      { ...step, id: 'few', result: [1, 2] },
    ];
    const body = bodyOf({ steps, beside: {}, maxTokens: 200, countTokens: estimateTokens });
    expect(body).toMatchObject({
      results: { rows: { $count: 400 }, few: [1, 2] },
      receipt: [{ step: 'rows', attempt: 2, shown: 'shrunk' }],
    });
  });
});
