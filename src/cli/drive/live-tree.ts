// The tree of a run, drawn in place on a screen while the run goes on.
import type { RunView } from '../../engine/state/run-view.ts';
import { budgetLine } from '../../view/budget/budget-line.ts';
import type { History } from '../../view/history.ts';
import { type Line, shorten, span, widthOf } from '../../view/line.ts';
import { runTree } from '../../view/run-tree.ts';
import { treeText } from '../../view/tree-text.ts';
import { wrap } from '../../view/wrap.ts';
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
  show(state: RunView): void;
  /** Says something above the tree. */
  note(line: Line): void;
  /** Draws it once more, whole, and leaves it standing; what was spent is for the summary to say. */
  finish(): void;
}

export function liveTree(screen: Screen, paint: Terminal['paintScreen'], history: History): LiveTree {
  let state: RunView | undefined;
  /** How wide each line is that stands there. */
  let drawn: readonly number[] = [];
  let timer = setTimeout(tick, PERIOD).unref();

  function tick(): void {
    const began = performance.now();
    if (state !== undefined) {
      const budget = wrap([span(budgetLine(state), 'strong')], columns());
      write([...tree(state, (screen.rows || UNKNOWN.rows) - 1 - budget.length), ...budget]);
    }
    timer = setTimeout(tick, Math.max(PERIOD, SHARE * (performance.now() - began))).unref();
  }

  function tree(of: RunView, rows: number): readonly Line[] {
    return treeText(runTree(of, history, Date.now()), { columns: Number.POSITIVE_INFINITY, rows: Math.max(1, rows) });
  }

  function write(lines: readonly Line[]): void {
    const fitting = lines.map((line) => shorten(line, columns()));
    screen.write(erase() + fitting.map((line) => `${paint(line)}\n`).join(''));
    drawn = fitting.map(widthOf);
  }

  function columns(): number {
    return screen.columns || UNKNOWN.columns;
  }

  /** Back to the first drawn line, and everything from there on cleared. A screen made narrower since has broken lines. */
  function erase(): string {
    const rows = drawn.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns())), 0);
    return rows === 0 ? '' : `\u001b[${rows}A\r\u001b[J`;
  }

  return {
    show: (next) => {
      state = next;
    },
    note: (line) => {
      const fitting = wrap(line, columns()).map((each) => `${paint(each)}\n`);
      screen.write(erase() + fitting.join(''));
      drawn = [];
    },
    finish: () => {
      clearTimeout(timer);
      if (state !== undefined) write(tree(state, Number.POSITIVE_INFINITY));
    },
  };
}
