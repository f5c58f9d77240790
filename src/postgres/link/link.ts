// A connection to PostgreSQL whose queries can be waited for, or awaited: they run in a thread, in the order in which they are given.
import { randomUUID } from 'node:crypto';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { Fault } from '../../base/fault.ts';
import type { Duration } from '../../base/quantity.ts';
import { ownModule } from '../../capabilities/installation.ts';
import type { FromDatabase, LinkStart, Query, QueryError, Row, ToDatabase } from './wire.ts';

/** A query that failed. */
export class QueryFailed extends Error {
  override readonly name = 'QueryFailed';
  readonly code: string;
  readonly isConnection: boolean;

  constructor({ message, code, isConnection }: QueryError) {
    super(message);
    this.code = code;
    this.isConnection = isConnection;
  }
}

export interface Link {
  /** Blocks the thread until the answer is there. @throws QueryFailed */
  wait(query: Query): readonly Row[];
  /** @throws QueryFailed */
  ask(query: Query): Promise<readonly Row[]>;
  /** The number of commits of other connections that were heard of so far. @throws QueryFailed */
  commitsOfOthers(): number;
  /** Waits for all queries. */
  close(): Promise<void>;
}

export interface LinkOptions {
  readonly url: string;
  /** SQL that prepares each connection. */
  readonly prepare?: string;
  readonly patience: Duration;
}

/** The thread gives up after `patience`, unless the database accepts connections and then is silent. */
const LONGER: Duration = 30_000;

interface Waiting {
  resolve(rows: readonly Row[]): void;
  reject(error: unknown): void;
}

export function openLink({ url, prepare = '', patience }: LinkOptions): Link {
  const { port1: port, port2 } = new MessageChannel();
  const counters = new SharedArrayBuffer(8);
  const counts = new Int32Array(counters);
  const start: LinkStart = { port: port2, counters, url, self: randomUUID(), prepare, patience };
  const thread = new Worker(ownModule('postgres/link/program'), { workerData: start, transferList: [port2] });
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let isClosed = false;
  let broken: Error | undefined;

  thread.on('error', (error) => {
    broken = error instanceof Error ? error : new Error(String(error));
    for (const each of waiting.values()) each.reject(broken);
    waiting.clear();
  });
  thread.unref();
  port.on('message', take);
  port.unref();

  function take({ id, rows, error }: FromDatabase): void {
    const found = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) port.unref();
    if (error !== undefined) found?.reject(new QueryFailed(error));
    else found?.resolve(rows ?? []);
  }

  function send(message: ToDatabase): void {
    if (isClosed) throw new Fault('the journal is closed');
    if (broken !== undefined) throw broken;
    port.postMessage(message);
  }

  function block(id: number): readonly Row[] {
    for (;;) {
      const seen = Atomics.load(counts, 0);
      for (let got = receiveMessageOnPort(port); got !== undefined; got = receiveMessageOnPort(port)) {
        const answer: FromDatabase = got.message;
        if (answer.id !== id) take(answer);
        else if (answer.error !== undefined) throw new QueryFailed(answer.error);
        else return answer.rows ?? [];
      }
      if (Atomics.wait(counts, 0, seen, patience + LONGER) === 'timed-out')
        throw new QueryFailed({ message: 'the database does not answer', code: '', isConnection: true });
    }
  }

  function promise(message: (id: number) => ToDatabase): Promise<readonly Row[]> {
    const { promise: answered, resolve, reject } = Promise.withResolvers<readonly Row[]>();
    last += 1;
    waiting.set(last, { resolve, reject });
    port.ref();
    send(message(last));
    return answered;
  }

  return {
    wait(query) {
      last += 1;
      send({ type: 'query', id: last, query });
      return block(last);
    },
    ask: (query) => promise((id) => ({ type: 'query', id, query })),
    commitsOfOthers() {
      last += 1;
      send({ type: 'listen', id: last });
      block(last);
      return Atomics.load(counts, 1);
    },
    async close() {
      if (isClosed) return;
      const closed = promise((id) => ({ type: 'close', id }));
      isClosed = true;
      await closed;
      await thread.terminate();
      port.close();
    },
  };
}
