// The terminal as commands see it: answers go to standard output, talk to standard error, each with colour where it is wanted.
import { styleText } from 'node:util';
import type { Line, Tone } from '../view/line.ts';
import { wrap } from '../view/wrap.ts';

export interface Terminal {
  /** The command's answer. */
  print(lines: readonly Line[]): void;
  /** The command's answer as it is. */
  write(text: string): void;
  /** The answer for machines. */
  json(value: unknown): void;
  /** The answer for machines, one line of many. */
  jsonLine(value: unknown): void;
  /** What is not the answer: progress, hints, what is wrong. */
  say(lines: readonly Line[]): void;
  /** How wide the answer may be; infinite where it goes to no screen, and every line is told whole. */
  readonly columns: number;
  /** Standard error is a screen that can be drawn on. */
  readonly screen: NodeJS.WriteStream | undefined;
  /** A line with the colours that the screen shows. */
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

/** NO_COLOR, FORCE_COLOR and what the stream can show are respected. */
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

/** On a screen they are broken to its width. */
export function writeLines(stream: NodeJS.WriteStream, lines: readonly Line[]): void {
  const columns = columnsOf(stream);
  const fitting = lines.flatMap((line) => wrap(line, columns));
  stream.write(fitting.map((line) => `${paint(line, stream)}\n`).join(''));
}

/** Infinite for what is no screen, or does not say how wide it is. */
export function columnsOf(stream: NodeJS.WriteStream): number {
  return (stream.isTTY && stream.columns) || Number.POSITIVE_INFINITY;
}

function paint(line: Line, stream: NodeJS.WriteStream): string {
  return line
    .map(({ text, tone }) => (tone === undefined || text === '' ? text : styleText(formats[tone], text, { stream })))
    .join('')
    .trimEnd();
}

/** The first error of each stream that is watched. */
const lost = new WeakMap<NodeJS.WriteStream, { error: NodeJS.ErrnoException | undefined }>();

/** A stream that cannot be written to any more ends neither a run nor a command, and is no fault of a handler. */
export function surviveErrors(stream: NodeJS.WriteStream): void {
  if (lost.has(stream)) return;
  const found: { error: NodeJS.ErrnoException | undefined } = { error: undefined };
  lost.set(stream, found);
  stream.on('error', (error: NodeJS.ErrnoException) => {
    found.error ??= error;
  });
}

/** Why text that was written is not where it should be; a reader who left early, as `head` does, misses nothing. */
export function lossOf(stream: NodeJS.WriteStream): string | undefined {
  const error = lost.get(stream)?.error;
  return error === undefined || error.code === 'EPIPE' ? undefined : error.message;
}
