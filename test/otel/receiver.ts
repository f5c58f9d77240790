// An OTLP collector on loopback that reads requests in protobuf or JSON.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { traceRequest } from './otlp-fields.ts';
import { readMessage } from './protobuf.ts';

type Attributes = Readonly<Record<string, unknown>>;

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: Attributes;
  readonly events: readonly { readonly name: string; readonly attributes: Attributes }[];
  readonly links: readonly { readonly spanId: string; readonly attributes: Attributes }[];
  readonly status: { readonly code: number; readonly message?: string };
  readonly resource: Attributes;
}

export interface Receiver {
  /** The value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly requests: {
    readonly path: string;
    readonly type: string;
    readonly headers: NodeJS.Dict<string | string[]>;
    readonly body: Buffer;
  }[];
  spans(): readonly ReceivedSpan[];
}

/** Closes when the test ends. */
export async function openReceiver(): Promise<Receiver> {
  const requests: Receiver['requests'] = [];
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk);
    const type = message.headers['content-type'] ?? '';
    requests.push({ path: message.url ?? '', type, headers: message.headers, body: Buffer.concat(chunks) });
    response.writeHead(200, { 'content-type': type }).end(type.includes('json') ? '{}' : '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    spans: () => requests.filter(({ path }) => path === '/v1/traces').flatMap(({ type, body }) => spansIn(type, body)),
  };
}

/** A time of a span as OTLP writes it. */
export function nanos(milliseconds: number, micros: number): bigint {
  return BigInt(milliseconds) * 1_000_000n + BigInt(micros) * 1_000n;
}

interface Raw {
  readonly key: string;
  readonly value: Record<string, unknown>;
}

interface RawSpan extends Omit<ReceivedSpan, 'attributes' | 'events' | 'links' | 'start' | 'end' | 'resource'> {
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly Raw[];
  readonly events?: readonly { readonly name: string; readonly attributes?: readonly Raw[] }[];
  readonly links?: readonly { readonly spanId: string; readonly attributes?: readonly Raw[] }[];
}

interface Request {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Raw[] };
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[];
  }[];
}

export function spansIn(type: string, body: Buffer): readonly ReceivedSpan[] {
  const isJson = type.includes('json');
  const request = (isJson ? JSON.parse(body.toString()) : readMessage(body, traceRequest)) as unknown as Request;
  return request.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map((span) => received(span, resource.attributes))),
  );
}

function received(span: RawSpan, resource: readonly Raw[]): ReceivedSpan {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId ?? '',
    name: span.name,
    kind: span.kind,
    start: BigInt(span.startTimeUnixNano),
    end: BigInt(span.endTimeUnixNano),
    attributes: plain(span.attributes),
    events: (span.events ?? []).map(({ name, attributes }) => ({ name, attributes: plain(attributes) })),
    links: (span.links ?? []).map(({ spanId, attributes }) => ({ spanId, attributes: plain(attributes) })),
    // Protobuf leaves out zeros.
    status: { ...span.status, code: span.status?.code ?? 0 },
    resource: plain(resource),
  };
}

function plain(attributes: readonly Raw[] = []): Attributes {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));
}

function plainValue(value: Record<string, unknown>): unknown {
  if (!('arrayValue' in value)) return Object.values(value)[0];
  const { values = [] } = value.arrayValue as { readonly values?: readonly Record<string, unknown>[] };
  return values.map(plainValue);
}
