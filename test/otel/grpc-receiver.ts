// An OTLP collector on loopback that takes gRPC, by hand over HTTP/2: some services, and UNIMPLEMENTED for others.
import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type ReceivedSpan, spansIn } from './receiver.ts';

const OK = '0';
const UNIMPLEMENTED = '12';
/** A message is preceded by one byte for its compression and four for its length. */
const PREFIX = 5;

/** Closes when the test ends. */
export async function openGrpcReceiver(services: readonly string[]): Promise<{
  /** The value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  spans(): readonly ReceivedSpan[];
}> {
  const messages: Buffer[] = [];
  const server = createServer();
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => sessions.add(session));
  server.on('stream', async (stream, headers) => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const isKnown = services.includes(headers[':path'] ?? '');
    if (isKnown) messages.push(Buffer.concat(chunks).subarray(PREFIX));
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': isKnown ? OK : UNIMPLEMENTED }));
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.end(isKnown ? Buffer.alloc(PREFIX) : undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const each of sessions) each.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans: () => messages.flatMap((body) => spansIn('application/x-protobuf', body)),
  };
}
