// The threads of one module: one for each running call, and a few that were used a moment ago.
import type { Issue } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import { bad, type Result } from '../../base/result.ts';
import type { CallContext } from '../capability.ts';
import { CapabilityError } from '../capability-error.ts';
import { startThread, type Thread, type ThreadOptions, tooLate } from './thread.ts';
import type { ExportedCapability } from './wire.ts';

export interface ThreadPool {
  /** The exports of the module, read in a thread. `late`: the module did not load in time. */
  exported(): Promise<Result<readonly ExportedCapability[], readonly Issue[] | 'late'>>;
  /** @throws CapabilityError the capability's own, THREAD_OUT_OF_MEMORY, THREAD_EXITED, THREAD_NOT_STARTED */
  call(name: string, input: Json, ctx: CallContext): Promise<Json>;
}

/** An idle thread ends after this time and frees its memory. */
const IDLE_TIME: Duration = 10_000;

export function threadPool(options: ThreadOptions): ThreadPool {
  const idle = new Map<Thread, NodeJS.Timeout>();
  /** Threads that are being asked whether they are free. */
  const returns = new Set<Promise<void>>();

  /** Takes the idle thread that was used last, else one that is about to be free, else a new one. */
  async function take(): Promise<Thread> {
    for (;;) {
      const [found] = [...idle].slice(-1);
      if (found !== undefined) {
        const [thread, timer] = found;
        clearTimeout(timer);
        idle.delete(thread);
        thread.hold(true);
        // A timer of the last call may have ended the thread, or still keep it busy.
        if (await thread.rest(true)) return thread;
        thread.terminate();
        continue;
      }
      const [returning] = returns;
      if (returning === undefined) return startThread(options);
      await returning;
    }
  }

  function giveBack(thread: Thread): void {
    const returning = keep(thread).finally(() => returns.delete(returning));
    returns.add(returning);
  }

  /** Keeps the thread only if nothing of its last call still runs. */
  async function keep(thread: Thread): Promise<void> {
    const isFree = await thread.rest(false);
    if (!isFree) return thread.terminate();
    thread.hold(false);
    const giveUp = (): void => {
      idle.delete(thread);
      thread.terminate();
    };
    idle.set(thread, setTimeout(giveUp, IDLE_TIME).unref());
  }

  return {
    async exported() {
      const thread = await take();
      const loaded = await thread.loaded;
      if (loaded?.ok === true) {
        giveBack(thread);
        return loaded;
      }
      thread.terminate();
      return loaded ?? bad('late');
    },
    async call(name, input, ctx) {
      const thread = await take();
      const giveUp = (): void => thread.terminate();
      ctx.signal.addEventListener('abort', giveUp, { once: true });
      const loaded = await thread.loaded;
      ctx.signal.removeEventListener('abort', giveUp);
      if (loaded?.ok !== true) {
        thread.terminate();
        const why = loaded === undefined ? tooLate(options.loadTime) : (loaded.error[0]?.message ?? '');
        throw new CapabilityError('THREAD_NOT_STARTED', `${name} has no thread to run in: ${why}`);
      }
      try {
        return await thread.call(name, input, ctx);
      } finally {
        giveBack(thread);
      }
    },
  };
}
