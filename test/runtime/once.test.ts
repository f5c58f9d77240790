// A call that must not be repeated is flushed to the disk before it begins, even in a relaxed store.
import { expect, it } from 'vitest';
import { defineCapability } from '../../src/capabilities/capability.ts';
import { decode } from '../../src/engine/codec/event-codec.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import type { Append, Journal } from '../../src/store/journal.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { good } from './set-up.ts';

const handler = (name: string, repeat: 'never' | 'keyed') =>
  defineCapability({ name, description: name, effects: ['write'], repeat, run: () => ({ done: true }) });

it('the journal flushes only the append that begins a call which must not be repeated', async () => {
  const appended: Append[] = [];
  const memory = openMemoryJournal();
  const journal: Journal = {
    ...memory,
    append: (append) => {
      appended.push(append);
      return memory.append(append);
    },
  };
  const engine = createEngine({
    journal,
    capabilities: [handler('post.once', 'never'), handler('post.keyed', 'keyed')],
  });
  const template = good(
    await engine.load({
      reconverge: 1,
      name: 'once',
      steps: [
        { name: 'keyed', handler: 'post.keyed' },
        { name: 'once', handler: 'post.once', dependencies: ['keyed'] },
      ],
    }),
  );
  const run = good(await engine.start(template, {}));
  await run.done;
  const flushed = appended.filter(({ flush }) => flush);
  expect(flushed).toHaveLength(1);
  const events = flushed.flatMap(({ entries }) => entries.map((entry) => decode(entry).event));
  expect(events).toContainEqual(expect.objectContaining({ type: 'attempt.started', step: 'once' }));
  await engine.close();
});
