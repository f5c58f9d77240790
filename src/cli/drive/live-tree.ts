// The tree of a run, drawn in place on a screen while the run goes on.
import type { RunState } from '../../engine/state.ts';
import { budgetLine } from '../../view/budget/budget-line.ts';
import type { History } from '../../view/history.ts';
import { type Line, shorten, span } from '../../view/line.ts';
import { runTree } from '../../view/run-tree.ts';
import { treeText } from '../../view/tree-text.ts';
import type { Terminal } from '../terminal.ts';

/** Milliseconds between two drawings, at least. */
const PERIOD = 100;
/** Drawing takes at most one part in so many of the time, however large the run is. */
const SHARE = 20;

/** For terminals that say that they are nothing wide. */
const UNKNOWN = { columns: 80, rows: 24 };

/** What of a stream is drawn on. */
export type Screen = Pick<NodeJS.WriteStream, 'columns' | 'rows' | 'write'>;

export interface LiveTree {
  show(state: RunState): void;
  /** Says something above the tree. */
  note(line: Line): void;
  /** Draws it once more, whole, and leaves it standing; what was spent is for the summary to say. */
  finish(): void;
}

export function liveTree(screen: Screen, paint: Terminal['paintScreen'], history: History): LiveTree {
  let state: RunState | undefined;
  let drawn = 0;
  let timer = setTimeout(tick, PERIOD).unref();

  function tick(): void {
    const began = performance.now();
    const rows = (screen.rows || UNKNOWN.rows) - 2;
    if (state !== undefined) write([...tree(state, rows), [span(budgetLine(state), 'strong')]]);
    timer = setTimeout(tick, Math.max(PERIOD, SHARE * (performance.now() - began))).unref();
  }

  function tree(of: RunState, rows: number): readonly Line[] {
    return treeText(runTree(of, history, Date.now()), { columns: Number.POSITIVE_INFINITY, rows: Math.max(1, rows) });
  }

  function write(lines: readonly Line[]): void {
    const columns = screen.columns || UNKNOWN.columns;
    screen.write(erase() + lines.map((line) => `${paint(shorten(line, columns))}\n`).join(''));
    drawn = lines.length;
  }

  /** Back to the first drawn line, and everything from there on cleared. */
  function erase(): string {
    return drawn === 0 ? '' : `\u001b[${drawn}A\r\u001b[J`;
  }

  return {
    show: (next) => {
      state = next;
    },
    note: (line) => {
      screen.write(`${erase()}${paint(line)}\n`);
      drawn = 0;
    },
    finish: () => {
      clearTimeout(timer);
      if (state !== undefined) write(tree(state, Number.POSITIVE_INFINITY));
    },
  };
}
