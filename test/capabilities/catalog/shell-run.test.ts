// shell.run runs exactly the given program, and leaves nothing behind.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { callCapability } from '../../../src/capabilities/call.ts';
import { shellRun } from '../../../src/capabilities/catalog/shell-run.ts';
import { contextIn, failureFrom, folderWith, resultFrom } from '../workbench.ts';

/** This Node as the program: it is there wherever the tests run. */
const node = (script: string, more: Record<string, Json> = {}): Json => ({
  program: process.execPath,
  args: ['-e', script],
  ...more,
});

test('shell.run returns output and exit code', async () => {
  const base = await folderWith();
  const script = 'process.stdin.pipe(process.stdout); console.error("hm"); process.exitCode = 3';
  expect(await resultFrom(shellRun, node(script, { input: 'hello', ok_codes: [0, 3] }), base)).toEqual({
    code: 3,
    stdout: 'hello',
    stderr: 'hm\n',
    complete: true,
  });
});

test('shell.run passes arguments unchanged: no shell reads them', async () => {
  const base = await folderWith();
  const args = ['-p', 'JSON.stringify(process.argv.slice(1))', '$(touch x)', '; touch x', '*', 'a b', '> x'];
  const { stdout } = (await resultFrom(shellRun, { program: process.execPath, args }, base)) as { stdout: string };
  expect(JSON.parse(stdout)).toEqual(args.slice(2));
  expect(existsSync(join(base, 'x'))).toBe(false);
});

test('shell.run gives a program only the given environment, and the path to programs', async () => {
  const base = await folderWith();
  vi.stubEnv('RECONVERGE_TEST_SECRET', 'hidden');
  const env = (name: string) => ({ PATH: process.env.PATH, API_KEY: 'hidden' })[name];
  const input = { program: 'node', args: ['-p', 'JSON.stringify(process.env)'], env: { MINE: 'x' } };
  const called = await callCapability(shellRun, input, contextIn(base, { env }));
  vi.unstubAllEnvs();
  const { stdout } = (called.ok ? called.value : {}) as { stdout: string };
  expect(Object.keys(JSON.parse(stdout)).toSorted()).toEqual(['MINE', 'PATH']);
});

test('shell.run runs in a folder below the roots', async () => {
  const base = await folderWith({ 'inner/file': '' });
  expect(await resultFrom(shellRun, node('console.log(process.cwd())', { cwd: 'inner' }), base)).toMatchObject({
    stdout: `${join(base, 'inner')}\n`,
  });
  expect((await failureFrom(shellRun, node('', { cwd: '..' }), base)).code).toBe('FILE_OUTSIDE_ROOTS');
});

describe('shell.run fails', () => {
  test('with the last output of the program', async () => {
    const base = await folderWith();
    const failure = await failureFrom(shellRun, node('console.error("no such branch"); process.exit(2)'), base);
    expect(failure).toMatchObject({
      code: 'SHELL_FAILED',
      message: expect.stringMatching(/ended with 2: no such branch$/),
    });
  });

  test('when there is no such program', async () => {
    const base = await folderWith();
    expect((await failureFrom(shellRun, { program: 'no-such-program' }, base)).code).toBe('SHELL_PROGRAM_MISSING');
  });

  test('when the program exceeds its time', async () => {
    const base = await folderWith();
    const failure = await failureFrom(shellRun, node('setInterval(() => {}, 1000)', { timeout_ms: 300 }), base);
    expect(failure).toMatchObject({ code: 'SHELL_TIMEOUT', retry: 'may' });
  });
});

test('shell.run keeps the beginning of long output', async () => {
  const base = await folderWith();
  expect(
    await resultFrom(shellRun, node('process.stdout.write("x".repeat(1e6))', { max_bytes: 10 }), base),
  ).toMatchObject({
    stdout: 'x'.repeat(10),
    complete: false,
  });
});

test('shell.run ends with its step, and so do all processes that the program started', async () => {
  const base = await folderWith();
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // The child processes keep a connection open while they live.
  const child = `require('net').connect(${port}, '127.0.0.1').on('error', () => {})`;
  const script = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}]); setInterval(() => {}, 1000)`;
  const stop = new AbortController();
  const called = callCapability(shellRun, node(script), contextIn(base, { signal: stop.signal }));
  const [socket] = (await once(server, 'connection')) as [Socket];
  socket.on('error', () => undefined);
  socket.resume();
  stop.abort();
  expect(await called).toMatchObject({ error: { code: 'CAPABILITY_ABORTED' } });
  await once(socket, 'close');
  server.close();
});
