// A real PostgreSQL server on loopback for tests: its own data folder, a free port, and an end by its pid.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';

const execute = promisify(execFile);

/** The folder of the server's programs; undefined: this machine has none. */
export const postgresBin: string | undefined = (process.env.PATH ?? '')
  .split(delimiter)
  .find((folder) => existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb')));

/** PostgreSQL refuses to run as root, so root starts it as the user `nobody`. */
const NOBODY = 65_534;
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

export interface PostgresServer {
  readonly port: number;
  /** A new, empty database; returns its address. */
  database(): Promise<string>;
  /** `immediate`: as in a crash. Starts again on the same port. */
  restart(how: 'fast' | 'immediate'): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
  const bin = postgresBin;
  if (bin === undefined) throw new Error('there is no PostgreSQL on this machine');
  const folder = mkdtempSync('/tmp/reconverge-pg-');
  if (identity.uid !== undefined) chownSync(folder, NOBODY, NOBODY);
  const data = join(folder, 'data');
  await execute(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C'],
    {
      ...identity,
      cwd: folder,
    },
  );
  const port = await freePort();
  let server = await start();
  let count = 0;

  async function start(): Promise<ChildProcess> {
    const options = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      shared_buffers: '32MB',
      max_connections: '60',
      ...settings,
    };
    const flags = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(join(bin ?? '', 'postgres'), ['-D', data, '-p', String(port), ...flags], {
      ...identity,
      cwd: folder,
      stdio: 'ignore',
    });
    const address = `postgres://postgres@127.0.0.1:${port}/postgres`;
    while (!(await answers(address))) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}: see ${folder}`);
      await setTimeout(20);
    }
    return child;
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  }

  return {
    port,
    async database() {
      count += 1;
      const name = `store_${count}`;
      const client = new pg.Client(`postgres://postgres@127.0.0.1:${port}/postgres`);
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
      return `postgres://postgres@127.0.0.1:${port}/${name}`;
    },
    async restart(how) {
      await end(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
      server = await start();
    },
    async stop() {
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(address: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 1_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  return address.port;
}
