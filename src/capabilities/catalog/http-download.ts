// http.download: keeps what an address answers as a file, for whatever reads files.
import { defined } from '../../base/json.ts';
import { defineCapability } from '../capability.ts';
import { askProperties, send } from './http-words.ts';

export const httpDownload = defineCapability({
  name: 'http.download',
  description: 'Download a web address into a file under one of the granted roots.',
  input: {
    type: 'object',
    required: ['url', 'path'],
    additionalProperties: false,
    properties: {
      ...askProperties,
      path: { type: 'string', description: 'File to write, under one of the granted roots; it is replaced.' },
    },
  },
  output: {
    type: 'object',
    required: ['path', 'bytes', 'url'],
    properties: {
      path: { type: 'string' },
      bytes: { type: 'integer' },
      url: { type: 'string', description: 'Where it came from, redirects followed.' },
      content_type: { type: 'string' },
    },
  },
  effects: ['network', 'filesystem'],
  tags: ['http', 'web', 'files'],
  cost: { seconds: 1 },
  repeat: 'safe',
  async run({ path, ...ask }, ctx) {
    await ctx.files.resolve(path, 'write');
    const { body, url, headers } = await send('GET', ask, ctx);
    const type = headers['content-type'];
    const bytes = await ctx.files.write(path, body);
    return { path, bytes, url, ...defined({ content_type: type }) };
  },
});
