// Runs the bundled command line with a backend as its endpoint, and answers the spans that its journal tells.
import { expect } from 'vitest';
import { reconverge } from '../cli/reconverge.ts';

/** A running backend, as scripts/test-backends.ts names it. */
export interface BackendAddress {
  readonly http: string;
  readonly grpc: string;
  readonly query: string;
}

export function backend(name: 'JAEGER' | 'PHOENIX'): BackendAddress | undefined {
  const said = process.env[`RECONVERGE_TEST_${name}`];
  return said === undefined ? undefined : (JSON.parse(said) as BackendAddress);
}

export interface ToldSpan {
  readonly span: string;
  readonly parent?: string;
  readonly kind: string;
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly error?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly to: string; readonly relation: string }[];
  readonly events: readonly { readonly name: string }[];
}

export interface Told {
  readonly run: string;
  readonly trace: string;
  readonly spans: readonly ToldSpan[];
}

type Environment = Readonly<Record<string, string>>;

export function over(address: BackendAddress, protocol: 'grpc' | 'http'): Environment {
  return protocol === 'grpc'
    ? { OTEL_EXPORTER_OTLP_ENDPOINT: address.grpc, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }
    : { OTEL_EXPORTER_OTLP_ENDPOINT: address.http };
}

/** Runs a command that sends its spans, and expects no complaint about telemetry. Backends on a busy machine get time at its end. */
export async function sends(words: readonly string[], cwd: string, env: Environment): Promise<void> {
  const patient = { OTEL_BSP_EXPORT_TIMEOUT: '240000', OTEL_EXPORTER_OTLP_TIMEOUT: '240000' };
  const { stderr } = await reconverge([...words, '--quiet', '--no-ask'], { cwd, env: { ...env, ...patient } });
  expect(stderr).not.toContain('telemetry');
}

/** The trace of the newest run of a project, or of one run. */
export async function toldBy(cwd: string, run = 'latest'): Promise<Told> {
  return JSON.parse((await reconverge(['trace', run, '--json'], { cwd })).stdout) as Told;
}

/** Asks a backend until it has a number of spans, because it stores them after it took them, or until no more arrive. */
export async function arrived<T>(ask: () => Promise<readonly T[]>, count: number): Promise<readonly T[]> {
  let last = Date.now();
  for (let before = -1; ; ) {
    const found = await ask();
    if (found.length > before) last = Date.now();
    before = found.length;
    if (found.length >= count || Date.now() - last > LONGEST_WAIT) return found;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Phoenix stores some spans a second on a busy machine, and answers none while it does. */
const LONGEST_WAIT = 300_000;
