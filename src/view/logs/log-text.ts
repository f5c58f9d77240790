// Prints log lines for people: time, level, step, writer, message and attributes.
import { isJsonObject, type Json } from '../../base/json.ts';
import type { Instant } from '../../base/quantity.ts';
import type { KeptLogLine, LogLevel, LogLine } from '../../engine/record/log-line.ts';
import { hanging, type Line, span, type Tone } from '../line.ts';

const tones: Readonly<Record<LogLevel, Tone | undefined>> = {
  debug: 'dim',
  info: undefined,
  warn: 'warn',
  error: 'bad',
};

/** `12:00:03.123`, in UTC like all times that commands print. */
function logTime(at: Instant): string {
  return new Date(at).toISOString().slice(11, 23);
}

export interface LogText {
  /** Prints further lines; the day stands in front of the first line of each day. */
  print(lines: readonly KeptLogLine[]): readonly Line[];
}

/** @param step the only step that is shown, whose name is left out */
export function logText(step?: string): LogText {
  let day = '';
  let width = 0;
  return {
    print(lines) {
      const writers = lines.map((line) => writerOf(line, step));
      width = Math.max(width, ...writers.map(({ length }) => Math.min(length, WIDEST)));
      return lines.flatMap((line, index) => {
        const today = new Date(line.at).toISOString().slice(0, 10);
        const head = today === day ? [] : [[span(`${today} UTC`, 'dim')]];
        day = today;
        return [...head, ...linesOf(line, (writers[index] ?? '').padEnd(width))];
      });
    },
  };
}

/** Longer names push their message to the right. */
const WIDEST = 24;
/** Further lines of a message stand under its level. */
const INDENT = ' '.repeat(14);

/** `fetch`, `fetch#2` for the second attempt. */
function writerOf({ step, attempt }: LogLine, only: string | undefined): string {
  return `${step === only ? '' : step}${attempt > 1 ? `#${attempt}` : ''}`;
}

function linesOf(line: LogLine, writer: string): readonly Line[] {
  const { at, level, source, message, data = {} } = line;
  const tone = tones[level];
  const [first = '', ...more] = message.split('\n');
  const { shown, stacks } = attributesOf(data);
  return [
    [
      span(`${logTime(at)}  `, 'dim'),
      span(level.padEnd(5), tone),
      span(writer === '' ? '  ' : `  ${writer}  `, 'busy'),
      ...(source === undefined ? [] : [span(`${source}: `, 'dim')]),
      hanging(first, tone),
      ...(shown === '' ? [] : [span(`  ${shown}`, 'dim')]),
    ],
    ...[...more, ...stacks].map((each): Line => [span(INDENT), hanging(each, 'dim')]),
  ];
}

interface ShownAttributes {
  /** `rows=3 path=a.csv` */
  readonly shown: string;
  /** Texts of several lines, such as the stack of an error. */
  readonly stacks: readonly string[];
}

export function attributesOf(data: Readonly<Record<string, Json>>): ShownAttributes {
  const shown: string[] = [];
  const stacks: string[] = [];
  for (const [key, value] of Object.entries(data)) {
    const stack = isJsonObject(value) ? value.stack : undefined;
    if (typeof value === 'string' && value.includes('\n')) stacks.push(`${key}:`, ...value.split('\n'));
    else if (typeof stack === 'string') stacks.push(`${key}:`, ...stack.split('\n'));
    else shown.push(`${key}=${attributeText(value)}`);
  }
  return { shown: shown.join(' '), stacks };
}

function attributeText(value: Json): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}
