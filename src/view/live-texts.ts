// The texts that models write at this moment: the end of each, as a screen or a page shows it.
import type { ModelDelta } from '../engine/record/model-delta.ts';
import { hanging, type Line, span } from './line.ts';
import { wrap } from './wrap.ts';

export interface LiveText extends Omit<ModelDelta, 'replaces' | 'isLast'> {
  /** The text is the end of a longer one. */
  readonly isCut: boolean;
  /** A number that grows with each change of any text. */
  readonly changed: number;
}

export interface LiveTexts {
  take(piece: ModelDelta): void;
  /** The texts of calls that have not ended; the one that changed last comes last. */
  all(): readonly LiveText[];
}

/** The most characters to keep of one text. */
export const MOST_KEPT = 4_000;

export function liveTexts(): LiveTexts {
  const texts = new Map<string, LiveText>();
  let changes = 0;
  return {
    take({ replaces, isLast, ...piece }) {
      const key = `${piece.run} ${piece.step} ${piece.attempt}.${piece.call}`;
      const before = texts.get(key);
      texts.delete(key);
      changes += 1;
      if (isLast) return;
      const whole = replaces || before === undefined ? piece.text : before.text + piece.text;
      const text = whole.length > MOST_KEPT ? whole.slice(-MOST_KEPT).replace(/^[\uDC00-\uDFFF]/, '') : whole;
      const isCut = text.length < whole.length || (before?.isCut === true && !replaces);
      texts.set(key, { ...piece, text, isCut, changed: changes });
    },
    all: () => [...texts.values()],
  };
}

/** The texts that changed last, and the lines of each that are shown at most. */
const SHOWN = { texts: 3, lines: 3 } as const;
const INDENT = 4;

/** The ends of the latest texts, each under the name of its step. @param run the run whose steps need no other name */
export function liveTextLines(
  texts: readonly LiveText[],
  { run, columns, rows }: { readonly run: string; readonly columns: number; readonly rows: number },
): readonly Line[] {
  if (rows < 2) return [];
  const shown = texts.slice(-Math.min(SHOWN.texts, Math.floor(rows / 2)));
  const each = Math.min(SHOWN.lines, Math.floor(rows / Math.max(1, shown.length)) - 1);
  return shown
    .toSorted((one, other) => one.step.localeCompare(other.step) || one.run.localeCompare(other.run))
    .flatMap((text) => [headOf(text, run), ...endOf(text, columns, each)]);
}

function headOf({ run: own, step, model, purpose }: LiveText, run: string): Line {
  const name = own === run ? step : `${step} of run ${own}`;
  return [span('  '), span(name, 'busy'), span(`  model ${model} (${purpose})`, 'dim')];
}

function endOf({ text }: LiveText, columns: number, rows: number): readonly Line[] {
  const width = Math.max(1, columns - INDENT);
  // More characters than fit, because short lines leave room.
  const end = text.slice(-width * (rows + 1) * 2).trimEnd();
  const written = end.split('\n').filter((line) => line.trim() !== '');
  const lines = written.flatMap((line) => wrap([hanging(line.trimEnd())], width));
  return lines.slice(-rows).map((line) => [span(' '.repeat(INDENT)), ...line]);
}
