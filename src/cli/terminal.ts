// The terminal as commands see it: answers go to standard output, messages to standard error, each in color on request.
import { styleText } from 'node:util';
import type { Line, Tone } from '../view/line.ts';
import { wrap } from '../view/wrap.ts';

export interface Terminal {
  /** The command's answer. */
  print(lines: readonly Line[]): void;
  /** Prints the command's answer unchanged. */
  write(text: string): void;
  /** The answer for machines. */
  json(value: unknown): void;
  /** One line of the answer for machines. */
  jsonLine(value: unknown): void;
  /** Prints anything that is not the answer: progress, hints, issues. */
  say(lines: readonly Line[]): void;
  /** The width of the answer; infinite if it goes to no screen, so that lines are not wrapped. */
  readonly columns: number;
  /** Standard error, if it is a screen that can be drawn on. */
  readonly screen: NodeJS.WriteStream | undefined;
  /** Returns a line with the colors that the screen supports. */
  paintScreen(line: Line): string;
}

type Format = Parameters<typeof styleText>[0];

const formats: Readonly<Record<Tone, Format>> = {
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  busy: 'cyan',
  dim: 'dim',
  strong: 'bold',
};

/** Respects NO_COLOR, FORCE_COLOR and the abilities of the stream. */
export function openTerminal(out: NodeJS.WriteStream, err: NodeJS.WriteStream): Terminal {
  for (const stream of [out, err]) surviveErrors(stream);
  return {
    print: (lines) => writeLines(out, lines),
    write: (text) => {
      out.write(text);
    },
    json: (value) => {
      out.write(`${JSON.stringify(value, null, 2)}\n`);
    },
    jsonLine: (value) => {
      out.write(`${JSON.stringify(value)}\n`);
    },
    say: (lines) => writeLines(err, lines),
    columns: columnsOf(out),
    screen: err.isTTY === true && process.env.TERM !== 'dumb' ? err : undefined,
    paintScreen: (line) => paint(line, err),
  };
}

/** Wraps lines at the width of a screen. */
export function writeLines(stream: NodeJS.WriteStream, lines: readonly Line[]): void {
  const columns = columnsOf(stream);
  const fitting = lines.flatMap((line) => wrap(line, columns));
  stream.write(fitting.map((line) => `${paint(line, stream)}\n`).join(''));
}

/** Infinite for a stream that is no screen or does not report its width. */
export function columnsOf(stream: NodeJS.WriteStream): number {
  return (stream.isTTY && stream.columns) || Number.POSITIVE_INFINITY;
}

function paint(line: Line, stream: NodeJS.WriteStream): string {
  return line
    .map(({ text, tone }) => (tone === undefined || text === '' ? text : styleText(formats[tone], text, { stream })))
    .join('')
    .trimEnd();
}

/** The first error of each watched stream. */
const lost = new WeakMap<NodeJS.WriteStream, { error: NodeJS.ErrnoException | undefined }>();

/** Keeps a broken stream from ending a run or a command, and from being blamed on a handler. */
export function surviveErrors(stream: NodeJS.WriteStream): void {
  if (lost.has(stream)) return;
  const found: { error: NodeJS.ErrnoException | undefined } = { error: undefined };
  lost.set(stream, found);
  stream.on('error', (error: NodeJS.ErrnoException) => {
    found.error ??= error;
  });
}

/** Tells why written text was lost; undefined if the reader left early, as `head` does. */
export function lossOf(stream: NodeJS.WriteStream): string | undefined {
  const error = lost.get(stream)?.error;
  return error === undefined || error.code === 'EPIPE' ? undefined : error.message;
}
