// The program of a thread: imports a module of capabilities and runs calls one after the other.
import { workerData } from 'node:worker_threads';
import type { Duration } from '../../base/quantity.ts';
import { good } from '../../base/result.ts';
import type { Capability } from '../capability.ts';
import { failureOf } from '../capability-error.ts';
import { importModule } from '../import-module.ts';
import { plainJson } from '../plain-json.ts';
import { type Connection, connectionOver } from './connection.ts';
import type { ThreadStart, ToThread } from './wire.ts';

const { path, folder, ...start }: ThreadStart = workerData;
const connection = connectionOver(start);
const controllers = new Map<number, AbortController>();
const byName = new Map<string, Capability>();

/** Timers without a delay run within 1 ms. */
const SETTLING: Duration = 2;

start.port.on('message', (message: ToThread) => {
  switch (message.type) {
    case 'call':
      void perform(message, connection);
      return;
    case 'abort':
      controllers.get(message.call)?.abort();
      return;
    case 'rest':
      if (message.atOnce) connection.say({ type: 'rested' });
      else setTimeout(() => setImmediate(() => connection.say({ type: 'rested' })), SETTLING);
      return;
    case 'answer':
      connection.answered(message.id, message.answer);
  }
});

// The worker's own streams would keep the process alive while somebody reads them.
for (const to of ['stdout', 'stderr'] as const) {
  process[to].write = (chunk: string | Uint8Array, second?: unknown, third?: unknown) => {
    connection.print(to, typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    const written = typeof second === 'function' ? second : third;
    if (typeof written === 'function') process.nextTick(written);
    return true;
  };
}

const imported = await importModule(path, folder);
if (imported.ok) for (const each of imported.value) byName.set(each.declaration.name, each);
connection.say({
  type: 'loaded',
  loaded: imported.ok ? good(imported.value.map(({ declaration }) => ({ declaration }))) : imported,
});

type Call = ToThread & { readonly type: 'call' };

async function perform({ call, name, input, facts }: Call, { contextOf, say }: Connection): Promise<void> {
  const controller = new AbortController();
  controllers.set(call, controller);
  try {
    const capability = byName.get(name);
    if (capability === undefined) throw new Error(`"${path}" does not export "${name}" any more`);
    say({
      type: 'done',
      call,
      value: plainJson(await capability.run(input, contextOf(call, facts, controller.signal))),
    });
  } catch (thrown) {
    say({ type: 'failed', call, failure: failureOf(thrown) });
  } finally {
    controllers.delete(call);
  }
}
