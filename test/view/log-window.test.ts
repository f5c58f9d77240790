// The window of log lines that a page draws.
import { describe, expect, it } from 'vitest';
import type { KeptLogLine } from '../../src/engine/record/log-line.ts';
import { LINES_AT_ONCE, lastLines, MOST_DRAWN, withEarlier, withNewer } from '../../src/view/logs/log-window.ts';

const lines = (from: number, to: number): readonly KeptLogLine[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    number: from + index,
    run: 'r1',
    step: 'a',
    attempt: 1,
    at: 0,
    level: 'info',
    message: '',
  }));

const ends = ({ lines: all }: { readonly lines: readonly KeptLogLine[] }) => [all[0]?.number, all.at(-1)?.number];

describe('the window of a log', () => {
  it('begins with the last lines, and grows at its end without repeating one', () => {
    const window = withNewer(lastLines(lines(1, 10)), lines(10, 12));
    expect(ends(window)).toEqual([1, 12]);
    expect(window).toMatchObject({ hasEarlier: false, isAtEnd: true });
    expect(withNewer(window, [])).toBe(window);
  });

  it('drops its first lines when there are more than the bound, and begins anew after a gap', () => {
    let window = lastLines(lines(1, LINES_AT_ONCE));
    for (let last = LINES_AT_ONCE; last < MOST_DRAWN + 100; last += 100)
      window = withNewer(window, lines(last + 1, last + 100));
    expect(window.lines).toHaveLength(MOST_DRAWN);
    expect(ends(window)).toEqual([101, MOST_DRAWN + 100]);
    expect(window.hasEarlier).toBe(true);
    const far = lines(9_001, 9_000 + LINES_AT_ONCE);
    expect(withNewer(window, far)).toEqual({ lines: far, hasEarlier: true, isAtEnd: true });
  });

  it('drops its last lines for earlier ones, and takes no new lines then', () => {
    let window = lastLines(lines(2_001, 2_500));
    for (const from of [1_501, 1_001, 501]) window = withEarlier(window, lines(from, from + 499));
    expect(window).toMatchObject({ hasEarlier: true, isAtEnd: true });
    window = withEarlier(window, lines(1, 499));
    expect(ends(window)).toEqual([1, 2_001]);
    expect(window).toMatchObject({ hasEarlier: false, isAtEnd: false });
    expect(withNewer(window, lines(2_501, 2_502))).toBe(window);
  });
});
