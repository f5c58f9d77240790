// Traces from the command line: a tree in the terminal, files, and spans sent during a run and at the end of its process.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openReceiver, spansIn } from '../otel/receiver.ts';
import { root } from '../sources.ts';
import { atTheDoor, begin, call, doorProject, openThe, project, reconverge } from './reconverge.ts';

const file = join(root, 'templates/replan-what-failed.yaml');
const run = ['run', file, '--input', `folder=${join(root, 'templates/data/branches')}`, '--quiet'];

describe('reconverge trace', () => {
  it('shows durations, repairs, and the steps that a repair replaced', async () => {
    const cwd = project();
    await call(run, { cwd });
    const { code, stdout } = await call(['trace', 'latest'], { cwd });
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^span +took +tokens +cost$/);
    expect(lines[1]).toMatch(/^✓ run replan-what-failed +\d/);
    expect(stdout).toMatch(/✗ step plan_checks\.1\/visits {2}VERIFICATION_FAILED/);
    expect(stdout).toMatch(/✓ replan plan_checks~2 .*\n +replaces what planning attempt 1 brought/);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('answers --json with the same spans as an exported file', async () => {
    const cwd = project();
    await call(run, { cwd });
    const told = JSON.parse((await call(['trace', 'latest', '--json'], { cwd })).stdout);
    const exported = await call(['trace', 'latest', '--otlp', 'trace.json', '--json'], { cwd });
    expect(JSON.parse(exported.stdout)).toEqual({
      run: told.run,
      trace: told.trace,
      exported: { spans: told.spans.length, to: 'trace.json' },
    });
    const body = readFileSync(join(cwd, 'trace.json'));
    expect(Object.keys(JSON.parse(body.toString()))).toEqual(['resourceSpans']);
    const spans = spansIn('application/json', body);
    expect(spans.map(({ spanId }) => spanId)).toEqual(told.spans.map(({ span }: { span: string }) => span));
    expect((await call(['trace', 'latest', '--otlp', '-'], { cwd })).stdout).toBe(body.toString());
  });

  it('sends a past run to a collector, or says why it failed', async () => {
    const cwd = project();
    const { url, spans } = await openReceiver();
    await call(run, { cwd });
    const { code, stderr } = await call(['trace', 'latest', '--otlp', url], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: `${spans().length} spans to ${url}\n` });
    expect(spans().filter(({ parentSpanId }) => parentSpanId === '')).toMatchObject([{ name: 'run' }]);
    const env = { OTEL_EXPORTER_OTLP_TIMEOUT: '50' };
    const unsent = await call(['trace', 'latest', '--otlp', 'http://127.0.0.1:9'], { cwd, env });
    expect(unsent.code).toBe(1);
    expect(unsent.stderr).toContain('TRACE_UNSENT');
    for (const to of ['localhost:4318', 'grpc://localhost:4317']) {
      expect((await call(['trace', 'latest', '--otlp', to], { cwd })).stderr).toContain(`to ${to}: it is`);
      expect(existsSync(join(cwd, to))).toBe(false);
    }
    expect((await call(['trace', 'latest', '--otlp', 'no/such/folder.json'], { cwd })).stderr).toContain(
      'TRACE_UNSENT',
    );
  });

  it('shows spans that have not ended', async () => {
    const cwd = doorProject();
    const running = await atTheDoor(cwd);
    const { stdout } = await call(['trace', 'latest'], { cwd });
    expect(stdout).toMatch(/● run door/);
    expect(stdout).toMatch(/✓ step first: door\.note/);
    expect(stdout).toMatch(/● step door: door\.wait/);
    openThe(cwd);
    await running.ended;
  });
});

describe('a run with an endpoint in its environment', () => {
  it('sends its trace as a child of the trace in its environment', async () => {
    const { url, spans } = await openReceiver();
    const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const cwd = project();
    const { code, stderr } = await call(run, { cwd, env: { OTEL_EXPORTER_OTLP_ENDPOINT: url, TRACEPARENT } });
    expect(code).toBe(0);
    expect(stderr).not.toContain('telemetry');
    const [first] = spans();
    expect(first?.traceId).toBe('0af7651916cd43dd8448eb211c80319c');
    const told = JSON.parse((await call(['trace', 'latest', '--json'], { cwd })).stdout);
    expect(spans()).toHaveLength(told.spans.length);
  });

  it('loads the SDK in a thread of its own, and no telemetry module without an endpoint', async () => {
    const script = `const loaded = [];
      const { registerHooks } = await import('node:module');
      registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
      const has = (part) => loaded.some((url) => url.includes(part));
      process.on('exit', () => process._rawDebug('sdk ' + has('@opentelemetry/sdk') + ', telemetry ' + has('/otel/sdk/')));
      await import(${JSON.stringify(join(root, 'src/cli/main.ts'))});`;
    const cwd = project({ 'main.mjs': script });
    const said = async (endpoint: string): Promise<string> => {
      const env = { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
      return (await promisify(execFile)(process.execPath, ['main.mjs', ...run], { cwd, env })).stderr;
    };
    expect(await said('')).toMatch(/^sdk false, telemetry false$/m);
    const { url, spans } = await openReceiver();
    expect(await said(url)).toMatch(/^sdk false, telemetry true$/m);
    expect(spans().length).toBeGreaterThan(0);
  });

  it('sends the finished spans when it is interrupted, and the others after it is resumed', async () => {
    const { url, spans } = await openReceiver();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url };
    const cwd = doorProject();
    const running = begin(['run', 'plan.yaml'], { cwd, env });
    await running.said('attempt.started       door');
    running.child.kill('SIGINT');
    await running.said('stopping');
    running.child.kill('SIGINT');
    await running.ended;
    openThe(cwd);
    expect((await reconverge(['resume', 'latest', '--quiet'], { cwd, env })).code).toBe(0);
    const told = JSON.parse((await call(['trace', 'latest', '--json'], { cwd })).stdout);
    expect(new Set(spans().map(({ spanId }) => spanId))).toEqual(
      new Set(told.spans.map(({ span }: { span: string }) => span)),
    );
    expect(new Set(spans().map(({ traceId }) => traceId)).size).toBe(1);
  });

  it('sends the finished spans when a handler ends the process', async () => {
    const { url, spans } = await openReceiver();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=blue%20one' };
    const plan = `reconverge: 1
name: leaves
capabilities: [./leave.ts, catalog]
steps:
  - { name: list, handler: files.list, input: { folder: . } }
  - { name: leave, handler: door.leave, dependencies: [list] }
roots: [.]
`;
    const leave = `import { defineCapability } from 'reconverge';
export const leave = defineCapability({ name: 'door.leave', description: 'Ends the process.', effects: ['read'], run: () => process.exit(0) });
`;
    const { stderr } = await reconverge(['run', 'plan.yaml'], {
      cwd: project({ 'plan.yaml': plan, 'leave.ts': leave }),
      env,
    });
    expect(stderr).toContain('a handler ended the process');
    expect(spans().map(({ name }) => name)).toEqual(['execute_tool files.list', 'step']);
  });

  it('shows its end before its spans are sent, and waits for no endpoint that is wrong', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const asked = once(server, 'request');
    const { port } = (await once(server, 'listening').then(() => server.address())) as AddressInfo;
    const running = begin(run, { cwd: project(), env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` } });
    const shown = new Promise<void>((resolve) => {
      running.child.stdout?.on('data', (text: string) => text.includes('completed') && resolve());
    });
    const [[, response]] = await Promise.all([asked, shown]);
    response.writeHead(200).end();
    server.on('request', (_, next) => next.writeHead(200).end());
    expect((await running.ended).code).toBe(0);
    const { stderr } = await call(run, { cwd: project(), env: { OTEL_EXPORTER_OTLP_ENDPOINT: `127.0.0.1:${port}` } });
    expect(stderr.match(/^telemetry.*/gm)).toEqual([expect.stringMatching(`: write http://127.0.0.1:${port}$`)]);
  });

  it('reports unsent spans at its end, without changing how it ends', async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_TRACES_SAMPLER: 'often' };
    const { code, stderr } = await call(run, { cwd: project(), env });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^telemetry: unknown OTEL_TRACES_SAMPLER value "often", using default$/m);
    expect(stderr).toMatch(/^telemetry: \d+ spans .*could not be sent: .*127\.0\.0\.1:9/m);
    expect(stderr).toMatch(/; to send the trace again: .*reconverge trace [a-z0-9]{8} --otlp URL$/m);
  });
});
