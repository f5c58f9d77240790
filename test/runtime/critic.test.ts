// The critic in a run: its findings are recorded, shown to people, and with `strict` sent back to the planner.
import { afterEach, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import type { EventOf, EventType, Recorded } from '../../src/engine/record/event.schema.ts';
import type { Engine } from '../../src/runtime/api/engine.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { missionTemplate } from '../../src/template/mission.ts';
import { why } from '../../src/view/why/why.ts';

const engines: Engine[] = [];

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

const apart: Json = [
  { name: 'step_one', type: 'compute', expr: '1' },
  { name: 'two', type: 'compute', expr: '2', depends_on: 'step_one', description: 'Adds one to step_one.' },
];
const joined: Json = [
  { name: 'one', type: 'compute', expr: '1' },
  { name: 'two', type: 'compute', expr: '(inc (get data/results "one"))' },
];

async function run(steps: Json, frame: JsonObject, planning: JsonObject = {}) {
  const engine = createEngine({ journal: openMemoryJournal() });
  engines.push(engine);
  const repair = { $lisp: `(json/parse-string ${JSON.stringify(JSON.stringify({ steps: joined }))})` };
  const planner = { kind: 'fixed', fragment: { steps }, repair };
  const template = await engine.load(missionTemplate({ goal: 'Count to two', planner, planning, frame }));
  if (!template.ok) throw new Error(JSON.stringify(template.error));
  const started = await engine.start(template.value);
  if (!started.ok) throw new Error(JSON.stringify(started.error));
  const report = await started.value.done;
  const record = engine.read('latest');
  if (!record.ok) throw new Error(JSON.stringify(record.error));
  const { events, state } = record.value;
  return { report, state, events };
}

function only<T extends EventType>(events: readonly Recorded[], type: T): EventOf<T> | undefined {
  return events.map(({ event }) => event).find((event): event is EventOf<T> => event.type === type);
}

it('the critic records its score and its warnings with the graft', async () => {
  const { report, state, events } = await run(apart, {});
  expect(report.status).toBe('completed');
  const grafted = only(events, 'fragment.grafted');
  expect(grafted).toMatchObject({ score: 9, warnings: [{ code: 'CRITIC_DISCONNECTED_FLOW', severity: 'warning' }] });
  expect(why(state, events, 'plan')).toMatchObject({ score: 9, warnings: [{ code: 'CRITIC_DISCONNECTED_FLOW' }] });
});

it('a strict critic sends its warnings back to the planner', async () => {
  const { report, events } = await run(apart, { critic: 'strict' });
  expect(report).toMatchObject({ status: 'completed', output: { two: 2 } });
  expect(only(events, 'fragment.rejected')?.issues.map(({ code }) => code)).toEqual(['CRITIC_DISCONNECTED_FLOW']);
  expect(only(events, 'fragment.grafted')).toMatchObject({ attempt: 2, score: 10 });
});

it('no score is recorded when the template turns the critic off', async () => {
  const { events } = await run(apart, { critic: 'off' });
  const grafted = only(events, 'fragment.grafted');
  expect(grafted?.score).toBeUndefined();
  expect(grafted?.warnings).toBeUndefined();
});

it('a person who reviews a plan sees its score and the findings, and decides', async () => {
  const { report, events } = await run(apart, { critic: 'on' }, { plan_review: 'always' });
  expect(report.status).toBe('waiting');
  const context = only(events, 'gate.opened')?.context;
  expect(context).toMatchObject({
    value: { warnings: [], critic: { score: 9, findings: [{ code: 'CRITIC_DISCONNECTED_FLOW' }] } },
  });
});
