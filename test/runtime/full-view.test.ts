// Rules and capabilities that plan read every result in full from the store of the run, up to a limit of 16 MB.
import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import { scriptedModel } from '../../src/llm/scripted-model.ts';
import type { EngineOptions } from '../../src/runtime/api/engine-options.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { receiptsOf, receiptsText } from '../../src/view/why/receipts.ts';
import { engineOf, good, pathTo } from './set-up.ts';

const rows = Array.from({ length: 3_000 }, (_, at) => ({
  id: `row-${at}`,
  odd: at === 2_999,
  note: 'for the shop alone',
}));
const list = defineCapability({
  name: 'shop.list',
  description: 'Lists rows.',
  effects: ['read'],
  input: '{}',
  output: { properties: { rows: { items: { properties: { id: {}, note: { 'x-elide': true } } } } } },
  run: () => ({ rows, title: 'All rows' }),
});
const big = defineCapability({
  name: 'shop.big',
  description: 'Answers with nine megabytes.',
  effects: ['read'],
  input: '{n :int}',
  run: ({ n }) => ({ text: `${n}`.repeat(9_000_000) }),
});
const work = defineCapability({
  name: 'work',
  description: 'Gives back what it got.',
  effects: ['compute'],
  run: (input) => input as Json,
});

const rule = (source: string): JsonObject => ({ kind: 'lisp', source: { $lisp: source } });
const fetch: JsonObject = { name: 'fetch', handler: 'shop.list', input: {} };
const end: JsonObject = {
  name: 'end',
  type: 'deferred',
  dependencies: ['plan'],
  convergence: { policy: 'all_settled' },
};
const planned = (planner: JsonObject, more: JsonObject = {}): JsonObject => ({
  name: 'plan',
  type: 'planning',
  dependencies: ['fetch'],
  planner,
  convergence_target: 'end',
  ...more,
});

async function ran(steps: readonly JsonObject[], more: JsonObject = {}, options: EngineOptions = {}) {
  const engine = engineOf({ journal: openMemoryJournal(), capabilities: [list, big, work], ...options });
  const template = good(await engine.load({ reconverge: 1, name: 'read', ...more, steps: [...steps] }));
  const report = await good(await engine.start(template)).done;
  const record = good(engine.read(report.run));
  const brief = record.events.flatMap(({ event }) => (event.type === 'plan.requested' ? [event.brief] : [])).at(-1);
  return { report, record, brief: record.blob(brief ?? '') ?? '', failure: record.state.steps.get('plan')?.failure };
}

const rationaleOf = (record: Awaited<ReturnType<typeof ran>>['record']) => record.state.phases.get('plan')?.rationale;

describe('a rule that plans', () => {
  it('plans a step for each of 150 files, as the first template of the README does', async () => {
    mkdirSync(pathTo('data'));
    for (let at = 0; at < 150; at++) writeFileSync(pathTo('data', `table_${at}.csv`), 'id\n1\n');
    const source = `(let [files (get-in data/packet ["results" "ingest" "files"])
              csvs  (filter #(= (get % "type") "csv") files)]
          {:steps (map-indexed (fn [i file] {:name (str "profile_" i) :capability "csv.profile"
                                             :input {:path (get file "path")}}) csvs)})`;
    const { report, record } = await ran(
      [
        { name: 'ingest', handler: 'files.list', input: { folder: 'data' } },
        { ...planned(rule(source)), dependencies: ['ingest'] },
        end,
      ],
      {
        capabilities: ['catalog'],
        roots: ['data'],
        budget: { max_total_steps: 160, max_fragment_steps: 155, max_total_tool_calls: 400 },
      },
    );
    expect(report).toMatchObject({ status: 'completed', partial: false });
    expect(record.state.phases.get('plan')?.steps).toHaveLength(150);
  });

  it('reads every row and every elided field under each context strategy', async () => {
    const source = `(let [rows (get-in data/packet [:results "fetch" :rows])]
      {:rationale (str (count rows) " " (:id (first (filter :odd rows))) " " (:note (first rows))) :steps []})`;
    for (const strategy of ['contract', 'full', 'selective', 'hierarchical', 'summary']) {
      const context = { strategy, max_tokens: 200 };
      const { report, record } = await ran([fetch, planned(rule(source), { context }), end]);
      expect([report.status, rationaleOf(record)]).toEqual(['completed', '3000 row-2999 for the shop alone']);
    }
  });

  it('reads its needs by name, and all results beside them', async () => {
    const needs = [
      { step: 'fetch', path: 'rows', full: true },
      { step: 'fetch', path: 'rows.2999.id', as: 'last' },
    ];
    const source = `{:rationale (str (count (get-in data/packet [:needs "fetch.rows"])) " "
                                   (get-in data/packet [:needs "last"]) " "
                                   (count (get-in data/packet [:results "fetch" :rows]))) :steps []}`;
    const { record } = await ran([fetch, planned(rule(source), { needs }), end]);
    expect(rationaleOf(record)).toBe('3000 row-2999 3000');
  });

  it('keeps its brief small: a large result is a reference to the store', async () => {
    const { brief, record } = await ran([fetch, planned(rule('{:steps []}')), end]);
    expect(brief.length).toBeLessThan(10_000);
    const text = receiptsText(receiptsOf(record.events, 'plan', (digest) => record.blob(digest)));
    expect(
      text
        .flat()
        .map((span) => span.text)
        .join(''),
    ).toMatch(/in full: 1 result, \d+ bytes/);
    expect(JSON.parse(brief)).toMatchObject({
      packet: { results: { fetch: { $ref: 'fetch#1', $bytes: expect.any(Number) } } },
      references: [{ at: ['packet', 'results', 'fetch'], digest: expect.any(String) }],
    });
  });

  it('sees the results of 300 steps, while its brief stays small', async () => {
    const many = Array.from({ length: 300 }, (_, at) => ({
      name: `s${at}`,
      handler: 'work',
      input: { text: `${at}`.repeat(150) },
    }));
    const source = '{:rationale (str (count (vals (:results data/packet))) (count (:index data/packet))) :steps []}';
    const dependencies = many.map(({ name }) => name);
    const budget = { max_total_steps: 400, max_total_tool_calls: 400 };
    const { record, brief } = await ran([...many, { ...planned(rule(source)), dependencies }, end], { budget });
    expect(rationaleOf(record)).toBe('300300');
    expect(brief.length).toBeLessThan(200_000);
  });

  it('fails when it reads more than 16 MB of results, and succeeds when it reads only a small one', async () => {
    const bigger = ['one', 'two'].map((name, n) => ({ name, handler: 'shop.big', input: { n } }));
    const dependencies = ['fetch', 'one', 'two'];
    const all = rule('{:rationale (str (count (filter :text (vals (:results data/packet))))) :steps []}');
    const { failure } = await ran([fetch, ...bigger, { ...planned(all), dependencies }, end]);
    expect(failure).toMatchObject({
      code: 'PLANNER_FAILED',
      message: expect.stringContaining('the planner reads more than 16 MB of results'),
    });
    const some = rule('{:rationale (get-in data/packet [:results "fetch" :title]) :steps []}');
    const { record } = await ran([fetch, ...bigger, { ...planned(some), dependencies }, end]);
    expect(rationaleOf(record)).toBe('All rows');
  });

  it('repairs a failed step with its full input and output', async () => {
    const repair = `{:rationale (str (count (get-in data/packet [:feedback :failed 0 :output :rows])) " "
                                     (count (get-in data/packet [:feedback :failed 0 :input :rows])))
                     :steps []}`;
    const step = {
      name: 'use',
      capability: 'work',
      input: { rows: '{{ results.fetch.rows }}' },
      verification: '(empty? (:rows data/result))',
      on_verification_failure: 'replan',
    };
    const planner = { kind: 'fixed', fragment: { steps: [step] }, repair: { $lisp: repair } };
    const { record } = await ran([fetch, planned(planner), end]);
    expect(record.state.phases.get('plan~2')?.rationale).toBe('3000 3000');
  });

  it('is reviewed by a model critic that sees a shortened result without elided fields', async () => {
    const critic = scriptedModel([{ reply: { json: { remarks: [] } }, times: 'always' }]);
    const source = `{:rationale (str (count (get-in data/packet [:results "fetch" :rows])))
                     :steps [{:name "use" :capability "work" :input {:n 1}}]}`;
    const models = { default: { model: 'scripted', prices: { input: 1, output: 1 } } };
    const { record } = await ran(
      [fetch, planned(rule(source)), end],
      { models, critic: { model: 'default' } },
      { models: { default: critic } },
    );
    expect(rationaleOf(record)).toBe('3000');
    const told = critic.asked[0]?.messages.at(-1)?.content ?? '';
    expect(told).toContain('"$count":3000');
    expect(told).not.toContain('for the shop alone');
  });
});

describe('a fixed plan', () => {
  it('is accepted although its goal exceeds the token limit of a model', async () => {
    const planner = { kind: 'fixed', fragment: { steps: [{ name: 'use', capability: 'work', input: { n: 1 } }] } };
    const context = { max_tokens: 200 };
    const { report } = await ran([fetch, planned(planner, { context, goal: 'Use it. '.repeat(400) }), end]);
    expect(report.status).toBe('completed');
  });
});

describe('a capability that plans', () => {
  const seen: { count?: number; hidden?: Json; contracts?: boolean } = {};
  const planner = defineCapability({
    name: 'my.plan',
    description: 'Plans.',
    effects: ['pure'],
    input: '{brief :any}',
    run: ({ brief }) => {
      const told = brief as { packet: { results: { fetch: { rows: typeof rows } } }; capabilities: JsonObject[] };
      seen.count = told.packet.results.fetch.rows.length;
      seen.hidden = told.packet.results.fetch.rows[0]?.note ?? null;
      seen.contracts = isJsonObject(told.capabilities.find(({ name }) => name === 'shop.list')?.output ?? null);
      expect(brief).not.toHaveProperty('references');
      return { steps: [] };
    },
  });
  const greedy = defineCapability({
    name: 'my.greedy',
    description: 'Reads all there is.',
    effects: ['pure'],
    input: '{brief :any}',
    run: ({ brief }) => ({ rationale: `${JSON.stringify(brief).length}`, steps: [] }),
  });
  const capabilities = [list, big, work, planner, greedy];

  it('receives no sensitive field of a result, while a rule reads the field', async () => {
    const secret = defineCapability({
      name: 'shop.list',
      description: 'Lists customers.',
      effects: ['read'],
      input: '{}',
      output: { properties: { card: { 'x-sensitive': true }, name: {} } },
      run: () => ({ card: '4111', name: 'Ann' }),
    });
    let seen: Json = null;
    const planner = defineCapability({
      name: 'my.plan',
      description: 'Plans nothing.',
      effects: ['compute'],
      run: (input) => {
        seen = JSON.parse(JSON.stringify(input));
        return { steps: [] };
      },
    });
    const options = { capabilities: [secret, planner, work] };
    await ran([fetch, planned({ kind: 'capability', name: 'my.plan' }), end], {}, options);
    expect(JSON.stringify(seen)).toContain('$elided');
    expect(JSON.stringify(seen)).not.toContain('4111');
    const reads = rule('{:rationale (get-in data/packet ["results" "fetch" "card"]) :steps []}');
    const { record } = await ran([fetch, planned(reads), end], {}, options);
    expect(rationaleOf(record)).toBe('4111');
  });

  it('reads every result, and its recorded call holds no copy of them', async () => {
    const { report, record } = await ran(
      [fetch, planned({ kind: 'capability', name: 'my.plan' }), end],
      {},
      { capabilities },
    );
    expect(report.status).toBe('completed');
    expect(seen).toEqual({ count: 3_000, hidden: 'for the shop alone', contracts: true });
    const [call] = record.events.flatMap(({ event }) => (event.type === 'call.started' ? [event] : []));
    expect(record.blob(call?.request ?? '')?.length).toBeLessThan(20_000);
  });

  it('fails with CONTEXT_TOO_LARGE when it reads more than 16 MB of results', async () => {
    const bigger = ['one', 'two'].map((name, n) => ({ name, handler: 'shop.big', input: { n } }));
    const dependencies = ['one', 'two'];
    const steps = [...bigger, { ...planned({ kind: 'capability', name: 'my.greedy' }), dependencies }, end];
    expect((await ran(steps, {}, { capabilities })).failure?.code).toBe('CONTEXT_TOO_LARGE');
  });
});
