// Listens to the server's event stream, and reconnects behind the last received event.
import type { Duration } from '../../../base/quantity.ts';
import type { StreamMessages } from '../../wire.schema.ts';
import { streamAddress, takeEarly } from '../early.ts';

export interface StreamListener {
  onRuns(runs: StreamMessages['runs']): void;
  onChanges(runs: StreamMessages['changes']): void;
  onTotal(total: StreamMessages['total']): void;
  /** The template of the run, as JSON. */
  onTemplate(text: string): void;
  onEvents(events: StreamMessages['events']): void;
  /** All events that the store had when the stream began have been received. */
  onReached(): void;
  onReadOnly(): void;
  onDamage(damage: StreamMessages['damage']): void;
  onLive(texts: StreamMessages['live']): void;
  /** The run has log lines up to this number. */
  onLogs(last: StreamMessages['logs']): void;
  onConnection(isLive: boolean): void;
  /** The version of the last received event. */
  version(): number;
}

const FIRST_DELAY: Duration = 300;
const LONGEST_DELAY: Duration = 3_000;

interface ListenedPart {
  /** The run whose events are sent; undefined: only the list of runs. */
  readonly run: string | undefined;
  /** The most runs in the list. */
  readonly runs: number;
}

/**
 * Returns a function that ends the stream. A hidden page does not listen: browsers share six connections among all pages
 * of a host, and a seventh page would get none.
 */
export function listen({ run, runs }: ListenedPart, listener: StreamListener): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delay = FIRST_DELAY;

  function open(): void {
    const address = streamAddress(run, runs, listener.version());
    source = takeEarly(address, attach);
    if (source !== undefined) return;
    source = new EventSource(address);
    attach(source);
  }

  function attach(source: EventSource): void {
    source.addEventListener('open', () => {
      delay = FIRST_DELAY;
      listener.onConnection(true);
    });
    source.addEventListener('runs', ({ data }) => listener.onRuns(JSON.parse(data)));
    source.addEventListener('changes', ({ data }) => listener.onChanges(JSON.parse(data)));
    source.addEventListener('total', ({ data }) => listener.onTotal(JSON.parse(data)));
    source.addEventListener('template', ({ data }) => listener.onTemplate(data));
    source.addEventListener('events', ({ data }) => listener.onEvents(JSON.parse(data)));
    source.addEventListener('reached', () => listener.onReached());
    source.addEventListener('readonly', () => listener.onReadOnly());
    source.addEventListener('damage', ({ data }) => listener.onDamage(JSON.parse(data)));
    source.addEventListener('live', ({ data }) => listener.onLive(JSON.parse(data)));
    source.addEventListener('logs', ({ data }) => listener.onLogs(JSON.parse(data)));
    source.addEventListener('error', again);
  }

  /** Browsers differ in when they stop reconnecting, so the page reconnects by itself. */
  function again(): void {
    source?.close();
    listener.onConnection(false);
    clearTimeout(timer);
    timer = setTimeout(open, delay);
    delay = Math.min(delay * 2, LONGEST_DELAY);
  }

  function look(): void {
    clearTimeout(timer);
    source?.close();
    if (!document.hidden) open();
  }

  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    document.removeEventListener('visibilitychange', look);
    clearTimeout(timer);
    source?.close();
  };
}
