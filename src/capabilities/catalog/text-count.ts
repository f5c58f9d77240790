// text.count: lines, words and log levels of a text, and the time it spans.
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { defineCapability } from '../capability.ts';
import { decoded, encodingOf } from '../formats/decode.ts';

const MOST_BYTES = 64_000_000;
const LEVEL = /\b(TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b/;
const TIMESTAMP = /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/;

export const textCount = defineCapability({
  name: 'text.count',
  description: 'Count lines, words and log levels of a text or log file, with its first and last timestamp.',
  input: {
    type: 'object',
    required: ['path'],
    additionalProperties: false,
    properties: { path: { type: 'string', description: 'Text file under one of the granted roots.' } },
  },
  output: {
    type: 'object',
    required: ['path', 'bytes', 'lines', 'words', 'levels', 'first_timestamp', 'last_timestamp', 'complete'],
    properties: {
      path: { type: 'string' },
      bytes: { type: 'integer' },
      lines: { type: 'integer' },
      words: { type: 'integer' },
      levels: {
        type: 'object',
        description: 'Lines per log level, as in {"ERROR": 3}; the first level in a line counts.',
        'x-keep': true,
        additionalProperties: { type: 'integer' },
      },
      first_timestamp: { type: ['string', 'null'], description: 'In the order of the lines.' },
      last_timestamp: { type: ['string', 'null'] },
      complete: { type: 'boolean', description: 'False when the file goes on beyond 64 MB.' },
    },
  },
  effects: ['read'],
  tags: ['files', 'data'],
  cost: { seconds: 0.02 },
  repeat: 'safe',
  async run({ path }, ctx) {
    const { head, bytes } = await ctx.files.head(path, 4_096);
    const chunks = await ctx.files.stream(path, ctx.signal);
    const input = Readable.from(decoded(upTo(MOST_BYTES, chunks), encodingOf(head)));
    const levels: Record<string, number> = {};
    let [lines, words] = [0, 0];
    let first: string | null = null;
    let last: string | null = null;
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      lines += 1;
      words += line.match(/\S+/g)?.length ?? 0;
      const level = LEVEL.exec(line)?.[1]?.replace('WARNING', 'WARN');
      if (level !== undefined) levels[level] = (levels[level] ?? 0) + 1;
      last = TIMESTAMP.exec(line)?.[0] ?? last;
      first ??= last;
    }
    const complete = bytes <= MOST_BYTES;
    return { path, bytes, lines, words, levels, first_timestamp: first, last_timestamp: last, complete };
  },
});

async function* upTo(bytes: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const chunk of chunks) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}
