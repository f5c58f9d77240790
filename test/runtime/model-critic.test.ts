// A model critic over HTTP: its requests and answers are recorded, charged and replayed.
import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { Script } from '../../src/llm/script.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { type ModelServer, openModelServer } from '../../src/testing/model-server.ts';
import { why } from '../../src/view/why/why.ts';
import { engineOf, good, pathTo } from './set-up.ts';

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const template = `reconverge: 1
name: criticised
models:
  default: { model: planner, prices: { input: $1, output: $1 } }
  critic: { model: critic, prices: { input: $1, output: $1 }, max_retries: 0 }
critic: { model: critic, strict: true }
steps:
  - { name: plan, type: planning, planner: { kind: llm }, goal: Count the apples., convergence_target: end }
  - { name: end, type: deferred, after: plan }
`;

const once = { steps: [{ name: 'first', description: 'Count the apples.', capability: 'work' }] };
const twice = { steps: [...once.steps, { name: 'second', type: 'compute', expr: '(get (:first data/results) "n")' }] };
const planned: Script = [
  { when: { model: 'planner', notContains: 'nobody looks' }, reply: { json: once } },
  { when: { model: 'planner', contains: 'nobody looks' }, reply: { json: twice } },
];
const remark = { step: 'first', says: 'nobody looks at what it comes to', instead: 'take out the number' };
const heard: Script = [
  { when: { model: 'critic', contains: 'Count the apples.' }, reply: { json: { remarks: [remark] } } },
  { when: { model: 'critic', contains: 'second' }, reply: { json: { remarks: [] } } },
];

async function ran(script: Script, settings: { readonly record?: string; readonly replay?: string } = {}) {
  writeFileSync(pathTo('template.yaml'), template);
  server = await openModelServer({ script });
  const engine = engineOf({ journal: openMemoryJournal(), surroundings: { OPENAI_BASE_URL: server.url } });
  const report = await good(await engine.start(good(await engine.load('template.yaml')), settings)).done;
  const { events, state } = good(engine.read(report.run));
  return { report, state, events, unused: server.unused(), asked: server.requests.length };
}

describe('a model critic', () => {
  it('sends a plan back with its remark, and accepts the next plan', async () => {
    const { report, state, events, unused } = await ran([...planned, ...heard]);
    expect(unused).toEqual([]);
    expect(report).toMatchObject({ status: 'completed', spent: { llm_calls: 4 } });
    const rejected = events.flatMap(({ event }) => (event.type === 'fragment.rejected' ? event.issues : []));
    expect(rejected).toMatchObject([{ code: 'CRITIC_REMARK', path: ['steps', 0], hint: 'take out the number' }]);
    expect(why(state, events, 'plan')).toMatchObject({
      score: 10,
      attempts: [{ end: 'rejected', calls: [{ purpose: 'plan' }, { purpose: 'critic' }] }, { end: 'completed' }],
    });
  });

  it('is replayed from a cassette like every other model', async () => {
    await ran([...planned, ...heard], { record: 'tape.json' });
    await server?.close();
    const { report, asked } = await ran([], { replay: 'tape.json' });
    expect(report).toMatchObject({ status: 'completed', spent: { llm_calls: 4 } });
    expect(asked).toBe(0);
  });

  it('that does not answer is skipped with a warning', async () => {
    const down: Script = [{ when: { model: 'critic' }, reply: { fail: { status: 503 } }, times: 'always' }];
    const { report, state, events } = await ran([...planned.slice(0, 1), ...down]);
    expect(report).toMatchObject({ status: 'completed', spent: { llm_calls: 2 } });
    expect(why(state, events, 'plan')).toMatchObject({ score: 10, warnings: [{ code: 'CRITIC_UNHEARD' }] });
  });

  it('without a configured server is an issue before the run starts', async () => {
    writeFileSync(pathTo('template.yaml'), template.replace('kind: llm', 'kind: lisp, source: !lisp "{:steps []}"'));
    const engine = engineOf({ journal: openMemoryJournal(), surroundings: {} });
    const started = await engine.start(good(await engine.load('template.yaml')));
    expect(started).toMatchObject({
      ok: false,
      error: [{ code: 'MODEL_NOT_CONFIGURED', path: ['models', 'critic'] }],
    });
  });
});
