// Streams the list of runs to a page, and each new event of one run, for as long as the page listens.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { present } from '../../base/fault.ts';
import type { Recorded } from '../../engine/record/event.schema.ts';
import type { Engine } from '../../runtime/api/engine.ts';
import { damagedRun, eventsOfRun, type ReadPosition } from '../../runtime/journal/read-events.ts';
import type { Journal } from '../../store/journal.ts';
import type { StreamMessages } from '../wire.schema.ts';
import { beginEvents } from './respond.ts';
import type { Watch } from './watch.ts';

/** The most events in one message: the page folds them while it receives the next message. */
const MOST = 500;
/** The most runs in the list. */
const LISTED = 200;

export interface StreamSource {
  readonly engine: Engine;
  /** A separate connection for reading. */
  readonly journal: Journal;
  readonly watch: Watch;
}

export async function stream(
  { engine, journal, watch }: StreamSource,
  response: ServerResponse,
  run: string | undefined,
  after: number,
  signal: AbortSignal,
): Promise<void> {
  let version = after;
  let listed = '';
  let isDamaged = false;

  async function tell<Name extends keyof StreamMessages>(name: Name, text: string, id?: number): Promise<void> {
    const head = id === undefined ? '' : `id: ${id}\n`;
    if (!response.write(`${head}event: ${name}\ndata: ${text}\n\n`)) await once(response, 'drain', { signal });
  }

  async function tellRuns(): Promise<void> {
    const runs = JSON.stringify(engine.runs().slice(0, LISTED));
    // A comment line keeps the connection alive, and shows whether the page is still there.
    if (runs === listed) response.write(':\n\n');
    else await tell('runs', runs);
    listed = runs;
  }

  /** Events before an unreadable one are still sent. */
  async function tellEvents(of: string): Promise<void> {
    const progress: ReadPosition = { version };
    let some: Recorded[] = [];

    async function tellSome(): Promise<void> {
      const last = some.at(-1);
      if (last === undefined) return;
      const text = JSON.stringify(some);
      version = last.version;
      some = [];
      await tell('events', text, version);
    }

    try {
      for (const recorded of eventsOfRun(journal, of, progress, version)) {
        if (recorded.event.type === 'run.started') present(journal.blob(recorded.event.template), 'its template');
        some.push(recorded);
        if (some.length === MOST) await tellSome();
      }
      await tellSome();
    } catch (error) {
      if (signal.aborted) return;
      isDamaged = true;
      await tellSome();
      await tell('damage', JSON.stringify(damagedRun(of, progress, error)));
    }
  }

  beginEvents(response);
  response.write('retry: 1000\n\n');
  if (journal.readOnly === true) await tell('readonly', 'true');
  while (!signal.aborted) {
    const { revision } = watch;
    await tellRuns();
    if (run !== undefined && !isDamaged) await tellEvents(run);
    await watch.next(revision, signal);
  }
}
