// The program of the thread that talks to the database: it runs queries in their order and reconnects when the connection breaks.
import { setTimeout } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import type { Client } from 'pg';
import { isPackageMissing, missingText } from '../../base/missing-package.ts';
import { CHANNEL } from './channel.ts';
import type { FromDatabase, LinkStart, Query, QueryError, Row, ToDatabase } from './wire.ts';

const { port, counters, url, self, prepare, patience }: LinkStart = workerData;
const counts = new Int32Array(counters);
const pg = await import('pg').then(
  (loaded) => loaded.default,
  (error: unknown) => {
    if (isPackageMissing(error, 'pg')) return undefined;
    throw error;
  },
);

/** Pauses between two tries to connect, in milliseconds. */
const FIRST_PAUSE = 20;
const LONGEST_PAUSE = 500;
const CONNECT_TIME = 5_000;

/** SQLSTATEs after which the same statement may succeed: shutdown, crash, recovery, deadlock, serialization. */
const PASSING: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '40P01', '40001', '53300']);

let writer: Client | undefined;
let listener: Client | undefined;
let queue: Promise<void> = Promise.resolve();

port.on('message', (message: ToDatabase) => {
  queue = queue.then(() => answer(message));
});

async function answer(message: ToDatabase): Promise<void> {
  switch (message.type) {
    case 'query':
      return reply(message.id, () => run(message.query));
    case 'listen':
      return reply(message.id, hear);
    case 'close':
      await reply(message.id, async () => {
        await Promise.all([end(writer), end(listener)]);
        return [];
      });
      port.close();
  }
}

async function reply(id: number, work: () => Promise<readonly Row[]>): Promise<void> {
  let said: FromDatabase;
  try {
    said = { id, rows: await work() };
  } catch (error) {
    said = { id, error: errorOf(error) };
  }
  port.postMessage(said);
  Atomics.add(counts, 0, 1);
  Atomics.notify(counts, 0);
}

/** Tries again after a lost connection: every write can be repeated without being done twice. */
async function run(query: Query): Promise<readonly Row[]> {
  const deadline = performance.now() + patience;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      writer ??= await open();
      return await ask(writer, query);
    } catch (error) {
      const { isConnection, code } = errorOf(error);
      if (!isConnection && !PASSING.has(code)) throw error;
      if (isConnection || code.startsWith('57')) writer = drop(writer);
      if (performance.now() + pause > deadline) throw error;
      await setTimeout(pause);
    }
  }
}

async function ask(client: Client, { name, text, values, tells }: Query): Promise<readonly Row[]> {
  const { rows } = await client.query<unknown[]>({
    text,
    values: [...values],
    rowMode: 'array',
    ...(name === '' ? {} : { name }),
  });
  // A separate statement: a notification inside of the transaction would make all commits of the database wait for each other.
  if (tells) await client.query('SELECT pg_notify($1, $2)', [CHANNEL, self]);
  return rows;
}

/** A round trip on the listening connection: the database sends notifications of earlier commits before its answer. */
async function hear(): Promise<readonly Row[]> {
  try {
    listener ??= await openListener();
    await listener.query('SELECT 1');
  } catch (error) {
    const isNew = listener === undefined;
    listener = drop(listener);
    // Notifications may have been lost with the connection.
    Atomics.add(counts, 1, 1);
    if (isNew && !errorOf(error).isConnection) throw error;
  }
  return [];
}

async function open(): Promise<Client> {
  if (pg === undefined) throw new Error(missingText('a store in PostgreSQL', 'pg'));
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIME,
    keepAlive: true,
    application_name: 'reconverge',
  });
  // Without a listener, a connection that breaks while it is idle ends the process.
  client.on('error', () => {
    if (writer === client) writer = undefined;
    if (listener === client) listener = drop(listener);
  });
  await client.connect();
  if (prepare !== '') await client.query(prepare);
  return client;
}

async function openListener(): Promise<Client> {
  const client = await open();
  client.on('notification', ({ payload }) => {
    if (payload !== self) Atomics.add(counts, 1, 1);
  });
  await client.query(`LISTEN ${CHANNEL}`);
  return client;
}

function drop(client: Client | undefined): undefined {
  void end(client);
  return undefined;
}

async function end(client: Client | undefined): Promise<void> {
  await client?.end().catch(() => undefined);
}

function errorOf(error: unknown): QueryError {
  if (pg === undefined) return { message: messageOf(error), code: 'PACKAGE_MISSING', isConnection: false };
  const message = messageOf(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // An error of the database has a SQLSTATE of five characters; class 08 is about the connection.
  const isConnection = !(error instanceof pg.DatabaseError) || code.startsWith('08');
  return { message, code, isConnection };
}

/** Node reports several failed addresses as one error without a message. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
