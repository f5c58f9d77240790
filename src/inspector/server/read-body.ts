// Reads the posted JSON, up to a limit of size.
import type { IncomingMessage } from 'node:http';
import type { Json } from '../../base/json.ts';

const MAX_BODY = 1_000_000;

/** Undefined if the body is not JSON or is too large. */
export async function readBody(request: IncomingMessage): Promise<Json | undefined> {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) return undefined;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY) return undefined;
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as Json;
  } catch {
    return undefined;
  }
}
