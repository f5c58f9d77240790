// Reads events from logs of the usual formats: JSON lines, logfmt, web servers, PostgreSQL, syslog, and plain text.

export type Level = 'debug' | 'info' | 'warn' | 'error';

export interface LogEvent {
  readonly line: number;
  /** Milliseconds since 1970, as the service's own clock says. */
  readonly time: number;
  /** The events of a second are spread over this many milliseconds; 1 where the log has milliseconds. */
  readonly precision: number;
  readonly level: Level;
  readonly text: string;
  readonly id?: string;
  /** Milliseconds that the request took, which ended at `time`. */
  readonly took?: number;
}

export const formats = ['json', 'logfmt', 'access', 'web-error', 'postgres', 'syslog', 'text'] as const;
export type Format = (typeof formats)[number];

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const PRIORITIES = ['EMERG', 'ALERT', 'CRIT', 'ERR', 'WARNING', 'notice', 'info', 'debug'];
const ISO = /(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,6}))?\s?(Z|UTC|GMT|[+-]\d\d:?\d\d)?/;
const ID =
  /(?:req(?:uest)?[_-]?id|x-request-id|trace[_-]?id|correlation[_-]?id|rid|req)["']?\s*[=:]\s*["']?([A-Za-z0-9][A-Za-z0-9-]{5,})/i;

const levelOf = (text: string): Level => {
  if (/\b(FATAL|PANIC|CRIT(ICAL)?|EMERG|ALERT|ERR(OR)?|SEVERE)\b/i.test(text)) return 'error';
  if (/\bWARN(ING)?\b/i.test(text)) return 'warn';
  return /\b(DEBUG|TRACE)\b/i.test(text) ? 'debug' : 'info';
};

function isoTime(text: string): { readonly time: number; readonly precision: number } | undefined {
  const [whole, date, clock, fraction = '', zone = 'Z'] = ISO.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const suffix = /^(Z|UTC|GMT)$/.test(zone) ? 'Z' : zone.replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2');
  const time = Date.parse(`${date}T${clock}.${fraction.slice(0, 3).padEnd(3, '0')}${suffix}`);
  return Number.isNaN(time) ? undefined : { time, precision: fraction === '' ? 1000 : 1 };
}

type Parsed = Omit<LogEvent, 'line'> | undefined;

const parsers: Readonly<Record<Format, (text: string, year: number) => Parsed>> = {
  json(text) {
    if (!text.startsWith('{')) return undefined;
    let entry: Readonly<Record<string, unknown>>;
    try {
      entry = JSON.parse(text) as Readonly<Record<string, unknown>>;
    } catch {
      return undefined;
    }
    const at = entry.time ?? entry.timestamp ?? entry.ts ?? entry['@timestamp'] ?? entry.t ?? entry.datetime;
    // journald writes microseconds, as text, and the priorities of syslog.
    const micros = Number(entry.__REALTIME_TIMESTAMP);
    const time =
      micros > 0
        ? { time: micros / 1000, precision: 1 }
        : typeof at === 'number'
          ? { time: at > 1e11 ? at : at * 1000, precision: 1 }
          : isoTime(String(at));
    if (time === undefined) return undefined;
    const level =
      typeof entry.level === 'number'
        ? entry.level >= 50
          ? 'error'
          : entry.level >= 40
            ? 'warn'
            : 'info'
        : levelOf(PRIORITIES[Number(entry.PRIORITY)] ?? String(entry.level ?? entry.severity ?? ''));
    const rest = Object.entries(entry).filter(
      ([key]) =>
        !/^(time|timestamp|ts|@timestamp|t|level|severity|datetime|msg|message|pid|hostname|MESSAGE|PRIORITY|_.*)$/.test(
          key,
        ),
    );
    const told = rest
      .map(([key, value]) => `${key}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
      .join(' ');
    return {
      ...time,
      level,
      text: `${entry.msg ?? entry.message ?? entry.MESSAGE ?? ''} ${told}`.trim(),
      ...idIn(text),
    };
  },
  logfmt(text) {
    if (!/^(\S+=("[^"]*"|\S*)\s*){3,}/.test(text)) return undefined;
    const time = isoTime(text);
    return (
      time && {
        ...time,
        level: levelOf(/\b(?:level|lvl|severity)=(\w+)/.exec(text)?.[1] ?? ''),
        text: text.replace(/\b(ts|time|level|lvl)=("[^"]*"|\S+)\s*/g, ''),
        ...idIn(text),
      }
    );
  },
  access(text) {
    const [, date, month = '', year, clock, zone, request = '', status = ''] =
      /\[(\d\d)\/(\w{3})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})\] "([^"]*)" (\d{3})/.exec(text) ?? [];
    if (status === '') return undefined;
    const number = String(MONTHS.indexOf(month) + 1).padStart(2, '0');
    const time = Date.parse(`${year}-${number}-${date}T${clock}.000${zone?.slice(0, 3)}:${zone?.slice(3)}`);
    const took = /\b(?:rt|request_time|duration)=["']?([\d.]+)/.exec(text)?.[1];
    const level = Number(status) >= 500 ? 'error' : 'info';
    const path = request.replace(/ HTTP\/[\d.]+$/, '').replace(/\?.*$/, '');
    return {
      time,
      precision: 1000,
      level,
      text: `${status} ${path}`,
      ...idIn(text),
      ...(took === undefined ? {} : { took: Number(took) * 1000 }),
    };
  },
  'web-error'(text) {
    const [, date, clock, level = '', message = ''] =
      /^(\d{4}\/\d\d\/\d\d) (\d\d:\d\d:\d\d) \[(\w+)\] (.*)$/.exec(text) ?? [];
    if (date === undefined) return undefined;
    return {
      time: Date.parse(`${date.replaceAll('/', '-')}T${clock}Z`),
      precision: 1000,
      level: levelOf(level),
      text: message,
      ...idIn(text),
    };
  },
  postgres(text) {
    const [, severity = '', message = ''] =
      /^\d{4}-\d\d-\d\d .*?\b(DEBUG\d?|LOG|NOTICE|WARNING|ERROR|FATAL|PANIC|DETAIL|HINT|STATEMENT|CONTEXT):\s+(.*)$/.exec(
        text,
      ) ?? [];
    const time = isoTime(text);
    if (time === undefined || severity === '') return undefined;
    const took = /duration: ([\d.]+) ms/.exec(message)?.[1];
    return {
      ...time,
      level: levelOf(severity),
      text: message,
      ...idIn(text),
      ...(took === undefined ? {} : { took: Number(took) }),
    };
  },
  syslog(text, year) {
    const [, month = '', day, clock, message = ''] =
      /^(?:<\d+>)?([A-Z][a-z]{2})\s+(\d{1,2}) (\d\d:\d\d:\d\d) \S+ (.*)$/.exec(text) ?? [];
    const number = MONTHS.indexOf(month) + 1;
    if (number === 0) return undefined;
    const time = Date.parse(`${year}-${String(number).padStart(2, '0')}-${day?.padStart(2, '0')}T${clock}Z`);
    return { time, precision: 1000, level: levelOf(message), text: message, ...idIn(text) };
  },
  text(text) {
    const found = ISO.exec(text.slice(0, 60));
    const time = found === null ? undefined : isoTime(text);
    return (
      time && {
        ...time,
        level: levelOf(text.slice(0, 120)),
        text: text.replace(found?.[0] ?? '', '').trim(),
        ...idIn(text),
      }
    );
  },
};

const idIn = (text: string): { readonly id?: string } => {
  const id = ID.exec(text)?.[1];
  return id === undefined ? {} : { id };
};

/** The format that reads most lines of the beginning. */
export function formatOf(lines: readonly string[]): { readonly format: Format; readonly share: number } {
  const sample = lines.filter((line) => line.trim() !== '').slice(0, 300);
  const [best] = formats
    .map((format) => ({
      format,
      share: sample.filter((line) => parsers[format](line, 2000) !== undefined).length / Math.max(1, sample.length),
    }))
    .toSorted((a, b) => b.share - a.share);
  return best ?? { format: 'text', share: 0 };
}

/** Lines without a time belong to the event before them. */
export function readEvents(text: string, format: Format, year: number): readonly LogEvent[] {
  const events: LogEvent[] = [];
  text.split(/\r?\n/).forEach((line, at) => {
    const parsed = parsers[format](line, year);
    const last = events.at(-1);
    if (parsed !== undefined) events.push({ line: at + 1, ...parsed });
    else if (last !== undefined && line.trim() !== '' && last.text.length < 300)
      events[events.length - 1] = { ...last, text: `${last.text} ${line.trim()}` };
  });
  return events;
}
