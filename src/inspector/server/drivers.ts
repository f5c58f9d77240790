// The runs that go on in the inspector's process, since nobody else drove them when they were ordered to.
import type { Issue } from '../../base/issue.ts';
import { bad, type Result } from '../../base/result.ts';
import type { RunOrder } from '../../engine/record/order.schema.ts';
import type { Engine, ForkOptions, OrderReply, RunHandle } from '../../runtime/api/engine.ts';
import type { PostReply } from '../wire.schema.ts';

export interface Drivers {
  order(run: string, order: RunOrder, place?: (found: Issue) => Issue): Promise<PostReply>;
  /** At the last event that both runs have. */
  fork(run: string, event: number, options: ForkOptions): Promise<PostReply>;
  /** Lets what is under way end within its grace, and leaves the rest to be resumed. */
  stop(): Promise<void>;
}

export function drivers(engine: Engine): Drivers {
  const handles = new Set<RunHandle>();

  function keep(handle: RunHandle): void {
    handles.add(handle);
    const forget = (): void => {
      handles.delete(handle);
    };
    handle.done.then(forget, forget);
  }

  return {
    async order(run, order, place = (found) => found) {
      const ordered = await give(engine, run, order);
      if (!ordered.ok) return { ok: false, issues: ordered.error.map(place) };
      if (ordered.value.handle !== undefined) keep(ordered.value.handle);
      return { ok: true, pending: ordered.value.pending === true };
    },
    async fork(run, event, options) {
      const forked = await engine.fork(run, { event }, options);
      if (!forked.ok) return { ok: false, issues: forked.error };
      keep(forked.value);
      return { ok: true, pending: false, run: forked.value.id };
    },
    async stop() {
      const left = [...handles];
      for (const handle of left) handle.stop();
      await Promise.allSettled(left.map(({ done }) => done));
    },
  };
}

/** A run that was interrupted goes on without an order; one that is paused needs one, also where another process drives it. */
async function give(engine: Engine, run: string, order: RunOrder): Promise<Result<OrderReply>> {
  if (order.type !== 'resume') return engine.order(run, order);
  const resumed = await engine.resume(run, { by: order.by });
  if (resumed.ok) return { ...resumed, value: { handle: resumed.value } };
  return resumed.error.some(({ code }) => code === 'RUN_DRIVEN') ? engine.order(run, order) : bad(resumed.error);
}
