// Time and memory limits of the Lisp: a reference loop measures this machine, and a child process the memory.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { referenceTime } from '../../bench/lisp/measure-prices.ts';
import { RECORDED_REFERENCE, search, steadyTimeOf } from '../../bench/lisp/search.ts';
import { hostileExpressions } from './hostile-expressions.ts';

/** Milliseconds of processor time for an expression on the reference machine. */
const PROMISE = 250;
/** Other load slows the loop and the expressions unevenly. */
const GENEROUS = 4;

/** Measured again for each case, because the load changes. */
function allowed(): number {
  return PROMISE * Math.max(1, referenceTime() / RECORDED_REFERENCE) * GENEROUS;
}

describe('an expression, from its text to its value as JSON', () => {
  it.each(hostileExpressions.map((source) => [source.slice(0, 100), source]))(
    'ends within its deadline: %s',
    (_, source = '') => {
      const most = allowed();
      expect(steadyTimeOf(source, most).milliseconds).toBeLessThan(most);
    },
  );

  it('stays within the promised memory', () => {
    const file = join(import.meta.dirname, 'hostile-process.ts');
    // The process itself takes about 30 MB; an expression may take 100 MB.
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--max-old-space-size=130', file], {
      encoding: 'utf8',
    });
    expect(stderr).not.toContain('heap out of memory');
    expect(status, stderr.slice(0, 500)).toBe(0);
    expect(Number(stdout)).toBe(hostileExpressions.length);
  });
});

describe.runIf(process.env.RECONVERGE_LONG === '1')('programs made of all builtins, with growing inputs', () => {
  const seconds = Number(process.env.RECONVERGE_SEARCH_SECONDS ?? 120);

  it('take no longer than promised', { timeout: (seconds + 300) * 1_000 }, () => {
    const seed = Number(process.env.RECONVERGE_SEARCH_SEED ?? 7);
    const { tried, slowest } = search(seed, seconds * 1_000, PROMISE / 4);
    expect(tried).toBeGreaterThan(10);
    const most = allowed();
    const late = slowest.filter(
      ({ source, milliseconds }) => milliseconds > most && steadyTimeOf(source, most).milliseconds > most,
    );
    expect(late).toEqual([]);
  });
});
