// Lessons of earlier runs: they are kept beside the journal, a new run starts with them, and `learning: false` turns them off.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import type { PursueOptions } from '../../src/runtime/api/engine.ts';
import type { EngineOptions } from '../../src/runtime/api/engine-options.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { why } from '../../src/view/why/why.ts';
import { engineOf, good } from './set-up.ts';

const send = (name: string, output = '{ok :bool}') =>
  defineCapability({
    name,
    description: 'Send a message.',
    input: '{text :string?}',
    output,
    effects: ['network'],
    run: () => ({ ok: true }),
  });

const GOAL = 'Send the message "all is well"';
const frame: JsonObject = { capabilities: [], models: {} };

function engineWith(options: EngineOptions = {}) {
  const capabilities = [send('slack.send_message'), send('mail.send_message')];
  return engineOf({ capabilities, ...options });
}

type Engine = ReturnType<typeof engineWith>;

/** Pursues the goal, and answers the question for the capability if the run asks it. */
async function taught(engine: Engine, options: PursueOptions = {}, answer = 'mail.send_message') {
  const report = await good(await engine.pursue(GOAL, { frame, ...options })).done;
  if (report.status !== 'waiting') return report;
  const order = { type: 'review', gate: 'g1', verdict: 'answer', value: answer, by: 'ada' } as const;
  const { handle } = good(await engine.order(report.run, order));
  return (await handle?.done) ?? report;
}

describe('a lesson of a run', () => {
  it('names the capability that served an intent, and the next run uses it without a question', async () => {
    const engine = engineWith();
    await taught(engine);
    expect(engine.lessons()[0]?.outcomes).toContainEqual(
      expect.objectContaining({ of: 'capability', name: 'mail.send_message', shape: 'send message', succeeded: 1 }),
    );
    const report = await good(await engine.pursue('Send the message "all is bad"', { frame })).done;
    expect(report.status).toBe('completed');
    const { state, events } = good(engine.read(report.run));
    const step = [...state.steps.keys()].find((id) => id.startsWith('plan.1/')) ?? '';
    expect(why(state, events, step).origins[0]?.intent).toMatchObject({
      says: 'Send the message "all is bad"',
      chosen: { by: 'proven', capability: 'mail.send_message' },
    });
    expect(events[0]?.event).toHaveProperty('learned');
  });

  it('is ignored after the contract of its capability changes', async () => {
    const journal = openMemoryJournal();
    await taught(engineWith({ journal }));
    const capabilities = [send('slack.send_message'), send('mail.send_message', '{ok :bool, id :string?}')];
    const later = await good(await engineOf({ journal, capabilities }).pursue(GOAL, { frame })).done;
    expect(later.status).toBe('waiting');
  });

  it('is neither kept nor used when a template or an engine turns learning off', async () => {
    const engine = engineWith();
    await taught(engine, { frame: { ...frame, learning: false } });
    expect(engine.lessons()).toEqual([]);
    await taught(engine);
    const again = await good(await engine.pursue(GOAL, { frame: { ...frame, learning: false } })).done;
    expect(again.status).toBe('waiting');
    const off = engineWith({ learning: false });
    expect((await good(await off.pursue(GOAL, { frame })).done).status).toBe('waiting');
  });

  it('is ignored by a run with other context tags', async () => {
    const engine = engineWith();
    await taught(engine, { frame: { ...frame, context_tags: ['alarms'] } });
    const other = await good(await engine.pursue(GOAL, { frame: { ...frame, context_tags: ['greetings'] } })).done;
    expect(other.status).toBe('waiting');
  });
});
