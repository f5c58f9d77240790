// The capabilities of the template: reading logs, comparing clocks, finding signals, and judging what caused the incident.
import { basename } from 'node:path/posix';
import { type CallContext, CapabilityError, defineCapability } from 'reconverge';
import { type Format, formatOf, formats, type LogEvent, readEvents } from './events.mts';

const MOST_BYTES = 64_000_000;
const textOf = async (ctx: CallContext, path: string): Promise<string> =>
  (await ctx.files.read(path, MOST_BYTES)).toString('utf8');
const serviceOf = (path: string): string => basename(path).replace(/\.[^.]*$/, '');
const isoOf = (time: number): string => new Date(time).toISOString();

async function eventsIn(ctx: CallContext, path: string, format: string, year: number): Promise<readonly LogEvent[]> {
  const known = formats.find((each) => each === format) satisfies Format | undefined;
  if (known === undefined)
    throw new CapabilityError('FORMAT_UNKNOWN', `there is no log format "${format}"`, { retry: 'never' });
  return readEvents(await textOf(ctx, path), known, year);
}

export const look = defineCapability({
  name: 'incident.look',
  description: 'Find the format of a log, its span of time, its levels, and how many of its lines name a request.',
  input: '{path :string}',
  output:
    '{path :string, service :string, format :string, events :int, lines :int, first :string, last :string, has_year :bool, ids :int, timed_requests :int, levels :any}',
  effects: ['read'],
  async run({ path }, ctx) {
    const text = await textOf(ctx, path);
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
    const { format, share } = formatOf(lines);
    if (share < 0.2)
      throw new CapabilityError(
        'LOG_UNREADABLE',
        `${path} is no log: ${Math.round(share * 100)} % of its lines have a time`,
        { retry: 'never' },
      );
    const events = readEvents(text, format, 2000);
    const times = events.map(({ time }) => time).sort((a, b) => a - b);
    const levels = Object.fromEntries(
      [...Map.groupBy(events, ({ level }) => level)].map(([level, each]) => [level, each.length]),
    );
    const ids = new Set(events.flatMap(({ id }) => id ?? [])).size;
    const timed_requests = events.filter(({ id, took }) => id !== undefined && took !== undefined).length;
    return {
      path,
      service: serviceOf(path),
      format,
      events: events.length,
      lines: lines.length,
      first: isoOf(times[0] ?? 0),
      last: isoOf(times.at(-1) ?? 0),
      has_year: format !== 'syslog',
      ids,
      timed_requests,
      levels,
    };
  },
});

export const clock = defineCapability({
  name: 'incident.clock',
  description: 'Estimate by how much the clock of one log is ahead of another, from the requests that both name.',
  input: '{reference :string, reference_format :string, path :string, format :string, year :int}',
  output: '{path :string, ahead_ms :int, shared_requests :int, agree :int, within_ms :int}',
  effects: ['read'],
  async run({ reference, reference_format, path, format, year }, ctx) {
    // A request is under way from its start to its end; whatever another log says about it happened in between.
    const spans = new Map<string, { from: number; to: number }>();
    for (const { id, time, took = 0, precision } of await eventsIn(ctx, reference, reference_format, year)) {
      if (id === undefined) continue;
      const known = spans.get(id);
      spans.set(id, {
        from: Math.min(known?.from ?? Number.POSITIVE_INFINITY, time - took),
        to: Math.max(known?.to ?? 0, time + precision),
      });
    }
    const edges: { readonly at: number; readonly step: 1 | -1 }[] = [];
    const shared = new Set<string>();
    for (const { id, time, precision } of await eventsIn(ctx, path, format, year)) {
      const span = id === undefined ? undefined : spans.get(id);
      if (id === undefined || span === undefined) continue;
      shared.add(id);
      edges.push({ at: time - span.to, step: 1 }, { at: time + precision - span.from, step: -1 });
    }
    // The shift that puts most events into the span of their request.
    edges.sort((a, b) => a.at - b.at || b.step - a.step);
    let now = 0;
    let best = { agree: 0, from: 0, to: 0 };
    edges.forEach(({ at, step }, index) => {
      now += step;
      if (now > best.agree) best = { agree: now, from: at, to: edges[index + 1]?.at ?? at };
    });
    // Without a shared request nothing is known, and the clock counts as right.
    return {
      path,
      ahead_ms: Math.round((best.from + best.to) / 2),
      shared_requests: shared.size,
      agree: best.agree,
      within_ms: Math.round((best.to - best.from) / 2),
    };
  },
});

const CHANGE =
  /\b(deploy(ed|ing|ment)?|releas(e|ed|ing)|roll(ed|ing)? ?(out|back)|rollback|restart(ed|ing)?|start(ed|ing) (up|server|version|service)|version|config(uration)?\b.*\b(re)?(load|chang|appl)\w*|reload(ed|ing)?|migrat(ion|ed|ing)|ALTER (TABLE|SYSTEM)|CREATE (UNIQUE )?INDEX|DROP (TABLE|INDEX)|parameter .* changed|feature flag|flag \S+ (is )?(now )?(on|off|enabled|disabled)|scal(ed|ing) (up|down|to)|failover|promoted|(certificate|key|secret) (was )?(renewed|replaced|rotated)|upgraded?)\b/i;

const shapeOf = (text: string): string =>
  text
    .replace(/[0-9a-f]{8,}|\d+/gi, '#')
    .replace(/\s+/g, ' ')
    .slice(0, 70);

export const signals = defineCapability({
  name: 'incident.signals',
  description:
    'Group the changes, warnings and errors of a log by shape, with corrected times, and count its errors for each ten seconds.',
  input: '{path :string, service :string, format :string, year :int, ahead_ms :int}',
  output:
    '{service :string, path :string, ahead_ms :int, signals [{service :string, kind :string, text :string, at :string, last :string, line :int, count :int}], errors [{at :string, count :int}]}',
  effects: ['read'],
  async run({ path, service, format, year, ahead_ms }, ctx) {
    const events = (await eventsIn(ctx, path, format, year)).map((event) => ({
      ...event,
      time: event.time - ahead_ms,
    }));
    const kindOf = ({ level, text }: LogEvent): 'change' | 'error' | 'warn' | undefined =>
      level === 'error'
        ? 'error'
        : CHANGE.test(text) && format !== 'access'
          ? 'change'
          : level === 'warn'
            ? 'warn'
            : undefined;
    const grouped = Map.groupBy(events, (event) => {
      const kind = kindOf(event);
      return kind === undefined ? '' : `${kind} ${kind === 'change' ? event.text : shapeOf(event.text)}`;
    });
    grouped.delete('');
    const found = [...grouped.values()].flatMap((some) => {
      const sorted = some.toSorted((a, b) => a.time - b.time);
      const [first] = sorted;
      const last = sorted.at(-1);
      const kind = first === undefined ? undefined : kindOf(first);
      if (first === undefined || last === undefined || kind === undefined) return [];
      return [
        {
          service,
          kind,
          text: first.text.slice(0, 200),
          at: isoOf(first.time),
          last: isoOf(last.time),
          line: first.line,
          count: some.length,
        },
      ];
    });
    const errors = [
      ...Map.groupBy(
        events.filter(({ level }) => level === 'error'),
        ({ time }) => Math.floor(time / 10_000) * 10_000,
      ),
    ];
    return {
      service,
      path,
      ahead_ms,
      signals: found.toSorted((a, b) => a.at.localeCompare(b.at)).slice(0, 200),
      errors: errors.toSorted((a, b) => a[0] - b[0]).map(([at, some]) => ({ at: isoOf(at), count: some.length })),
    };
  },
});

interface Signal {
  readonly service: string;
  readonly kind: string;
  readonly text: string;
  readonly at: string;
  readonly last: string;
  readonly line: number;
  readonly count: number;
  readonly path: string;
}

interface SignalsOfLog {
  readonly path: string;
  readonly signals: readonly Omit<Signal, 'path'>[];
  readonly errors: readonly { readonly at: string; readonly count: number }[];
}

const WINDOW = 45 * 60_000;
const WORDS = /[a-z][a-z_]{3,}/g;
const COMMON = new Set(
  'with from this that have been after before while request error failed level info warn service orders log line time msg version status http'.split(
    ' ',
  ),
);
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set((text.toLowerCase().match(WORDS) ?? []).filter((word) => !COMMON.has(word)));

/** The first ten seconds with many errors, of which many follow within the next minute. */
function outbreakIn(logs: readonly SignalsOfLog[]): { readonly from: number; readonly to: number } | undefined {
  const counts = new Map<number, number>();
  for (const { at, count } of logs.flatMap(({ errors }) => errors))
    counts.set(Date.parse(at), (counts.get(Date.parse(at)) ?? 0) + count);
  const times = [...counts.keys()].sort((a, b) => a - b);
  const inMinute = (from: number): number =>
    times
      .filter((time) => time >= from && time < from + 60_000)
      .reduce((sum, time) => sum + (counts.get(time) ?? 0), 0);
  const most = Math.max(0, ...times.map(inMinute));
  const high = Math.max(5, most * 0.3);
  const from = times.find((time) => (counts.get(time) ?? 0) >= 2 && inMinute(time) >= high);
  const to = times.findLast((time) => inMinute(time - 50_000) >= high);
  return from === undefined || to === undefined ? undefined : { from, to: Math.max(from, to) + 10_000 };
}

export const cause = defineCapability({
  name: 'incident.cause',
  description:
    'Find when the outbreak of errors began and ended, and which change or first failure before it fits best.',
  input: '{logs :list}',
  output:
    '{began :string, ended :string, cause :any, certainty :string, reasons [:string], rivals [{text :string, service :string, at :string, score :float}], timeline [{at :string, service :string, kind :string, text :string, where :string, count :int}]}',
  effects: ['pure'],
  run({ logs }) {
    const known = logs as unknown as readonly SignalsOfLog[];
    const outbreak = outbreakIn(known);
    if (outbreak === undefined)
      throw new CapabilityError('NO_OUTBREAK', 'no minute of the logs has five errors or more', { retry: 'never' });
    const all = known
      .flatMap(({ path, signals: some }) => some.map((each): Signal => ({ ...each, path })))
      .toSorted((a, b) => a.at.localeCompare(b.at));
    const timeOf = ({ at }: Signal): number => Date.parse(at);
    const troubles = all.filter(({ kind, last }) => kind !== 'change' && Date.parse(last) >= outbreak.from - WINDOW);
    const near = (each: Signal): boolean =>
      timeOf(each) <= outbreak.from + 15_000 && timeOf(each) >= outbreak.from - WINDOW;
    const weighed = all
      .filter((each) => each.kind === 'change' && near(each))
      .map((change) => {
        // Troubles that the logs show for the first time after the change.
        const fresh = troubles.filter((each) => timeOf(each) >= timeOf(change) - 2_000 && timeOf(each) <= outbreak.to);
        const [first] = fresh;
        const words = wordsOf(change.text);
        const shared = [...new Set(fresh.flatMap(({ text }) => [...wordsOf(text)].filter((word) => words.has(word))))];
        const reasons = [
          `${Math.max(0, Math.round((outbreak.from - timeOf(change)) / 1000))} s before the outbreak`,
          ...(first?.service === change.service
            ? [`the first new trouble after it is in ${first.service}: ${first.text.slice(0, 100)}`]
            : []),
          ...(shared.length === 0 ? [] : [`later troubles speak of ${shared.slice(0, 4).join(', ')} too`]),
        ];
        const closeness = 3 * (1 - Math.min(1, Math.abs(outbreak.from - timeOf(change)) / WINDOW));
        const score =
          Math.round(
            (closeness + (first?.service === change.service ? 2 : 0) + Math.min(3, shared.length) * 1.5) * 100,
          ) / 100;
        return { change, score, reasons };
      })
      .toSorted((a, b) => b.score - a.score);
    const [best, second] = weighed;
    const firstTrouble = troubles.find(
      (each) =>
        near(each) &&
        timeOf(each) >= outbreak.from - 10 * 60_000 &&
        all.every((other) => other === each || other.text !== each.text),
    );
    const shown = (each: Signal) => ({
      at: each.at,
      service: each.service,
      kind: each.kind,
      text: each.text,
      where: `${each.path}:${each.line}`,
      count: each.count,
    });
    const blamed = best?.change ?? firstTrouble;
    const until = all.find(
      (each) => each.kind === 'change' && Math.abs(timeOf(each) - outbreak.to) < 120_000 && each !== blamed,
    );
    return {
      began: isoOf(outbreak.from),
      ended: isoOf(outbreak.to),
      cause: blamed === undefined ? null : shown(blamed),
      certainty:
        best === undefined
          ? 'possible: no change stands in the logs, so that this is the first trouble'
          : best.score >= 5 && best.score - (second?.score ?? 0) >= 1
            ? 'likely'
            : 'possible',
      reasons: [
        ...(best?.reasons ?? []),
        ...(until === undefined ? [] : [`the errors ended with: ${until.text.slice(0, 100)}`]),
      ],
      rivals: weighed
        .slice(1, 4)
        .map(({ change, score }) => ({ text: change.text, service: change.service, at: change.at, score })),
      timeline: all
        .filter((each) => timeOf(each) >= outbreak.from - WINDOW && timeOf(each) <= outbreak.to + 300_000)
        .map(shown)
        .slice(0, 60),
    };
  },
});
