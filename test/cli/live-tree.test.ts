// The live tree on a small simulated screen: the visible lines after each drawing.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { liveTree, type Screen } from '../../src/cli/drive/live-tree.ts';
import { plainText, span } from '../../src/view/line.ts';
import { began, completed, frame, grafted, ragged, type Story, tell } from '../view/story.ts';

/** Simulates the control sequences of a live tree: lines, cursor up, and clearing to the end. */
class SmallScreen implements Screen {
  columns = 40;
  readonly rows = 8;
  readonly lines: string[] = [];

  readonly write = (text: string): boolean => {
    const up = new RegExp(`^${String.fromCharCode(27)}\\[(\\d+)A\\r${String.fromCharCode(27)}\\[J`).exec(text);
    if (up !== null) this.lines.splice(-Number(up[1]));
    this.lines.push(
      ...text
        .slice(up?.[0].length ?? 0)
        .split('\n')
        .slice(0, -1),
    );
    return true;
  };

  /** Like real terminals, breaks one long line into several. */
  narrow(columns: number): void {
    this.columns = columns;
    const broken = this.lines.flatMap((line) => line.match(new RegExp(`.{1,${columns}}`, 'g')) ?? ['']);
    this.lines.splice(0, this.lines.length, ...broken);
  }
}

function show(screen: SmallScreen, { state, history }: Story) {
  const live = liveTree(screen, plainText, history);
  live.show(state);
  vi.advanceTimersByTime(200);
  return live;
}

const crowd = tell(frame, [
  began('ingest'),
  completed('ingest'),
  began('plan'),
  grafted(
    'plan',
    'report',
    Array.from({ length: 30 }, (_, index) => ({ name: `step_${index}` })),
  ),
  completed('plan'),
]);

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the live tree', () => {
  it('draws over its previous drawing', () => {
    const screen = new SmallScreen();
    const live = show(screen, tell(frame, [began('ingest')]));
    const before = screen.lines.length;
    expect(screen.lines.slice(-2)).toEqual(['3 of 100 steps, 0 of 5 phases, $0.00 of', '  $5.00']);
    vi.advanceTimersByTime(500);
    expect(screen.lines.length).toBe(before);
    live.show(ragged().state);
    live.finish();
    expect(screen.lines.filter((line) => line.includes('ingest'))).toHaveLength(1);
  });

  it('draws over its previous drawing on a screen that became narrower', () => {
    const screen = new SmallScreen();
    const live = show(screen, ragged());
    screen.narrow(17);
    live.finish();
    expect(screen.lines.filter((line) => line.includes('ingest'))).toHaveLength(1);
    expect(screen.lines.every((line) => line.length <= 17)).toBe(true);
  });

  it('stays within the height of the screen during the run, and is complete at the end', () => {
    const screen = new SmallScreen();
    const live = show(screen, crowd);
    expect(screen.lines.length).toBeLessThan(screen.rows);
    live.finish();
    expect(screen.lines.filter((line) => line.includes('step_'))).toHaveLength(30);
  });

  it('prints a note above the tree, where the note stays', () => {
    const screen = new SmallScreen();
    const live = show(screen, ragged());
    live.note([span('stopping')]);
    vi.advanceTimersByTime(500);
    live.finish();
    expect(screen.lines[0]).toBe('stopping');
    expect(screen.lines.filter((line) => line.includes('ingest'))).toHaveLength(1);
  });

  it('draws nothing after it is finished', () => {
    const screen = new SmallScreen();
    show(screen, ragged()).finish();
    const before = [...screen.lines];
    vi.advanceTimersByTime(5_000);
    expect(screen.lines).toEqual(before);
  });
});
