// json.read and text.count: summarize JSON and text files without their content.

import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { Json } from '../../base/json.ts';
import { defineCapability } from '../capability.ts';
import { CapabilityError, messageOf } from '../capability-error.ts';
import { decode, decoded, encodingOf } from '../formats/decode.ts';
import { shapeOf } from '../formats/json-shape.ts';

const MOST_JSON_BYTES = 32_000_000;

export const jsonRead = defineCapability({
  name: 'json.read',
  description: 'Find the shape of a JSON or JSON lines file: paths, types, counts and depth.',
  input: {
    type: 'object',
    required: ['path'],
    additionalProperties: false,
    properties: {
      path: { type: 'string', description: 'JSON or JSON lines file under one of the granted roots.' },
      lines: { type: 'boolean', description: 'True for one value per line; by default for .jsonl and .ndjson files.' },
    },
  },
  output: {
    type: 'object',
    required: ['path', 'values', 'depth', 'shape', 'complete'],
    properties: {
      path: { type: 'string' },
      values: { type: 'integer', description: 'Number of lines of JSON lines, or of items of a list; else 1.' },
      depth: { type: 'integer', description: 'Levels of nesting.' },
      shape: {
        type: 'array',
        'x-keep': true,
        items: {
          type: 'object',
          required: ['path', 'types', 'count'],
          properties: {
            path: { type: 'string', description: 'orders[].price' },
            types: {
              type: 'array',
              items: { type: 'string' },
              description: 'Types: map, list, string, number, boolean, null.',
            },
            count: { type: 'integer' },
          },
        },
      },
      complete: { type: 'boolean', description: 'False when the shape lists only some of the paths.' },
    },
  },
  effects: ['read'],
  tags: ['files', 'data'],
  cost: { seconds: 0.02 },
  repeat: 'safe',
  async run({ path, lines = /\.(?:jsonl|ndjson)$/i.test(path) }, ctx) {
    const text = decode(await ctx.files.read(path, MOST_JSON_BYTES));
    if (text.trim() === '') throw new CapabilityError('FILE_EMPTY', `"${path}" holds nothing`, { retry: 'never' });
    const values = lines ? readLines(text, path) : [parse(text, path)];
    const [only] = values;
    const { paths, depth, complete } = shapeOf(values);
    return { path, values: !lines && Array.isArray(only) ? only.length : values.length, depth, shape: paths, complete };
  },
});

function readLines(text: string, path: string): readonly Json[] {
  return text
    .split(/\r?\n/)
    .flatMap((line, index) => (line.trim() === '' ? [] : [parse(line, `${path}:${index + 1}`)]));
}

function parse(text: string, where: string): Json {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new CapabilityError('JSON_BROKEN', `${where}${problemOf(messageOf(thrown))}`, { retry: 'never' });
  }
}

/** The problem without the data that Node's message quotes. Node does not always tell the line. */
function problemOf(message: string): string {
  const line = /\(line (\d+) column \d+\)/.exec(message)?.[1];
  const problem = message.startsWith('Unexpected end') ? 'the JSON ends too early' : 'the text is not JSON';
  return line === undefined || line === '1' ? `: ${problem}` : `:${line}: ${problem}`;
}

const MOST_TEXT_BYTES = 64_000_000;
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
        description: 'Number of lines per log level, such as {"ERROR": 3}; the first level in a line counts.',
        'x-keep': true,
        additionalProperties: { type: 'integer' },
      },
      first_timestamp: { type: ['string', 'null'], description: 'First timestamp in the order of the lines.' },
      last_timestamp: { type: ['string', 'null'] },
      complete: { type: 'boolean', description: 'False when the file is longer than 64 MB.' },
    },
  },
  effects: ['read'],
  tags: ['files', 'data'],
  cost: { seconds: 0.02 },
  repeat: 'safe',
  async run({ path }, ctx) {
    const { head, bytes } = await ctx.files.head(path, 4_096);
    const chunks = await ctx.files.stream(path, ctx.signal);
    const input = Readable.from(decoded(upTo(MOST_TEXT_BYTES, chunks), encodingOf(head)));
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
    const complete = bytes <= MOST_TEXT_BYTES;
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
