// A call that may be made at most once is on the disk before it is made, also where a store is relaxed.
import { expect, it } from 'vitest';
import { defineCapability } from '../../src/capabilities/capability.ts';
import { decode } from '../../src/engine/codec/event-codec.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import type { Append, Journal } from '../../src/store/journal.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { good } from './set-up.ts';

const handler = (name: string, repeat: 'never' | 'keyed') =>
  defineCapability({ name, description: name, effects: ['write'], repeat, run: () => ({ done: true }) });

it('is written through to the disk with the event that begins it, and nothing else is', async () => {
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
