// The rolling summary of a conversation: within its allowance, newest first, and without silent cuts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type Json } from '../../src/base/json.ts';
import { type ConversationSummary, type ConversationTurn, compact, nothingYet } from '../../src/context/compactor.ts';
import { sizeOf } from '../../src/context/shrink/view.ts';
import { estimateTokens } from '../../src/context/tokens.ts';
import { record } from './results.ts';

const rows = Array.from({ length: 300 }, (_, at) => ({ id: at, state: at === 222 ? 'broken' : 'fine', size: at * 3 }));
const turnsOf = (count: number, result: (at: number) => Json = () => ({ rows })): ConversationTurn[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `t${at}`,
    capability: at % 2 === 0 ? 'list' : 'read',
    result: result(at),
  }));

function summed(turns: readonly ConversationTurn[], maxTokens = 1_000): ConversationSummary {
  return turns.reduce<ConversationSummary>((summary, turn) => {
    const next = compact(summary, turn, { maxTokens, countTokens: estimateTokens });
    if (!next.ok) throw new Error(next.error.map(({ message }) => message).join());
    return next.value;
  }, nothingYet);
}

const resultsOf = ({ body }: ConversationSummary) => (isJsonObject(body.results) ? body.results : {});

const anyTurns: fc.Arbitrary<readonly ConversationTurn[]> = fc
  .array(record, { minLength: 1, maxLength: 12 })
  .map((records) => records.map(({ result = null, ...rest }, at) => ({ ...rest, id: `t${at}`, result })));

describe('the summary of a conversation', () => {
  it('holds results whole while they fit', () => {
    const turns = turnsOf(3, (at) => ({ at }));
    expect(summed(turns)).toMatchObject({
      turns: 3,
      gone: {},
      body: { turns: 3, results: { t2: { at: 2 }, t1: { at: 1 }, t0: { at: 0 } } },
    });
  });

  it('shows most of the newest result and less of older ones, and counts those that are gone', () => {
    const { body, gone, told } = summed(turnsOf(40));
    const sizes = told.map(({ result }) => JSON.stringify(result).length);
    expect(sizes[0]).toBeGreaterThan(2 * (sizes.at(-1) ?? 0));
    expect(told.map(({ id }) => id).slice(0, 3)).toEqual(['t39', 't38', 't37']);
    expect(told.length + Object.values(gone).reduce((sum, each) => sum + each, 0)).toBe(40);
    expect(body.gone).toEqual(gone);
    expect(Object.keys(gone).sort()).toEqual(['list', 'read']);
  });

  it('keeps the original size of a result that is shrunk again and again', () => {
    const { told } = summed(turnsOf(8), 1_500);
    expect(told.length).toBeGreaterThan(4);
    for (const { result } of told) {
      const list = isJsonObject(result) ? result.rows : undefined;
      expect(isJsonObject(list) ? list.$count : result).toBe(300);
    }
  });

  it('keeps only the newest result of a repeated call', () => {
    const again = [...turnsOf(2, (at) => ({ at })), { id: 't0', result: { at: 'again' } }];
    expect(resultsOf(summed(again))).toEqual({ t0: { at: 'again' }, t1: { at: 1 } });
  });

  it('keeps the x-keep fields of the newest result while there is room', () => {
    const schema = { properties: { key: { 'x-keep': true } }, required: ['rows'] };
    const key = 'k'.repeat(300);
    const latest: ConversationTurn = { id: 'last', result: { rows, key }, schema };
    expect(resultsOf(summed([...turnsOf(20), latest], 600)).last).toMatchObject({ key });
  });

  it('never shows elided fields', () => {
    expect(
      JSON.stringify(summed([{ id: 'a', result: { token: 'secret of the house' }, elide: ['token'] }])),
    ).not.toContain('secret');
  });

  it('is an issue when not even the counts have room', () => {
    const [turn = { id: 'a', result: 1 }] = turnsOf(1);
    expect(compact(nothingYet, turn, { maxTokens: 2, countTokens: estimateTokens })).toMatchObject({
      ok: false,
      error: [{ code: 'CONTEXT_OVER_ALLOWANCE' }],
    });
  });

  it('never exceeds its allowance, accounts for every turn, and is the same each time', () => {
    fc.assert(
      fc.property(anyTurns, fc.integer({ min: 60, max: 3_000 }), (turns, maxTokens) => {
        const summary = summed(turns, maxTokens);
        expect(summary.tokens).toBeLessThanOrEqual(maxTokens);
        expect(summary.tokens).toBe(estimateTokens(JSON.stringify(summary.body)));
        const gone = Object.values(summary.gone).reduce((sum, each) => sum + each, 0);
        expect(summary.told.length + gone).toBe(turns.length);
        expect(summed(JSON.parse(JSON.stringify(turns)) as ConversationTurn[], maxTokens)).toEqual(summary);
      }),
      { numRuns: 150 },
    );
  });

  it('shows no result larger than it was', () => {
    fc.assert(
      fc.property(anyTurns, fc.integer({ min: 60, max: 3_000 }), (turns, maxTokens) => {
        const bytes = new Map(turns.map(({ id, result }) => [id, sizeOf(result)]));
        for (const { id, result } of summed(turns, maxTokens).told) {
          expect(sizeOf(result)).toBeLessThanOrEqual(bytes.get(id) ?? 0);
        }
      }),
      { numRuns: 100 },
    );
  });
});
