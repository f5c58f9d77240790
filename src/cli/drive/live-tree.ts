// Draws the tree of a run in place on a screen while the run proceeds, with the texts that its models write.
import { defined } from '../../base/json.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import { budgetLine } from '../../view/budget/budget-line.ts';
import type { History } from '../../view/history.ts';
import { type Line, shorten, span, widthOf } from '../../view/line.ts';
import { type LiveTexts, liveTextLines } from '../../view/live-texts.ts';
import { runTree } from '../../view/run-tree.ts';
import { treeText } from '../../view/tree-text.ts';
import { wrap } from '../../view/wrap.ts';
import type { Terminal } from '../terminal.ts';

/** The minimum time between two drawings, in milliseconds. */
const PERIOD = 100;
/** Drawing takes at most one part in this many of the time, however large the run is. */
const SHARE = 20;
/** Texts of models take at most one part in this many of the screen. */
const TEXT_SHARE = 2;

/** The size to use for terminals that report no size. */
const UNKNOWN = { columns: 80, rows: 24 };

/** The part of a stream that the tree is drawn on. */
export type Screen = Pick<NodeJS.WriteStream, 'columns' | 'rows' | 'write'>;

export interface LiveTree {
  show(state: RunView): void;
  /** Prints a line above the tree. */
  note(line: Line): void;
  /** Draws the whole tree once more and leaves it on the screen, without costs, which the summary reports. */
  finish(): void;
}

/** Texts that change while steps run. */
export interface LiveDetails {
  /** The texts that models write, to draw below the tree. */
  readonly texts: LiveTexts;
  /** The last log line of each step. */
  readonly lastLines: ReadonlyMap<string, string>;
}

/** @param live absent: only the tree is drawn */
export function liveTree(
  screen: Screen,
  paint: Terminal['paintScreen'],
  history: History,
  live?: LiveDetails,
): LiveTree {
  let state: RunView | undefined;
  /** The width of each line on the screen. */
  let drawn: readonly number[] = [];
  let timer = setTimeout(tick, PERIOD).unref();

  function tick(): void {
    const began = performance.now();
    if (state !== undefined) {
      const budget = wrap([span(budgetLine(state), 'strong')], columns());
      const rows = (screen.rows || UNKNOWN.rows) - 1 - budget.length;
      const written = textLines(state, Math.floor(rows / TEXT_SHARE));
      write([...tree(state, rows - written.length), ...written, ...budget]);
    }
    timer = setTimeout(tick, Math.max(PERIOD, SHARE * (performance.now() - began))).unref();
  }

  function tree(of: RunView, rows: number): readonly Line[] {
    const size = { columns: Number.POSITIVE_INFINITY, rows: Math.max(1, rows) };
    return treeText(runTree(of, history, Date.now()), { ...size, ...defined({ details: live?.lastLines }) });
  }

  function textLines({ id: run }: RunView, rows: number): readonly Line[] {
    return live === undefined ? [] : liveTextLines(live.texts.all(), { run, columns: columns(), rows });
  }

  function write(lines: readonly Line[]): void {
    const fitting = lines.map((line) => shorten(line, columns()));
    screen.write(erase() + fitting.map((line) => `${paint(line)}\n`).join(''));
    drawn = fitting.map(widthOf);
  }

  function columns(): number {
    return screen.columns || UNKNOWN.columns;
  }

  /** Moves to the first drawn line and clears the rest. A screen that became narrower has wrapped some lines. */
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
