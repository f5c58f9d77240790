// Runs the tests against real backends: builds Jaeger, installs Phoenix, starts both on loopback, and asks them what arrived.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Result } from '../src/base/result.ts';
import { cacheFolder, installJaeger, installPhoenix, type Missing } from './test-backends/install.ts';
import { type Backend, serveJaeger, servePhoenix } from './test-backends/serve.ts';

const usage = `npm run test:backends [-- VITEST ARGUMENT...]

Runs test/backends against a real Jaeger (built from its Go module with go) and a real Arize Phoenix (from PyPI, with
python3 and pip). Both are pinned, kept in a cache folder, and started on free ports of the loopback interface. A backend
that cannot be had is named, and its tests are skipped.

  RECONVERGE_TEST_CACHE  the cache folder, now ${cacheFolder()}
  RECONVERGE_BACKENDS    the backends to use: jaeger,phoenix`;

const words = process.argv.slice(2);
if (words.includes('--help')) console.log(usage);
else process.exitCode = await run();

async function run(): Promise<number> {
  const chosen = (process.env.RECONVERGE_BACKENDS ?? 'jaeger,phoenix').split(',');
  await using running = new AsyncDisposableStack();
  const env: Record<string, string> = {};
  for (const [name, start] of [
    ['jaeger', startJaeger],
    ['phoenix', startPhoenix],
  ] as const) {
    if (!chosen.includes(name)) continue;
    const started = await start();
    if (!started.ok) {
      console.log(`test:backends goes on without ${name}: ${started.error}`);
      continue;
    }
    const { http, grpc, query } = running.use(started.value);
    env[`RECONVERGE_TEST_${name.toUpperCase()}`] = JSON.stringify({ http, grpc, query });
    console.log(`${name} is at ${query}`);
  }
  if (Object.keys(env).length === 0) {
    console.log('test:backends did not run: there is no backend');
    console.log('0 passed, 0 failed');
    return 0;
  }
  const vitest = spawn('vitest', ['run', '--project', 'backends', ...words], {
    cwd: join(import.meta.dirname, '..'),
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  const [code] = await once(vitest, 'exit');
  return typeof code === 'number' ? code : 1;
}

async function startJaeger(): Promise<Result<Backend, Missing>> {
  const installed = installJaeger(console.log);
  return installed.ok ? serveJaeger(installed.value) : installed;
}

async function startPhoenix(): Promise<Result<Backend, Missing>> {
  const installed = installPhoenix(console.log);
  return installed.ok ? servePhoenix(installed.value) : installed;
}
