// A store that fails in the middle of a run: the run is interrupted, not failed, and the message says how to continue.
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { defineCapability } from '../../src/capabilities/capability.ts';
import { commands } from '../../src/cli/commands.ts';
import { drive, handleOf } from '../../src/cli/drive/drive.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openSqliteJournal } from '../../src/store/sqlite-journal.ts';
import type { Line } from '../../src/view/line.ts';
import { templateOf } from '../engine/template-of.ts';
import { project } from './reconverge.ts';

it.each([[[]], [['json']]])('a store that stays locked interrupts the run, with the flags %j', async (flags) => {
  const file = join(project(), 'runs.db');
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const gate = new EventTarget();
  const work = defineCapability({
    name: 'work',
    description: 'Waits to be let go.',
    effects: ['compute'],
    async run() {
      begin();
      await once(gate, 'open');
      return {};
    },
  });
  const engine = createEngine({ journal: openSqliteJournal(file, { patience: 20 }), capabilities: [work] });
  const said: string[] = [];
  const answered: unknown[] = [];
  const say = (lines: readonly Line[]): void => {
    said.push(...lines.map((line) => line.map(({ text }) => text).join('')));
  };
  const driven = drive(
    {
      given: {
        commands,
        arguments: [],
        text: () => undefined,
        all: () => [],
        has: (flag) => ['quiet', ...flags].includes(flag),
      },
      terminal: {
        print: say,
        say,
        write: () => undefined,
        json: (value) => answered.push(value),
        jsonLine: (value) => answered.push(value),
        columns: 80,
        screen: undefined,
        paintScreen: () => '',
      },
    },
    engine,
    new Map(),
    async (options) =>
      handleOf(await engine.start(templateOf({ steps: [{ name: 'a' }, { name: 'b', after: ['a'] }] }), options)),
  );
  await begun;
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');
  gate.dispatchEvent(new Event('open'));
  expect(await driven).toBe(130);
  expect(said.join('\n')).toMatch(/go on with:\n.*reconverge resume [a-z0-9]+/);
  if (flags.length > 0) expect(answered.at(-1)).toMatchObject({ issues: [{ code: 'STORE_LOCKED' }] });
  other.exec('ROLLBACK');
  other.close();
  await engine.close();
});
