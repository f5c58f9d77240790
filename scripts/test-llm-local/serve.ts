// Serves the small model on loopback with llama.cpp's own server, and stops the server afterwards.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { availableParallelism, setPriority } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bad, good, type Result } from '../../src/base/result.ts';
import type { InstalledModel } from './install.ts';

export interface ServedModel extends AsyncDisposable {
  readonly baseUrl: string;
  readonly model: string;
}

/** One request at a time has all of it. */
const CONTEXT = 16_384;
const MOST_THREADS = 4;
const LOADING = 120_000;
/** Others use the machine as well. */
const NICE = 10;
/** The server must not outlive this process. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export async function serve({ model, weights, server }: InstalledModel): Promise<Result<ServedModel, string>> {
  const port = await freePort();
  const threads = process.env.RECONVERGE_LOCAL_THREADS ?? String(Math.min(MOST_THREADS, availableParallelism()));
  const child = spawn(
    server,
    [
      ...['--model', weights, '--alias', model, '--host', '127.0.0.1', '--port', String(port)],
      ...['--ctx-size', String(CONTEXT), '--parallel', '1', '--threads', threads, '--device', 'none'],
      ...['--offline', '--no-ui'],
    ],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      // The wheel keeps the libraries of its server beside it.
      env: { ...process.env, LD_LIBRARY_PATH: [dirname(server), process.env.LD_LIBRARY_PATH ?? ''].join(':') },
    },
  );
  const stop = (): void => void child.kill();
  const leave = (): void => process.exit(1);
  process.once('exit', stop);
  for (const signal of SIGNALS) process.once(signal, leave);
  const ended = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-4_000);
  });
  const failed = once(child, 'error').then(([error]) => String(error));
  const isReady = await Promise.race([healthy(`http://127.0.0.1:${port}/health`), ended.then(() => false), failed]);
  if (isReady !== true) {
    stop();
    return bad(
      `the server does not serve the model: ${typeof isReady === 'string' ? isReady : said.trim().split('\n').at(-1)}`,
    );
  }
  if (child.pid !== undefined) setPriority(child.pid, NICE);
  return good({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    model,
    async [Symbol.asyncDispose]() {
      process.off('exit', stop);
      for (const signal of SIGNALS) process.off(signal, leave);
      stop();
      await ended;
    },
  });
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('a listening server has no address');
  return address.port;
}

/** Asks until the weights are loaded; false after a time limit. */
async function healthy(url: string): Promise<boolean> {
  const until = Date.now() + LOADING;
  while (Date.now() < until) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return true;
    await pause(100);
  }
  return false;
}
