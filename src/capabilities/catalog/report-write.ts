// report.write: writes a Markdown or HTML report from headings, paragraphs, lists and tables.
import { defineCapability } from '../capability.ts';
import { html } from '../formats/html.ts';
import { markdown } from '../formats/markdown.ts';

export const reportWrite = defineCapability({
  name: 'report.write',
  description: 'Write a Markdown or HTML report from sections given as data: headings, paragraphs, lists, tables.',
  input: {
    type: 'object',
    required: ['path', 'title', 'sections'],
    additionalProperties: false,
    properties: {
      path: { type: 'string', description: 'File to write or replace, under one of the granted roots.' },
      title: { type: 'string' },
      format: { enum: ['markdown', 'html'], description: 'Default markdown.' },
      sections: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          properties: {
            heading: { type: 'string' },
            level: { type: 'integer', minimum: 2, maximum: 6, description: 'Level of the heading; default 2.' },
            text: {
              description: 'One paragraph, or several.',
              anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
            },
            list: { type: 'array' },
            table: {
              type: 'object',
              required: ['columns', 'rows'],
              additionalProperties: false,
              properties: {
                columns: { type: 'array', minItems: 1, items: { type: 'string' } },
                rows: {
                  type: 'array',
                  description: 'Rows as lists in column order, or as maps by column.',
                  items: { anyOf: [{ type: 'array' }, { type: 'object' }] },
                },
              },
            },
          },
        },
      },
    },
  },
  output: {
    type: 'object',
    required: ['path', 'bytes'],
    properties: { path: { type: 'string' }, bytes: { type: 'integer' } },
  },
  effects: ['output'],
  tags: ['report'],
  cost: { seconds: 0.005 },
  repeat: 'safe',
  async run({ path, title, format = 'markdown', sections }, ctx) {
    const text = format === 'html' ? html(title, sections) : markdown(title, sections);
    return { path, bytes: await ctx.files.write(path, text) };
  },
});
