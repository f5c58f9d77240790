// files.write: text into a file.
import { defineCapability } from '../capability.ts';

export const filesWrite = defineCapability({
  name: 'files.write',
  description: 'Write text to a file; what stood there is replaced, its folders are made.',
  input: {
    type: 'object',
    required: ['path', 'text'],
    additionalProperties: false,
    properties: {
      path: { type: 'string', description: 'File under one of the granted roots.' },
      text: { type: 'string' },
    },
  },
  output: {
    type: 'object',
    required: ['path', 'bytes'],
    properties: { path: { type: 'string' }, bytes: { type: 'integer' } },
  },
  effects: ['filesystem'],
  tags: ['files'],
  cost: { seconds: 0.005 },
  repeat: 'safe',
  async run({ path, text }, ctx) {
    return { path, bytes: await ctx.files.write(path, text) };
  },
});
