// The threads of one module: as many as calls are under way, and those that were used a moment ago.
import type { Issue } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import type { CallContext } from '../capability.ts';
import { CapabilityError } from '../capability-error.ts';
import { startThread, type Thread, type ThreadOptions, tooLate } from './thread.ts';
import type { Exported } from './wire.ts';

export interface ThreadPool {
  /** What the module exports, asked of a thread. */
  exported(): Promise<ExportedModule>;
  /** @throws CapabilityError whatever the capability failed with, THREAD_OUT_OF_MEMORY, THREAD_EXITED, THREAD_NOT_STARTED */
  call(name: string, input: Json, ctx: CallContext): Promise<Json>;
}

type ExportedModule =
  | { readonly ok: true; readonly capabilities: readonly Exported[] }
  | { readonly ok: false; readonly why: 'issues'; readonly issues: readonly Issue[] }
  | { readonly ok: false; readonly why: 'late' };

/** A thread that is not called for this long is given up, and its memory with it. */
const IDLE_TIME: Duration = 10_000;

export function threadPool(options: ThreadOptions): ThreadPool {
  const idle = new Map<Thread, NodeJS.Timeout>();
  /** Those that are asked whether they are free. */
  const returns = new Set<Promise<void>>();

  /** The idle one that was used last, or one that is about to be free; else a new one. */
  async function take(): Promise<Thread> {
    for (;;) {
      const [found] = [...idle].slice(-1);
      if (found !== undefined) {
        const [thread, timer] = found;
        clearTimeout(timer);
        idle.delete(thread);
        thread.hold(true);
        // A timer that was left behind may have ended it meanwhile, or never end.
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

  /** Only if nothing of the last call goes on in it. */
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
      return loaded === undefined ? { ok: false, why: 'late' } : { ...loaded, why: 'issues' };
    },
    async call(name, input, ctx) {
      const thread = await take();
      const giveUp = (): void => thread.terminate();
      ctx.signal.addEventListener('abort', giveUp, { once: true });
      const loaded = await thread.loaded;
      ctx.signal.removeEventListener('abort', giveUp);
      if (loaded?.ok !== true) {
        thread.terminate();
        const why = loaded === undefined ? tooLate(options.loadTime) : (loaded.issues[0]?.message ?? '');
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
