// Every posting counts for its account and all accounts above it, and no account is promised more than it has.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Amount, type Limit, limitable, plus, quantity, resources, times } from '../../src/budget/amount.ts';
import {
  account,
  accountChain,
  available,
  charge,
  createLedger,
  type Ledger,
  openAccount,
  raiseLimit,
  release,
  remaining,
  reserve,
  shortfall,
} from '../../src/budget/ledger.ts';

/** A short run by default; `RECONVERGE_LONG=1` starts the long suite. */
const RUNS = process.env.RECONVERGE_LONG === '1' ? 10_000 : 200;

function ledgerOf(): Ledger {
  const ledger = createLedger();
  openAccount(ledger, 'run', undefined, { steps: 10, tool_calls: 20 }, { landing: { tool_calls: 2 } });
  openAccount(ledger, 'plan', 'run', { steps: 8, tokens: 100 });
  openAccount(ledger, 'nested', 'plan', { steps: 6 });
  return ledger;
}

describe('a posting', () => {
  it('counts for all parent accounts', () => {
    const ledger = ledgerOf();
    charge(ledger, 'nested', { steps: 2 });
    expect(['nested', 'plan', 'run'].map((id) => remaining(account(ledger, id), 'steps'))).toEqual([4, 6, 8]);
  });

  it('is refused by the nearest account that cannot pay for it', () => {
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

  it('marks an account as overdrawn when a bill exceeds the rest, and then admits nothing', () => {
    const ledger = ledgerOf();
    charge(ledger, 'plan', { tokens_in: 101 });
    expect(account(ledger, 'plan').overdrawn).toBe(true);
    expect(account(ledger, 'run').overdrawn).toBe(false);
    expect(shortfall(ledger, 'nested', { tokens_in: 1 }, true)).toMatchObject({ account: 'plan' });
    expect(available(ledger, 'plan', 'tokens', false)).toBe(0);
  });

  it('is refused by an overdrawn account because of the overdraft, whatever it asks for', () => {
    const ledger = ledgerOf();
    charge(ledger, 'plan', { tokens_in: 101 });
    const short = shortfall(ledger, 'nested', { tool_calls: 1 }, true);
    expect(short).toMatchObject({ account: 'plan', resource: 'tokens', limit: 100, spent: 101 });
    expect(shortfall(ledger, 'run', { tool_calls: 1 }, false)).toBeUndefined();
  });
});

describe('a raised limit', () => {
  it('applies to later postings, and leaves other limits unchanged', () => {
    const ledger = ledgerOf();
    charge(ledger, 'nested', { steps: 6 });
    expect(shortfall(ledger, 'nested', { steps: 1 }, false)).toMatchObject({ account: 'nested' });
    raiseLimit(ledger, 'nested', { steps: 20 });
    expect(shortfall(ledger, 'nested', { steps: 2 }, false)).toBeUndefined();
    expect(shortfall(ledger, 'nested', { steps: 3 }, false)).toMatchObject({ account: 'plan', limit: 8 });
  });

  it('lets an overdrawn account pay again once it covers the spending', () => {
    const ledger = ledgerOf();
    charge(ledger, 'plan', { tokens_in: 120 });
    expect(raiseLimit(ledger, 'plan', { tokens: 110 }).overdrawn).toBe(true);
    expect(raiseLimit(ledger, 'plan', { tokens: 130 }).overdrawn).toBe(false);
    expect(shortfall(ledger, 'plan', { tokens_in: 10 }, false)).toBeUndefined();
  });
});

const amounts = fc.record(Object.fromEntries(resources.map((of) => [of, fc.nat(5)])), {
  requiredKeys: [],
}) as fc.Arbitrary<Amount>;

describe('amounts', () => {
  it('add up by resource', () => {
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

const limits = fc.record(Object.fromEntries(limitable.map((of) => [of, fc.nat(30)])), {
  requiredKeys: [],
}) as fc.Arbitrary<Limit>;

/** Each account has a parent among the earlier ones. */
type Tree = readonly { readonly parent: number; readonly limit: Limit }[];

const trees: fc.Arbitrary<Tree> = fc.array(fc.record({ parent: fc.nat(), limit: limits }), {
  minLength: 1,
  maxLength: 8,
});

type Move =
  | { readonly do: 'admit' | 'overbill'; readonly account: number; readonly amount: Amount }
  | { readonly do: 'settle' | 'lose'; readonly which: number; readonly share: number }
  | { readonly do: 'raise'; readonly account: number; readonly limit: Limit };

const moves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('admit' as const), account: fc.nat(), amount: amounts }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('overbill' as const), account: fc.nat(), amount: amounts }) },
    fc.record({
      do: fc.constantFrom('settle' as const, 'settle' as const, 'lose' as const),
      which: fc.nat(),
      share: fc.integer({ min: 0, max: 100 }),
    }),
    { weight: 1, arbitrary: fc.record({ do: fc.constant('raise' as const), account: fc.nat(), limit: limits }) },
  ),
  { maxLength: 80 },
);

interface Admitted {
  readonly id: string;
  readonly amount: Amount;
}

/** Work as the engine admits it: parallel, usually billed within its reservation, sometimes lost and repeated, sometimes billed too much. */
class Bookkeeping {
  readonly ledger = createLedger();
  readonly open: Admitted[] = [];
  readonly postings = new Map<string, Amount>();
  readonly overbilled = new Set<string>();
  readonly #ids: readonly string[];

  constructor(tree: Tree) {
    this.#ids = tree.map((_, index) => `a${index}`);
    tree.forEach(({ parent, limit }, index) => {
      openAccount(this.ledger, `a${index}`, index === 0 ? undefined : `a${parent % index}`, limit);
    });
  }

  take(move: Move): void {
    switch (move.do) {
      case 'admit':
        return this.#admit({ id: this.#idOf(move.account), amount: move.amount });
      case 'overbill':
        return this.#charge({ id: this.#idOf(move.account), amount: move.amount }, true);
      case 'raise': {
        const at = account(this.ledger, this.#idOf(move.account));
        const higher = limitable.filter((of) => (at.limit[of] ?? Number.POSITIVE_INFINITY) < (move.limit[of] ?? 0));
        raiseLimit(this.ledger, at.id, Object.fromEntries(higher.map((of) => [of, move.limit[of] ?? 0])));
        return;
      }
      case 'settle':
      case 'lose': {
        const [work] = this.open.splice(move.which % Math.max(1, this.open.length), 1);
        if (work === undefined) return;
        release(this.ledger, work.id, work.amount);
        const share = move.do === 'lose' ? 100 : move.share;
        this.#charge({ id: work.id, amount: partOf(work.amount, share) }, false);
        if (move.do === 'lose') this.#admit(work);
      }
    }
  }

  #idOf(index: number): string {
    return this.#ids[index % this.#ids.length] ?? 'a0';
  }

  #admit(work: Admitted): void {
    if (shortfall(this.ledger, work.id, work.amount, false) !== undefined) return;
    reserve(this.ledger, work.id, work.amount);
    this.open.push(work);
  }

  #charge({ id, amount }: Admitted, isUnforeseen: boolean): void {
    charge(this.ledger, id, amount);
    for (const { id: above } of accountChain(this.ledger, id)) {
      this.postings.set(above, plus(this.postings.get(above) ?? {}, amount));
      if (isUnforeseen) this.overbilled.add(above);
    }
  }
}

function partOf(amount: Amount, percent: number): Amount {
  return Object.fromEntries(resources.map((of) => [of, Math.floor((quantity(amount, of) * percent) / 100)]));
}

describe('the ledger (E4)', () => {
  it('never reserves more than an account has, unless a bill has overdrawn it', () => {
    fc.assert(
      fc.property(trees, moves, (tree, sequence) => {
        const books = new Bookkeeping(tree);
        for (const move of sequence) {
          books.take(move);
          for (const each of books.ledger.accounts.values()) {
            if (!books.overbilled.has(each.id)) expect(each.overdrawn).toBe(false);
            if (each.overdrawn) continue;
            for (const of of limitable) expect(remaining(each, of), `${each.id} ${of}`).toBeGreaterThanOrEqual(0);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('admits nothing from an overdrawn account or below it', () => {
    fc.assert(
      fc.property(trees, moves, (tree, sequence) => {
        const { ledger } = replay(tree, sequence);
        for (const { id } of ledger.accounts.values()) {
          if (!accountChain(ledger, id).some(({ overdrawn }) => overdrawn)) continue;
          expect(shortfall(ledger, id, { replans: 1 }, true)).toBeDefined();
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('records every bill and every open reservation in the account and in all its parents', () => {
    fc.assert(
      fc.property(trees, moves, (tree, sequence) => {
        const { ledger, postings, open } = replay(tree, sequence);
        for (const each of ledger.accounts.values()) {
          const promised = open.filter(({ id }) => accountChain(ledger, id).includes(each));
          for (const of of resources) {
            expect(quantity(each.spent, of)).toBe(quantity(postings.get(each.id) ?? {}, of));
            expect(quantity(each.reserved, of)).toBe(
              promised.reduce((sum, { amount }) => sum + quantity(amount, of), 0),
            );
          }
        }
      }),
      { numRuns: RUNS },
    );
  });
});

function replay(tree: Tree, sequence: readonly Move[]): Bookkeeping {
  const books = new Bookkeeping(tree);
  for (const move of sequence) books.take(move);
  return books;
}

describe('the landing reserve', () => {
  const postings = fc.array(
    fc.record({ account: fc.constantFrom('run', 'plan', 'nested'), amount: amounts, keep: fc.boolean() }),
    { maxLength: 60 },
  );

  it('is never used by work outside the landing set', () => {
    fc.assert(
      fc.property(postings, (sequence) => {
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
