// files.read: the text of a file, or its beginning.
import { defineCapability } from '../capability.ts';
import { CapabilityError } from '../capability-error.ts';
import { decode, encodingOf } from '../formats/decode.ts';

const DEFAULT_BYTES = 20_000;
const MOST_BYTES = 1_000_000;

export const filesRead = defineCapability({
  name: 'files.read',
  description: 'Read the text of a file, or its first max_bytes.',
  input: {
    type: 'object',
    required: ['path'],
    additionalProperties: false,
    properties: {
      path: { type: 'string', description: 'File under one of the granted roots.' },
      max_bytes: {
        type: 'integer',
        minimum: 1,
        maximum: MOST_BYTES,
        description: `How much to read; default ${DEFAULT_BYTES}.`,
      },
    },
  },
  output: {
    type: 'object',
    required: ['path', 'text', 'bytes', 'encoding', 'complete'],
    properties: {
      path: { type: 'string' },
      text: { type: 'string' },
      bytes: { type: 'integer', description: 'Size of the file.' },
      encoding: { enum: ['utf-8', 'utf-16le', 'windows-1252'] },
      complete: { type: 'boolean', description: 'False when the file goes on.' },
    },
  },
  effects: ['read'],
  tags: ['files'],
  cost: { seconds: 0.005 },
  repeat: 'safe',
  async run({ path, max_bytes = DEFAULT_BYTES }, ctx) {
    const { head, bytes } = await ctx.files.head(path, max_bytes);
    const encoding = encodingOf(head);
    if (head.includes(0) && encoding !== 'utf-16le') {
      throw new CapabilityError('FILE_NOT_TEXT', `"${path}" is not a text file`, { retry: 'never' });
    }
    return { path, text: decode(head, encoding), bytes, encoding, complete: head.length === bytes };
  },
});
