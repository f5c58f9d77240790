// Compares the price in each row of the tables with the fuel that calls burn as arguments grow.
import { describe, expect, it } from 'vitest';
import { unitsOf } from '../../bench/lisp/burnt.ts';
import { builtins, exampleArguments, type Probe, probesOf } from '../../bench/lisp/probes.ts';

const SIZE = 256;
/** The instructions of the regexes in the examples. */
const INSTRUCTIONS = 12;

interface Sizes {
  readonly n: number;
  readonly c: number;
  readonly k: number;
  readonly r: number;
}

/** `1 + n/32`, `16 + rc/8`, `2n log n`, `2n^k`, `98 for each line` */
function amount(price: string, sizes: Sizes): number {
  return price.split(' + ').reduce((sum, term) => sum + amountOf(term, sizes), 0);
}

function amountOf(term: string, { n, c, k, r }: Sizes): number {
  if (term === '2n^k') return 2 * n ** k;
  const each = /^(\d+) for each line$/.exec(term);
  if (each !== null) return Number(each[1]) * c;
  const match = /^(\d*)(rc|n²|[nckr])?( log [nk])?(?:\/(\d+))?$/.exec(term);
  if (match === null) throw new Error(`"${term}" cannot be read as a price`);
  const [, factor, of = '', log, part] = match;
  const size = { n, 'n²': n * n, c, k, r, rc: r * c, '': 1 }[of] ?? Number.NaN;
  return (
    (factor === '' ? 1 : Number(factor)) *
    size *
    (log === undefined ? 1 : Math.log2(size + 2)) *
    (1 / Number(part ?? 1))
  );
}

function stated({ builtin, given }: Probe): number {
  const k = exampleArguments(builtin)?.length ?? 0;
  // A number that grows, as in (range 256), stands for as many elements.
  const grown = SIZE * given.length;
  const growsRegex = /^(extract|re-pattern)/.test(builtin.name) && given.some(([name]) => name === 'a0');
  const r = growsRegex ? 1.25 * SIZE : INSTRUCTIONS;
  return amount(builtin.price, { n: Math.max(8, grown), c: Math.max(32, grown), k, r });
}

/** The fuel of the example's own function, and prices that depend on two growing arguments. */
function isApart({ builtin: { name }, inText, grown }: Probe): boolean {
  return (/^(max|min)-key$/.test(name) && inText) || (name === 'string/join' && grown === 'all');
}

describe('the price of a builtin', () => {
  it.each(builtins.map((builtin) => [builtin.name, builtin] as const))('%s', (_, builtin) => {
    expect(amount(builtin.price, { n: 1, c: 1, k: 1, r: 1 })).toBeGreaterThan(0);
    for (const probe of probesOf(builtin, SIZE)) {
      if (isApart(probe)) continue;
      const units = unitsOf(probe);
      if (units === undefined) continue;
      const most = 1.5 * stated(probe) + 16;
      expect(units, `${probe.call} with ${JSON.stringify(probe.given)}`).toBeLessThanOrEqual(most);
    }
  });

  it('is measured for nearly all builtins', () => {
    const measured = builtins.filter((builtin) => probesOf(builtin, 4).some((probe) => unitsOf(probe) !== undefined));
    expect(measured.length).toBeGreaterThan(builtins.length * 0.95);
  });

  it('is not constant when a call reads more of a larger argument', () => {
    const flat = builtins.filter(({ price }) => /^\d+$/.test(price));
    const grew = flat.filter((builtin) => {
      const [small, large] = [probesOf(builtin, 64), probesOf(builtin, 8_192)].map((probes) =>
        Math.max(...probes.map((probe) => unitsOf(probe) ?? 0)),
      );
      return (large ?? 0) > (small ?? 0) + 16;
    });
    expect(grew.map(({ name }) => name)).toEqual([]);
  });
});
