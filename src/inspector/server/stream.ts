// Streams the list of runs to a page, and each new event of one run, for as long as the page listens.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { present } from '../../base/fault.ts';
import type { Duration } from '../../base/quantity.ts';
import type { Recorded } from '../../engine/record/event.schema.ts';
import type { Engine } from '../../runtime/api/engine.ts';
import { damagedRun, eventsOfRun, type ReadPosition } from '../../runtime/journal/read-events.ts';
import type { Journal } from '../../store/journal.ts';
import type { StreamMessages } from '../wire.schema.ts';
import { listSender } from './list-sender.ts';
import type { LiveChannel } from './live-channel.ts';
import { beginEvents } from './respond.ts';
import type { StoreWatch } from './watch.ts';

/** The most events in one message: the page folds them while it receives the next message. */
const MOST_EVENTS = 500;
export interface StreamSource {
  readonly engine: Engine;
  /** A separate connection for reading. */
  readonly journal: Journal;
  readonly watch: StoreWatch;
  readonly live: LiveChannel;
}

export interface StreamQuery {
  readonly run: string | undefined;
  /** The version of the last event that the page has. */
  readonly after: number;
  /** The most runs in the list. */
  readonly runs: number;
}

export async function stream(
  { engine, journal, watch, live }: StreamSource,
  response: ServerResponse,
  { run, after, runs }: StreamQuery,
  signal: AbortSignal,
): Promise<void> {
  let version = after;
  let lastLog = 0;
  let isDamaged = false;

  async function send(name: keyof StreamMessages, text: string, id?: number): Promise<void> {
    const head = id === undefined ? '' : `id: ${id}\n`;
    if (!response.write(`${head}event: ${name}\ndata: ${text}\n\n`)) await once(response, 'drain', { signal });
  }

  /** Events before an unreadable one are still sent. */
  async function sendEvents(of: string): Promise<void> {
    const progress: ReadPosition = { version };
    let pending: Recorded[] = [];

    async function sendPending(): Promise<void> {
      const last = pending.at(-1);
      if (last === undefined) return;
      const text = JSON.stringify(pending);
      version = last.version;
      pending = [];
      await send('events', text, version);
    }

    try {
      for (const recorded of eventsOfRun(journal, of, progress, version)) {
        if (recorded.event.type === 'run.started')
          await send('template', present(journal.blob(recorded.event.template), 'its template'));
        pending.push(recorded);
        if (pending.length < MOST_EVENTS) continue;
        await sendPending();
        // Other pages and runs get their turn.
        await setImmediate(undefined, { signal });
      }
      await sendPending();
    } catch (error) {
      if (signal.aborted) return;
      isDamaged = true;
      await sendPending();
      await send('damage', JSON.stringify(damagedRun(of, progress, error)));
    }
  }

  /** The page asks for the lines that it shows, so it is only told that there are more. */
  async function sendLogs(of: string): Promise<void> {
    const number = journal.logs(of, { most: 1, last: true })[0]?.number ?? 0;
    if (number === lastLog) return;
    lastLog = number;
    await send('logs', String(number));
  }

  /** Sends all calls under way, but only the texts that have changed. */
  async function sendTexts(of: string): Promise<void> {
    let sent = 0;
    let isEmpty = true;
    while (!signal.aborted) {
      const { revision } = live;
      const texts = live.of(of);
      const last = sent;
      const said = texts.map(({ run: _, changed, text, ...each }) => (changed > last ? { ...each, text } : each));
      if (texts.length > 0 || !isEmpty) await send('live', JSON.stringify(said satisfies StreamMessages['live']));
      isEmpty = texts.length === 0;
      sent = Math.max(sent, ...texts.map(({ changed }) => changed));
      await live.next(revision, signal);
    }
  }

  beginEvents(response);
  response.write('retry: 1000\n\n');
  if (journal.readOnly === true) await send('readonly', 'true');
  const list = listSender(engine, runs, send);
  await Promise.all([followRuns(), followEvents(), run === undefined ? undefined : sendTexts(run)]);

  /** A long list is sent less often than the events of a run. */
  async function followRuns(): Promise<void> {
    while (!signal.aborted) {
      const { revision } = watch;
      // A comment line keeps the connection alive, and shows whether the page is still there.
      if (!(await list.send())) response.write(':\n\n');
      await paused(list.pause(), signal);
      if (!list.isCompleting()) await watch.next(revision, signal);
    }
  }

  async function followEvents(): Promise<void> {
    if (run === undefined) return;
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const { revision } = watch;
      if (!isDamaged) await sendEvents(run);
      if (isFirst) await send('reached', String(version));
      await sendLogs(run);
      await watch.next(revision, signal);
    }
  }
}

function paused(duration: Duration, signal: AbortSignal): Promise<void> {
  return duration === 0 ? Promise.resolve() : setTimeout(duration, undefined, { signal }).catch(() => undefined);
}
