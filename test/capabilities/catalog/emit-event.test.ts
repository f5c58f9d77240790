// emit.event says what has happened, in a file or among the messages of the run.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCapability } from '../../../src/capabilities/call.ts';
import { emitEvent } from '../../../src/capabilities/catalog/emit-event.ts';
import { filesWrite } from '../../../src/capabilities/catalog/files.ts';
import { logTo } from '../../../src/capabilities/log.ts';
import { contextIn, failureFrom, folderWith, resultFrom } from '../workbench.ts';

test('emit.event appends a line for each event', async () => {
  const base = await folderWith();
  const event = { type: 'order.shipped', data: { id: 7 }, path: 'out/events.jsonl' };
  expect(await resultFrom(emitEvent, event, base)).toEqual({
    id: 'run_1/step#1',
    type: 'order.shipped',
    to: 'out/events.jsonl',
  });
  await resultFrom(emitEvent, { ...event, type: 'order.paid' }, base);
  const lines = (await readFile(join(base, 'out/events.jsonl'), 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { id: 'run_1/step#1', type: 'order.shipped', run: 'run_1', data: { id: 7 } },
    { type: 'order.paid' },
  ]);
  expect((await failureFrom(emitEvent, { ...event, path: '../x' }, base)).code).toBe('FILE_OUTSIDE_ROOTS');
});

test('emit.event logs to the run when no file is named', async () => {
  const said: string[] = [];
  const called = await callCapability(
    emitEvent,
    { type: 'done' },
    contextIn('/', { log: logTo(({ message }) => said.push(message)) }),
  );
  expect(called).toMatchObject({ value: { to: 'log' } });
  expect(said.map((line) => JSON.parse(line))).toMatchObject([{ type: 'done', data: null }]);
});

test('files.write replaces files, only within the roots', async () => {
  const base = await folderWith({ 'a.txt': 'old' });
  expect(await resultFrom(filesWrite, { path: 'a.txt', text: 'grün' }, base)).toEqual({ path: 'a.txt', bytes: 5 });
  expect(await readFile(join(base, 'a.txt'), 'utf8')).toBe('grün');
  expect((await failureFrom(filesWrite, { path: '/etc/x', text: '' }, base)).code).toBe('FILE_OUTSIDE_ROOTS');
});
