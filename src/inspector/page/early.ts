// Opens the event stream before the browser has read the program of the page, so that both arrive at the same time.

/** The names of the messages that are kept until the page listens. */
const NAMES = [
  'open',
  'runs',
  'changes',
  'total',
  'template',
  'events',
  'reached',
  'readonly',
  'damage',
  'live',
  'logs',
];

/** The most runs in the list, unless a person asks for more. */
export const LISTED_RUNS = 1_000;

interface EarlyStream {
  readonly address: string;
  readonly source: EventSource;
  readonly kept: Event[];
  readonly keep: (event: Event) => void;
}

let early: EarlyStream | undefined = openEarly();

/** `after` is the version of the last event that the page has. */
export function streamAddress(run: string | undefined, runs: number, after: number): string {
  const query = run === undefined ? '' : `&run=${encodeURIComponent(run)}&after=${after}`;
  return `api/stream?runs=${runs}${query}`;
}

function openEarly(): EarlyStream | undefined {
  if (document.hidden) return undefined;
  const run = new URLSearchParams(location.hash.slice(1)).get('run') ?? undefined;
  const address = streamAddress(run, LISTED_RUNS, 0);
  const source = new EventSource(address);
  const kept: Event[] = [];
  const keep = (event: Event): unknown => kept.push(event);
  for (const name of NAMES) source.addEventListener(name, keep);
  // The page reconnects in its own way.
  source.addEventListener('error', () => source.close(), { once: true });
  return { address, source, kept, keep };
}

/**
 * Hands the stream over if it has this address. `listen` adds the listeners; they get the kept messages first. Returns
 * undefined if there is no such stream, or if it has failed.
 */
export function takeEarly(address: string, listen: (source: EventSource) => void): EventSource | undefined {
  const taken = early;
  early = undefined;
  if (taken === undefined) return undefined;
  const { source, kept, keep } = taken;
  for (const name of NAMES) source.removeEventListener(name, keep);
  if (taken.address !== address || source.readyState === EventSource.CLOSED) {
    source.close();
    return undefined;
  }
  listen(source);
  for (const event of kept)
    source.dispatchEvent(
      event instanceof MessageEvent ? new MessageEvent(event.type, { data: event.data }) : new Event(event.type),
    );
  return source;
}
