// Every posting counts for its account and all above it, and no account is ever promised more than it has.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Amount, limitable, plus, quantity, resources, times } from '../../src/budget/amount.ts';
import {
  account,
  available,
  charge,
  createLedger,
  type Ledger,
  openAccount,
  release,
  remaining,
  reserve,
  shortfall,
} from '../../src/budget/ledger.ts';

function ledgerOf(): Ledger {
  const ledger = createLedger();
  openAccount(ledger, 'run', undefined, { steps: 10, tool_calls: 20 }, { tool_calls: 2 });
  openAccount(ledger, 'plan', 'run', { steps: 8, tokens: 100 });
  openAccount(ledger, 'nested', 'plan', { steps: 6 });
  return ledger;
}

describe('a posting', () => {
  it('counts for every account above', () => {
    const ledger = ledgerOf();
    charge(ledger, 'nested', { steps: 2 });
    expect(['nested', 'plan', 'run'].map((id) => remaining(account(ledger, id), 'steps'))).toEqual([4, 6, 8]);
  });

  it('is refused by the first account on the way up that cannot take it', () => {
    const ledger = ledgerOf();
    charge(ledger, 'plan', { steps: 5 });
    expect(shortfall(ledger, 'nested', { steps: 4 }, false)).toMatchObject({
      account: 'plan',
      resource: 'steps',
      limit: 8,
      spent: 5,
      asked: 4,
    });
    expect(shortfall(ledger, 'nested', { steps: 3 }, false)).toBeUndefined();
  });

  it('leaves the landing reserve to the landing set', () => {
    const ledger = ledgerOf();
    charge(ledger, 'run', { tool_calls: 18 });
    expect(shortfall(ledger, 'run', { tool_calls: 1 }, false)).toMatchObject({ resource: 'tool_calls', landing: 2 });
    expect(shortfall(ledger, 'run', { tool_calls: 2 }, true)).toBeUndefined();
    expect(shortfall(ledger, 'run', { tool_calls: 3 }, true)).toMatchObject({ landing: 0 });
  });

  it('counts both kinds of tokens against a limit on tokens', () => {
    const ledger = ledgerOf();
    charge(ledger, 'plan', { tokens_in: 60, tokens_out: 30 });
    expect(available(ledger, 'nested', 'tokens', false)).toBe(10);
    expect(shortfall(ledger, 'nested', { tokens_out: 11 }, false)).toMatchObject({
      account: 'plan',
      resource: 'tokens',
    });
  });

  it('marks an account overdrawn when a bill exceeds what was left, and then admits nothing more', () => {
    const ledger = ledgerOf();
    charge(ledger, 'plan', { tokens_in: 101 });
    expect(account(ledger, 'plan').overdrawn).toBe(true);
    expect(account(ledger, 'run').overdrawn).toBe(false);
    expect(shortfall(ledger, 'nested', { tokens_in: 1 }, true)).toMatchObject({ account: 'plan' });
    expect(available(ledger, 'plan', 'tokens', false)).toBe(0);
  });
});

const amounts = fc.record(Object.fromEntries(resources.map((of) => [of, fc.nat(5)])), {
  requiredKeys: [],
}) as fc.Arbitrary<Amount>;

describe('amounts', () => {
  it('add resource by resource', () => {
    fc.assert(
      fc.property(amounts, amounts, fc.nat(4), (one, other, factor) => {
        for (const of of limitable) {
          expect(quantity(plus(one, other), of)).toBe(quantity(one, of) + quantity(other, of));
          expect(quantity(times(one, factor), of)).toBe(quantity(one, of) * factor);
        }
      }),
    );
  });
});

describe('the ledger (E4)', () => {
  const moves = fc.array(
    fc.record({ account: fc.constantFrom('run', 'plan', 'nested'), amount: amounts, keep: fc.boolean() }),
    { maxLength: 60 },
  );

  it('never promises more than any account has, whatever is admitted, settled or released', () => {
    fc.assert(
      fc.property(moves, (sequence) => {
        const ledger = ledgerOf();
        const open: { id: string; amount: Amount }[] = [];
        for (const { account: id, amount, keep } of sequence) {
          if (shortfall(ledger, id, amount, false) === undefined) {
            reserve(ledger, id, amount);
            open.push({ id, amount });
          }
          const settled = keep ? undefined : open.shift();
          if (settled !== undefined) {
            release(ledger, settled.id, settled.amount);
            charge(ledger, settled.id, settled.amount);
          }
          for (const each of ledger.accounts.values()) {
            for (const of of limitable) expect(remaining(each, of)).toBeGreaterThanOrEqual(each.landing[of] ?? 0);
            expect(each.overdrawn).toBe(false);
          }
        }
      }),
    );
  });
});
