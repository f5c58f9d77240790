// Starts Jaeger and Phoenix on free ports of the loopback interface, and stops them afterwards.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bad, good, type Result } from '../../src/base/result.ts';
import type { Missing } from './install.ts';

/** A running backend. */
export interface Backend extends AsyncDisposable {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT for OTLP over HTTP, and for gRPC. */
  readonly http: string;
  readonly grpc: string;
  /** The address of its page and its queries. */
  readonly query: string;
}

const STARTING = 240_000;
/** Others use the machine as well. */
const NICE = 5;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export async function serveJaeger(program: string): Promise<Result<Backend, Missing>> {
  const [http = 0, grpc = 0, query = 0, queryGrpc = 0] = await freePorts(4);
  const folder = mkdtempSync(join(tmpdir(), 'reconverge-jaeger-'));
  const config = join(folder, 'config.yaml');
  writeFileSync(
    config,
    `service:
  extensions: [jaeger_storage, jaeger_query]
  pipelines:
    traces: { receivers: [otlp], exporters: [jaeger_storage_exporter] }
  telemetry: { metrics: { level: none }, logs: { level: error } }
extensions:
  jaeger_storage: { backends: { memory: { memory: { max_traces: 1000 } } } }
  jaeger_query:
    storage: { traces: memory }
    http: { endpoint: "127.0.0.1:${query}" }
    grpc: { endpoint: "127.0.0.1:${queryGrpc}" }
receivers:
  otlp: { protocols: { http: { endpoint: "127.0.0.1:${http}" }, grpc: { endpoint: "127.0.0.1:${grpc}" } } }
exporters:
  jaeger_storage_exporter: { trace_storage: memory }
`,
  );
  return serve({
    name: 'Jaeger',
    words: [program, '--config', `file:${config}`],
    folder,
    isUp: `http://127.0.0.1:${query}/api/services`,
    addresses: { http: at(http), grpc: at(grpc), query: at(query) },
  });
}

export async function servePhoenix(python: string): Promise<Result<Backend, Missing>> {
  const [http = 0, grpc = 0] = await freePorts(2);
  const folder = mkdtempSync(join(tmpdir(), 'reconverge-phoenix-'));
  return serve({
    name: 'Phoenix',
    words: [python, '-m', 'phoenix.server.main', 'serve'],
    folder,
    env: {
      PHOENIX_WORKING_DIR: folder,
      PHOENIX_HOST: '127.0.0.1',
      PHOENIX_PORT: String(http),
      PHOENIX_GRPC_PORT: String(grpc),
      PHOENIX_TELEMETRY_ENABLED: 'false',
    },
    isUp: `${at(http)}/healthz`,
    addresses: { http: at(http), grpc: at(grpc), query: at(http) },
  });
}

interface Served {
  readonly name: string;
  readonly words: readonly [string, ...string[]];
  /** Is removed afterwards. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly isUp: string;
  readonly addresses: Pick<Backend, 'http' | 'grpc' | 'query'>;
}

async function serve({ name, words, folder, env = {}, isUp, addresses }: Served): Promise<Result<Backend, Missing>> {
  const [program, ...rest] = words;
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  const stop = (): void => void child.kill();
  const leave = (): void => process.exit(1);
  process.once('exit', stop);
  for (const signal of SIGNALS) process.once(signal, leave);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said = `${said}${chunk}`.slice(-4_000);
    });
  const ended = once(child, 'exit').then(() => false);
  const failed = once(child, 'error').then(() => false);
  if (child.pid !== undefined) setPriority(child.pid, NICE);
  if (!(await Promise.race([answers(isUp), ended, failed]))) {
    stop();
    rmSync(folder, { recursive: true, force: true });
    return bad(`${name} does not start: ${said.trim().split('\n').at(-1)}`);
  }
  return good({
    ...addresses,
    async [Symbol.asyncDispose]() {
      process.off('exit', stop);
      for (const signal of SIGNALS) process.off(signal, leave);
      stop();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  });
}

function at(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Asks until something answers; false after a time limit. */
async function answers(url: string): Promise<boolean> {
  const until = Date.now() + STARTING;
  while (Date.now() < until) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return true;
    await pause(200);
  }
  return false;
}

/** Ports that were free a moment ago, all different. */
async function freePorts(count: number): Promise<readonly number[]> {
  const probes = await Promise.all(
    Array.from({ length: count }, async () => {
      const probe = createServer().listen(0, '127.0.0.1');
      await once(probe, 'listening');
      return probe;
    }),
  );
  return Promise.all(
    probes.map(async (probe) => {
      const address = probe.address();
      probe.close();
      await once(probe, 'close');
      if (typeof address !== 'object' || address === null) throw new Error('a listening server has no address');
      return address.port;
    }),
  );
}
