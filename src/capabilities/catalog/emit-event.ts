// emit.event: announces an event in a log file or among the messages of the run.
import { defineCapability } from '../capability.ts';
import { inTurn } from '../in-turn.ts';

export const emitEvent = defineCapability({
  name: 'emit.event',
  description: 'Announce an event with its data: as a line of a JSON lines file, or among the messages of the run.',
  input: {
    type: 'object',
    required: ['type'],
    additionalProperties: false,
    properties: {
      type: { type: 'string', minLength: 1, description: 'Name of the event: order.shipped' },
      data: { description: 'Any value.' },
      path: {
        type: 'string',
        description:
          'JSON lines file under one of the granted roots; by default the event goes to the messages of the run.',
      },
    },
  },
  output: {
    type: 'object',
    required: ['id', 'type', 'to'],
    properties: {
      id: { type: 'string', description: 'Id of the event; a repetition after a crash has the same id.' },
      type: { type: 'string' },
      to: { type: 'string', description: 'Path of the file, or "log".' },
    },
  },
  effects: ['output'],
  tags: ['event'],
  cost: { seconds: 0.005 },
  repeat: 'safe',
  async run({ type, data = null, path }, ctx) {
    const id = ctx.idempotencyKey;
    const line = JSON.stringify({ id, type, run: ctx.run.id, at: new Date().toISOString(), data });
    if (path === undefined) ctx.log(line);
    else await inTurn(await ctx.files.resolve(path, 'write'), () => ctx.files.append(path, line));
    return { id, type, to: path ?? 'log' };
  },
});
