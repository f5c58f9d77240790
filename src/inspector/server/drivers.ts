// Drives runs in the inspector's process, if they got an order while no other process drove them.
import type { Issue } from '../../base/issue.ts';
import { bad, type Result } from '../../base/result.ts';
import type { RunOrder } from '../../engine/record/order.schema.ts';
import type { Engine, ForkOptions, OrderReply, RunHandle, StartOptions } from '../../runtime/api/engine.ts';
import type { OnDelta } from '../../runtime/ports/live-answer.ts';
import type { Template } from '../../template/template.ts';
import type { PostReply } from '../wire.schema.ts';

export interface Drivers {
  order(run: string, order: RunOrder, place?: (found: Issue) => Issue): Promise<PostReply>;
  /** `event` is the last event that both runs share. */
  fork(run: string, event: number, options: ForkOptions): Promise<PostReply>;
  /** Resolves when the new run can be read. */
  start(template: Template, options: StartOptions): Promise<PostReply>;
  /** Gives running steps their grace time to finish, and leaves unfinished runs to be resumed. */
  stop(): Promise<void>;
}

/** @param onDelta hears what models write in runs that are driven here */
export function drivers(engine: Engine, onDelta: OnDelta): Drivers {
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
      const ordered = await give(engine, run, order, onDelta);
      if (!ordered.ok) return { ok: false, issues: ordered.error.map(place) };
      if (ordered.value.handle !== undefined) keep(ordered.value.handle);
      return { ok: true, pending: ordered.value.pending === true };
    },
    async fork(run, event, options) {
      const forked = await engine.fork(run, { event }, { ...options, onDelta });
      if (!forked.ok) return { ok: false, issues: forked.error };
      keep(forked.value);
      return { ok: true, pending: false, run: forked.value.id };
    },
    async start(template, options) {
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const started = await engine.start(template, { ...options, onDelta, onEvents: () => begin() });
      if (!started.ok) return { ok: false, issues: started.error };
      keep(started.value);
      // A run cannot be read before its first event is written.
      await Promise.race([begun, started.value.done]);
      return { ok: true, pending: false, run: started.value.id };
    },
    async stop() {
      const left = [...handles];
      for (const handle of left) handle.stop();
      await Promise.allSettled(left.map(({ done }) => done));
    },
  };
}

/** An interrupted run continues without an order; a paused run needs a resume order, even if another process drives it. */
async function give(engine: Engine, run: string, order: RunOrder, onDelta: OnDelta): Promise<Result<OrderReply>> {
  if (order.type !== 'resume') return engine.order(run, order, { onDelta });
  const resumed = await engine.resume(run, { by: order.by, onDelta });
  if (resumed.ok) return { ...resumed, value: { handle: resumed.value } };
  return resumed.error.some(({ code }) => code === 'RUN_DRIVEN')
    ? engine.order(run, order, { onDelta })
    : bad(resumed.error);
}
