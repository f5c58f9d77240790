// Log lines as the store keeps them, and back.
import { defined, isJsonObject, type Json } from '../../base/json.ts';
import { type KeptLogLine, type LogLine, levelOf, severities } from '../../engine/record/log-line.ts';
import type { KeptLogRow, LogOrigin, LogRow } from '../../store/journal.ts';

/** Lines of one writer share their origin, so that the store looks for it once. */
export function rowsOf(lines: readonly LogLine[]): readonly LogRow[] {
  const origins = new Map<string, LogOrigin>();
  return lines.map((line) => {
    const { at, level, message, data } = line;
    return {
      at: Math.floor(at),
      severity: severities[level],
      origin: originOf(line, origins),
      message,
      data: data === undefined ? '' : JSON.stringify(data),
    };
  });
}

function originOf(
  { step, attempt, delivery = 1, call = 0, source = '', traceparent: trace = '' }: LogLine,
  known: Map<string, LogOrigin>,
): LogOrigin {
  const name = `${step}\n${attempt}.${delivery}.${call}\n${source}\n${trace}`;
  const before = known.get(name);
  if (before !== undefined) return before;
  const origin = { step, attempt, delivery, call, source, trace };
  known.set(name, origin);
  return origin;
}

export function lineOf(run: string, { number, at, severity, origin, message, data }: KeptLogRow): KeptLogLine {
  const { step, attempt, delivery, call, source, trace } = origin;
  const attributes = dataFrom(data);
  return {
    number,
    run,
    step,
    attempt,
    ...(delivery === 1 ? {} : { delivery }),
    ...(call === 0 ? {} : { call }),
    at,
    level: levelOf(severity),
    ...(source === '' ? {} : { source }),
    message,
    ...defined({ data: attributes }),
    ...(trace === '' ? {} : { traceparent: trace }),
  };
}

/** A line is shown without attributes that cannot be read. */
function dataFrom(text: string): KeptLogLine['data'] {
  if (text === '') return undefined;
  try {
    const data = JSON.parse(text) as Json;
    return isJsonObject(data) ? data : undefined;
  } catch {
    return undefined;
  }
}
