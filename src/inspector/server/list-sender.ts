// Sends the list of runs to a page: the newest runs once, then the runs that are new or have changed.
import type { Duration } from '../../base/quantity.ts';
import type { Engine } from '../../runtime/api/engine.ts';
import type { StreamMessages } from '../wire.schema.ts';

interface ListSender {
  /** False when nothing has changed. */
  send(): Promise<boolean>;
  /** The time to wait before the next list, in proportion to the work of the last one. */
  pause(): Duration;
  /** Runs of an earlier version are being read: the next list will have more of their figures. */
  isCompleting(): boolean;
}

/** The list takes at most this part of the server's time. */
const SHARE = 1 / 10;
/** The time for each list in which runs of an earlier version are read. */
const PATIENCE: Duration = 50;
const NEGLIGIBLE: Duration = 2;

type Send = (name: keyof StreamMessages, text: string) => Promise<void>;

export function listSender(engine: Engine, most: number, send: Send): ListSender {
  let known: ReadonlyMap<string, string> | undefined;
  let total = -1;
  let took: Duration = 0;
  let incomplete = Number.POSITIVE_INFINITY;
  let isCompleting = false;

  return {
    async send() {
      const began = performance.now();
      const all = engine.runs({ patience: PATIENCE });
      const runs = all.slice(0, most);
      const texts = new Map(runs.map((run) => [run.id, JSON.stringify(run)]));
      const before = known;
      const changed = before === undefined ? [...texts] : [...texts].filter(([id, text]) => before.get(id) !== text);
      const left = all.filter(({ steps }) => steps === undefined).length;
      isCompleting = left > 0 && left < incomplete;
      incomplete = left;
      known = texts;
      took = performance.now() - began;
      const isNewTotal = total !== all.length;
      total = all.length;
      const isFirst = before === undefined;
      const text = `[${changed.map(([, each]) => each).join(',')}]`;
      if (isFirst || changed.length > 0) await send(isFirst ? 'runs' : 'changes', text);
      if (isNewTotal) await send('total', String(total));
      return isFirst || isNewTotal || changed.length > 0;
    },
    pause() {
      if (took < NEGLIGIBLE) return 0;
      return isCompleting ? PATIENCE : took / SHARE - took;
    },
    isCompleting: () => isCompleting,
  };
}
