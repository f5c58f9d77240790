// Embeddings over HTTP in a run: their requests are recorded, charged and replayed, and the run continues without them after an error.
import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { defineCapability } from '../../src/capabilities/capability.ts';
import { wordEmbedder } from '../../src/llm/word-embedder.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { type ModelServer, openModelServer } from '../../src/testing/model-server.ts';
import { why } from '../../src/view/why/why.ts';
import { whyText } from '../../src/view/why/why-text.ts';
import { codes, engineOf, good, pathTo } from './set-up.ts';

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const listing = (name: string, description: string) =>
  defineCapability({ name, description, effects: ['read'], input: '{}', run: () => ({ from: name }) });
const capabilities = [
  listing('drive.list_files', 'List files of the drive that the office shares with everybody who works there'),
  listing('shop.list_files', 'List the files'),
];

const GOAL = 'List the files';
const template = (embeddings: string, goal = GOAL) => `reconverge: 1
name: compared
${embeddings}
steps:
  - { name: plan, type: planning, planner: { kind: pattern }, goal: "${goal}", convergence_target: end }
  - { name: end, type: deferred, after: plan }
`;
const priced = 'embeddings: { model: embedder, prices: { input: $1 } }';

interface Settings {
  readonly text?: string;
  readonly record?: string;
  readonly replay?: string;
  readonly key?: string;
  readonly surroundings?: Readonly<Record<string, string>>;
  /** The answer to the question of the planner. */
  readonly answer?: string;
}

async function ran({ text = template(priced), key, surroundings = {}, answer, ...settings }: Settings = {}) {
  writeFileSync(pathTo('template.yaml'), text);
  server = await openModelServer(key === undefined ? {} : { key });
  const engine = engineOf({
    journal: openMemoryJournal(),
    surroundings: { OPENAI_BASE_URL: server.url, ...surroundings },
    capabilities,
  });
  const started = await good(await engine.start(good(await engine.load('template.yaml')), settings)).done;
  const [gate = ''] = good(engine.read(started.run)).state.gates.keys();
  const order = { type: 'review', gate, by: 'ada', verdict: 'answer', value: answer ?? '' } as const;
  const report = answer === undefined ? started : await good(await engine.order(started.run, order)).handle?.done;
  if (report === undefined) throw new Error('the answer did not let the run go on');
  const { events, state } = good(engine.read(report.run));
  const calls = events.flatMap(({ event }) => (event.type === 'call.started' ? [event] : []));
  const { requests } = server;
  await server.close();
  return { report, state, events, calls, requests };
}

describe('embeddings from a server', () => {
  it('score the capabilities when the words of a task fit several, and `why` shows the scores', async () => {
    const { report, state, events, calls, requests } = await ran({ answer: 'shop.list_files' });
    expect(report.status).toBe('completed');
    expect(requests).toMatchObject([{ path: '/v1/embeddings', body: { model: 'embedder' } }]);
    expect(calls).toMatchObject([
      { kind: 'embeddings', name: 'embedder', reserved: { tokens_in: expect.any(Number) } },
    ]);
    expect(report.spent.tokens_in).toBeGreaterThan(0);
    expect(report.spent.cost_usd).toBe((report.spent.tokens_in ?? 0) / 1_000_000);
    expect(report.spent.llm_calls ?? 0).toBe(0);
    const told = whyText(why(state, events, 'plan.1/list_the_files') ?? never())
      .map((line) => line.map(({ text }) => text).join(''))
      .join('\n');
    expect(told).toMatch(/served by +shop\.list_files: a person says/);
    expect(told).toMatch(/scores +shop\.list_files [\d.]+ \(alike [\d.]+\), drive\.list_files [\d.]+ \(alike [\d.]+\)/);
  });

  it('are replayed from a cassette with the cost of the recording', async () => {
    const { report: first } = await ran({ record: 'tape.json' });
    const { report, requests } = await ran({ replay: 'tape.json' });
    expect(requests).toEqual([]);
    expect(report).toMatchObject({ status: 'waiting', spent: first.spent });
  });

  it('fail the planning step when the cassette holds no recording of them', async () => {
    await ran({ text: template('embeddings: off', 'Use shop.list_files'), record: 'tape.json' });
    const { report, state } = await ran({ replay: 'tape.json' });
    expect(report.status).toBe('failed');
    expect(state.steps.get('plan')?.failure).toMatchObject({
      code: 'CASSETTE_MISS',
      message: expect.stringContaining('embeddings model "embedder"'),
    });
  });

  it('are left out when the server refuses the request, and a person chooses the capability', async () => {
    const { report, state, calls } = await ran({ key: 'right', surroundings: { OPENAI_API_KEY: 'wrong-key' } });
    expect(report.status).toBe('waiting');
    expect([...state.gates.values()]).toMatchObject([{ prompt: `Which capability does "${GOAL}"?` }]);
    expect(calls).toHaveLength(1);
  });

  it('use the model of RECONVERGE_EMBEDDINGS, unless the template turns them off', async () => {
    const surroundings = { RECONVERGE_EMBEDDINGS: 'text-embedding-3-small' };
    const { requests, report } = await ran({ text: template(''), surroundings });
    expect(requests).toMatchObject([{ body: { model: 'text-embedding-3-small' } }]);
    expect(report.spent.cost_usd).toBeGreaterThan(0);
    const off = await ran({ text: template('embeddings: off'), surroundings });
    expect(off.requests).toEqual([]);
  });

  it('are not requested when the words of a task decide, and the run has the same events', async () => {
    const text = (embeddings: string) => template(embeddings, 'List the files of the drive');
    const [plain, compared] = [await ran({ text: text('') }), await ran({ text: text(priced) })];
    expect(compared.requests).toEqual([]);
    expect(compared.events.map(({ event }) => event.type)).toEqual(plain.events.map(({ event }) => event.type));
    expect(compared.report.output).toEqual(plain.report.output);
  });
});

it('a run does not start when no server for its embeddings is configured', async () => {
  writeFileSync(pathTo('template.yaml'), template(priced));
  const engine = engineOf({ journal: openMemoryJournal(), surroundings: {}, capabilities });
  const started = await engine.start(good(await engine.load('template.yaml')));
  expect(started).toMatchObject({ ok: false, error: [{ code: 'MODEL_NOT_CONFIGURED', path: ['embeddings'] }] });
});

it('an embeddings model without a known price is an issue of the template', async () => {
  writeFileSync(pathTo('template.yaml'), template('embeddings: nobody-knows'));
  const engine = engineOf({ journal: openMemoryJournal(), surroundings: {}, capabilities });
  expect(codes(await engine.load('template.yaml'))).toEqual(['MODEL_UNPRICED']);
});

it('an engine uses the embedder that its program passes', async () => {
  writeFileSync(pathTo('template.yaml'), template(priced));
  const engine = engineOf({ journal: openMemoryJournal(), surroundings: {}, capabilities, embedder: wordEmbedder });
  const report = await good(await engine.start(good(await engine.load('template.yaml')))).done;
  expect(report.status).toBe('waiting');
  expect(report.spent.tokens_in).toBeGreaterThan(0);
});

function never(): never {
  throw new Error('there is no such step');
}
