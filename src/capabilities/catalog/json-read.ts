// json.read: the shape of a JSON file or of JSON lines, without its values.
import type { Json } from '../../base/json.ts';
import { defineCapability } from '../capability.ts';
import { CapabilityError, messageOf } from '../capability-error.ts';
import { decode } from '../formats/decode.ts';
import { shapeOf } from '../formats/json-shape.ts';

const MOST_BYTES = 32_000_000;

export const jsonRead = defineCapability({
  name: 'json.read',
  description: 'Find the shape of a JSON or JSON lines file: paths, types, how often, how deep.',
  input: {
    type: 'object',
    required: ['path'],
    additionalProperties: false,
    properties: {
      path: { type: 'string', description: 'JSON or JSON lines file under one of the granted roots.' },
      lines: { type: 'boolean', description: 'One value per line; default by the file name (.jsonl, .ndjson).' },
    },
  },
  output: {
    type: 'object',
    required: ['path', 'values', 'depth', 'shape', 'complete'],
    properties: {
      path: { type: 'string' },
      values: { type: 'integer', description: 'Lines of JSON lines; items of a list; else 1.' },
      depth: { type: 'integer', description: 'Levels of nesting.' },
      shape: {
        type: 'array',
        'x-keep': true,
        items: {
          type: 'object',
          required: ['path', 'types', 'count'],
          properties: {
            path: { type: 'string', description: 'orders[].price' },
            types: { type: 'array', items: { type: 'string' }, description: 'map list string number boolean null' },
            count: { type: 'integer' },
          },
        },
      },
      complete: { type: 'boolean', description: 'False when there are more paths than are told.' },
    },
  },
  effects: ['read'],
  tags: ['files', 'data'],
  cost: { seconds: 0.02 },
  repeat: 'safe',
  async run({ path, lines = /\.(?:jsonl|ndjson)$/i.test(path) }, ctx) {
    const text = decode(await ctx.files.read(path, MOST_BYTES));
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

/** Node's message without the data that it quotes; it does not always tell the line. */
function problemOf(message: string): string {
  const line = /\(line (\d+) column \d+\)/.exec(message)?.[1];
  const problem = message.startsWith('Unexpected end') ? 'the JSON ends too early' : 'what stands there is not JSON';
  return line === undefined || line === '1' ? `: ${problem}` : `:${line}: ${problem}`;
}
