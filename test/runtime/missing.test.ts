// Capabilities that a plan lacks: a run asks a person, lets a model write one, suggests one or fails, as `missing` says.
import { afterEach, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import type { EventOf, EventType, Recorded } from '../../src/engine/record/event.schema.ts';
import type { RunOrder } from '../../src/engine/record/order.schema.ts';
import type { Model } from '../../src/llm/model.ts';
import { scriptedModel } from '../../src/llm/scripted-model.ts';
import type { Engine } from '../../src/runtime/api/engine.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { missionTemplate } from '../../src/template/mission.ts';
import { rogueHttp } from '../capabilities/mcp/rogue-http.ts';

const engines: Engine[] = [];

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

function engineOver(journal = openMemoryJournal(), models: Readonly<Record<string, Model>> = {}): Engine {
  const engine = createEngine({ journal, models });
  engines.push(engine);
  return engine;
}

async function load(engine: Engine, planner: JsonObject, frame: JsonObject, goal = 'Shout') {
  const template = await engine.load(missionTemplate({ goal, planner, frame }));
  if (!template.ok) throw new Error(JSON.stringify(template.error));
  return template.value;
}

async function start(engine: Engine, planner: JsonObject, frame: JsonObject, goal?: string) {
  const started = await engine.start(await load(engine, planner, frame, goal));
  if (!started.ok) throw new Error(JSON.stringify(started.error));
  return started.value.done;
}

type Said = Omit<Extract<RunOrder, { readonly type: 'review' }>, 'type' | 'gate' | 'by'>;

/** Answers a gate, and returns the report of the run when it rests again. */
async function decide(engine: Engine, run: string, gate: string, said: Said) {
  const ordered = await engine.order(run, { type: 'review', gate, by: 'ada', ...said });
  if (!ordered.ok) throw new Error(JSON.stringify(ordered.error));
  return ordered.value.handle?.done;
}

function eventsOf(engine: Engine, run: string): readonly Recorded[] {
  const record = engine.read(run);
  if (!record.ok) throw new Error(JSON.stringify(record.error));
  return record.value.events;
}

function only<T extends EventType>(events: readonly Recorded[], type: T): readonly EventOf<T>[] {
  return events.map(({ event }) => event).filter((event): event is EventOf<T> => event.type === type);
}

const shout = {
  name: 'text.shout',
  description: 'Writes a text large.',
  input: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
  output: { type: 'string' },
  lisp: '(str/upper-case (:text data/input))',
};

const brings = (own: JsonObject = shout): JsonObject => ({
  kind: 'fixed',
  fragment: { capabilities: [own], steps: [{ name: 'shout', capability: own.name ?? '', input: { text: 'oh' } }] },
});

describe('a capability that a plan defines', () => {
  it('is shown to a person, and serves the run after an approval', async () => {
    const engine = engineOver();
    const waiting = await start(engine, brings(), { missing: ['synthesize'] });
    expect(waiting).toMatchObject({ status: 'waiting', gates: [{ kind: 'synthesis', step: 'plan' }] });
    expect(waiting.gates?.[0]?.prompt).toContain('text.shout');
    const report = await decide(engine, waiting.run, 'g1', { verdict: 'approve' });
    expect(report).toMatchObject({ status: 'completed', output: { shout: 'OH' } });
    expect(only(eventsOf(engine, waiting.run), 'capability.registered')).toMatchObject([
      { step: 'plan', capability: { name: 'text.shout', effects: ['pure'], lisp: shout.lisp } },
    ]);
  });

  it('is refused when the template does not allow synthesis', async () => {
    const engine = engineOver();
    const report = await start(engine, brings(), {});
    expect(report.status).toBe('failed');
    expect(only(eventsOf(engine, report.run), 'step.failed')[0]?.failure.issues).toMatchObject([
      { code: 'SYNTHESIS_NOT_ALLOWED' },
    ]);
  });

  it('must compile, and needs both contracts and an unused name', async () => {
    const issuesOf = async (own: JsonObject, frame: JsonObject = {}) => {
      const engine = engineOver();
      const report = await start(engine, brings(own), { missing: 'synthesize', ...frame });
      return only(eventsOf(engine, report.run), 'step.failed')[0]?.failure.issues?.map(({ code, path }) => [
        code,
        path,
      ]);
    };
    expect(await issuesOf({ ...shout, lisp: '(shout' })).toEqual([['LISP_PARSE', ['capabilities', 0, 'lisp']]]);
    const { output: _, ...without } = shout;
    expect(await issuesOf(without)).toEqual([['SHAPE_MISSING_KEY', ['capabilities', 0]]]);
    expect(await issuesOf({ ...shout, name: 'text.count' }, { capabilities: ['text.count'] })).toContainEqual([
      'SYNTHESIS_NAME_TAKEN',
      ['capabilities', 0, 'name'],
    ]);
  });

  it('may be edited by the person who reviews it', async () => {
    const engine = engineOver();
    const { run } = await start(engine, brings(), { missing: ['synthesize'] });
    const fragment = { ...(brings({ ...shout, lisp: '(str (:text data/input) "!")' }).fragment as JsonObject) };
    const report = await decide(engine, run, 'g1', { verdict: 'edit', value: fragment });
    expect(report).toMatchObject({ status: 'completed', output: { shout: 'oh!' } });
  });

  it('fails its step when it runs out of fuel', async () => {
    const engine = engineOver();
    const planner = brings({ ...shout, lisp: '(loop [n 0] (recur (inc n)))' });
    const { run } = await start(engine, planner, { missing: ['synthesize'], limits: { lisp: { fuel: 1000 } } });
    await decide(engine, run, 'g1', { verdict: 'approve' });
    const failed = only(eventsOf(engine, run), 'step.failed').find(({ step }) => step.endsWith('shout'));
    expect(failed?.failure.code).toBe('LISP_OUT_OF_FUEL');
  });

  it('is still known when another process continues the run', async () => {
    const journal = openMemoryJournal();
    const steps = [
      { name: 'look', type: 'human_review', prompt: 'Go on?' },
      { name: 'shout', capability: 'text.shout', input: { text: 'oh' }, dependencies: ['look'] },
    ];
    const planner: JsonObject = { kind: 'fixed', fragment: { capabilities: [shout], steps } };
    const { run } = await start(engineOver(journal), planner, { missing: ['synthesize'] });
    await decide(engineOver(journal), run, 'g1', { verdict: 'approve' });
    const report = await decide(engineOver(journal), run, 'g2', { verdict: 'approve' });
    expect(report).toMatchObject({ status: 'completed', output: { shout: 'OH' } });
  });
});

const wants = (input: JsonObject = { text: 'oh' }): JsonObject => ({
  kind: 'fixed',
  fragment: { steps: [{ name: 'shout', capability: 'text.shout', description: 'Write the text in capitals', input }] },
});

const answered = (choice: string, text?: string): Said => ({
  verdict: 'answer',
  value: { choice, ...(text === undefined ? {} : { text }) },
});

describe('an unknown capability that a plan calls', () => {
  it('fails the plan when `missing` is absent or `fail`', async () => {
    for (const frame of [{}, { missing: 'fail' }]) {
      const engine = engineOver();
      const report = await start(engine, wants(), frame);
      expect(report.status).toBe('failed');
      expect(only(eventsOf(engine, report.run), 'step.failed')[0]?.failure.issues).toMatchObject([
        { code: 'FRAGMENT_UNKNOWN_CAPABILITY' },
      ]);
    }
  });

  it('makes the run ask a person, with the three nearest capabilities and their shared words', async () => {
    const engine = engineOver();
    const frame = { missing: ['ask'], capabilities: ['text.count', 'csv.read', 'files.list', 'files.write'] };
    const waiting = await start(engine, wants(), frame);
    const [gate] = waiting.gates ?? [];
    expect(gate?.kind).toBe('clarification');
    expect(gate?.prompt).toContain('Nothing here does "Write the text in capitals" (text.shout)');
    expect(gate?.prompt).toContain(
      'Nearest: files.write (shares "write", "text"); text.count (shares "text"); csv.read (shares "text").',
    );
    const opened = only(eventsOf(engine, waiting.run), 'gate.opened')[0]?.decision;
    expect(JSON.stringify(opened)).toContain('"code","discover","none"');
    expect(JSON.stringify(opened)).not.toContain('"describe"');
  });

  it('is replaced by the capability that a person chooses, with arguments renamed to its contract', async () => {
    const engine = engineOver();
    const frame = { missing: ['ask'], capabilities: ['data.validate', 'data.aggregate', 'data.transform'] };
    const planner: JsonObject = {
      kind: 'fixed',
      fragment: {
        steps: [
          {
            name: 'sum',
            capability: 'numbers.transform',
            description: 'Transform the data',
            input: { Expr: '(+ 1 2)', data: null },
          },
        ],
      },
    };
    const { run } = await start(engine, planner, frame);
    expect(await decide(engine, run, 'g1', answered('data.transform'))).toMatchObject({
      status: 'completed',
      output: { sum: 3 },
    });
  });

  it('is replaced by code that a person writes, after the code compiles and is approved', async () => {
    const engine = engineOver();
    const { run } = await start(engine, wants(), { missing: ['ask'] });
    const wrong = await decide(engine, run, 'g1', answered('code', '(str/upper-case'));
    expect(wrong?.gates?.[0]).toMatchObject({ gate: 'g2', kind: 'clarification' });
    expect(wrong?.gates?.[0]?.prompt).toContain('the code is not valid');
    const shown = await decide(engine, run, 'g2', answered('code', '(str/upper-case (:text data/input))'));
    expect(shown?.gates).toMatchObject([{ gate: 'g3', kind: 'synthesis' }]);
    const report = await decide(engine, run, 'g3', { verdict: 'approve' });
    expect(report).toMatchObject({ status: 'completed', output: { shout: 'OH' } });
    const [registered] = only(eventsOf(engine, run), 'capability.registered');
    expect(registered?.capability.input).toMatchObject({
      required: ['text'],
      properties: { text: { type: 'string' } },
    });
  });

  it('ends the plan as impossible when a person answers `none`', async () => {
    const engine = engineOver();
    const { run } = await start(engine, wants(), { missing: ['ask'] });
    const report = await decide(engine, run, 'g1', answered('none'));
    expect(report?.status).toBe('failed');
    const failed = only(eventsOf(engine, run), 'step.failed')[0]?.failure;
    expect(failed).toMatchObject({ code: 'PLAN_IMPOSSIBLE' });
    expect(failed?.message).toContain('no capability serves "Write the text in capitals"');
  });

  it('is not found at an address that the template does not allow, and the question is asked again', async () => {
    const engine = engineOver();
    const { run } = await start(engine, wants(), { missing: ['ask'] });
    const again = await decide(engine, run, 'g1', answered('discover', 'http://127.0.0.1:1/mcp'));
    expect(again?.gates?.[0]?.prompt).toContain('nothing was found at "http://127.0.0.1:1/mcp"');
  });
});

const written = (lisp: string, output: Json) => ({
  description: 'Writes a text in capitals.',
  input: shout.input,
  output: shout.output,
  lisp,
  examples: [{ input: { text: 'a' }, output }],
});
const says = (...answers: readonly Json[]) => scriptedModel(answers.map((each) => ({ reply: { json: each } })));
const models = { thinker: { provider: 'openai', model: 'thinker', prices: { input: '$1', output: '$1' } } };

describe('a capability that a model writes', () => {
  it('is tested on its own examples, corrected, and approved before it runs', async () => {
    const thinker = says(written('(:text data/input)', 'A'), written(shout.lisp, 'A'));
    const engine = engineOver(openMemoryJournal(), { thinker });
    const waiting = await start(engine, wants(), { missing: ['synthesize'], models });
    expect(waiting.gates).toMatchObject([{ kind: 'synthesis' }]);
    expect(JSON.stringify(thinker.asked[1]?.messages.at(-1))).toContain('example 1 returns');
    const report = await decide(engine, waiting.run, 'g1', { verdict: 'approve' });
    expect(report).toMatchObject({ status: 'completed', output: { shout: 'OH' }, spent: { llm_calls: 2 } });
    expect(thinker.asked).toHaveLength(2);
  });

  it('may follow the description that a person writes', async () => {
    const thinker = says(written(shout.lisp, 'A'));
    const engine = engineOver(openMemoryJournal(), { thinker });
    const { run } = await start(engine, wants(), { missing: ['ask'], models });
    const shown = await decide(engine, run, 'g1', answered('describe', 'every letter becomes a capital'));
    expect(shown?.gates).toMatchObject([{ kind: 'synthesis' }]);
    expect(JSON.stringify(thinker.asked[0]?.messages)).toContain('every letter becomes a capital');
  });
});

describe('a model that plans', () => {
  const plan = {
    capabilities: [shout],
    steps: [{ name: 'shout', capability: 'text.shout', input: { text: 'oh' } }],
  };

  it('learns from the request that it may define a capability, and defines it in one answer', async () => {
    const thinker = says(plan);
    const engine = engineOver(openMemoryJournal(), { thinker });
    const waiting = await start(engine, { kind: 'llm' }, { missing: ['synthesize'], models });
    expect(waiting.gates).toMatchObject([{ kind: 'synthesis' }]);
    const [asked] = thinker.asked;
    expect(asked?.answer?.schema).toHaveProperty(['properties', 'capabilities', 'items', 'required']);
    expect(JSON.stringify(asked?.messages[0])).toContain('the fragment may bring one');
    const report = await decide(engine, waiting.run, 'g1', { verdict: 'approve' });
    expect(report).toMatchObject({ status: 'completed', output: { shout: 'OH' }, spent: { llm_calls: 1 } });
  });

  it.each([[['suggest']], [['ask']], [undefined]])(
    'learns nothing of this option when missing is %j',
    async (missing) => {
      const thinker = says({ impossible: 'no' });
      const frame = { ...(missing === undefined ? {} : { missing }), models };
      await start(engineOver(openMemoryJournal(), { thinker }), { kind: 'llm' }, frame);
      const [asked] = thinker.asked;
      expect(asked?.answer?.schema).not.toHaveProperty(['properties', 'capabilities']);
      expect(JSON.stringify(asked?.messages[0])).not.toContain('bring one along');
    },
  );
});

describe('a suggestion', () => {
  it('names the address of a server and the permissions that it needs, and is recorded', async () => {
    const suggestion = {
      kind: 'server',
      name: 'shouter',
      url: 'https://tools.example/mcp',
      input: shout.input,
      output: shout.output,
      permissions: ['network tools.example'],
      why: 'it writes texts large',
    };
    const engine = engineOver(openMemoryJournal(), { thinker: says(suggestion) });
    const report = await start(engine, wants(), { missing: ['suggest'], models });
    const failed = only(eventsOf(engine, report.run), 'step.failed')[0]?.failure;
    expect(failed?.message).toContain(
      'suggested: server "shouter" at https://tools.example/mcp: it writes texts large; needs network tools.example',
    );
    expect(only(eventsOf(engine, report.run), 'plan.proposed')[0]?.reply).toMatchObject({
      value: { suggestions: [suggestion] },
    });
  });

  it('is the nearest capability when there is no model, and is part of the next question', async () => {
    const engine = engineOver();
    const planner = wants({ folder: '.' });
    const frame = { missing: ['suggest', 'ask'], capabilities: ['files.list', 'text.count'] };
    const fragment = {
      steps: [{ name: 'look', capability: 'disk.list', description: 'List the files', input: { folder: '.' } }],
    };
    const waiting = await start(engine, { ...planner, fragment }, frame);
    expect(waiting.gates?.[0]?.prompt).toContain('suggested: tool "files.list": it comes nearest');
  });
});

describe('a task of a goal that no capability serves', () => {
  it('makes the run ask a person, like an unknown capability of a plan', async () => {
    const engine = engineOver();
    const frame = { missing: ['ask'], capabilities: ['text.count'] };
    const waiting = await start(engine, { kind: 'pattern' }, frame, 'Send a greeting to "Ada"');
    expect(waiting.gates?.[0]?.prompt).toContain('Nothing here does "Send a greeting');
    const shown = await decide(engine, waiting.run, 'g1', answered('code', '(str "done: " (:task data/input))'));
    expect(shown?.gates).toMatchObject([{ kind: 'synthesis' }]);
    const report = await decide(engine, waiting.run, 'g2', { verdict: 'approve' });
    expect(report?.status).toBe('completed');
    expect(JSON.stringify(report?.output)).toContain('done: Send a greeting');
  });
});

it('a goal may start without a model when `missing: [ask]` lets a person help', async () => {
  const engine = engineOver();
  const begun = await engine.pursue('Send a greeting to "Ada"', { frame: { missing: ['ask'] } });
  const report = begun.ok ? await begun.value.done : undefined;
  expect(report?.gates).toMatchObject([{ kind: 'clarification' }]);
});

describe('a tool of a server without a grant', () => {
  it('is found at the address that a person names, and is called when another process continues the run', async () => {
    const remote = await rogueHttp();
    const { host } = new URL(remote.server.url);
    const journal = openMemoryJournal();
    const frame = {
      missing: ['ask'],
      http: { allow: [host], private: true },
      capabilities: ['text.count'],
      effects: { allowed: ['write', 'read'] },
    };
    const fragment = {
      steps: [
        { name: 'look', type: 'human_review', prompt: 'Go on?' },
        { name: 'read', capability: 'notes.read', description: 'Read', dependencies: ['look'] },
      ],
    };
    const { run } = await start(engineOver(journal), { kind: 'fixed', fragment }, frame);
    const grafted = await decide(engineOver(journal), run, 'g1', answered('discover', remote.server.url));
    expect(grafted?.gates).toMatchObject([{ kind: 'review' }]);
    const engine = engineOver(journal);
    const report = await decide(engine, run, 'g2', { verdict: 'approve' });
    expect(report).toMatchObject({ status: 'completed', output: { read: 'did read' } });
    expect(only(eventsOf(engine, run), 'capability.registered')).toMatchObject([
      { capability: { origin: { tool: 'read', url: remote.server.url } } },
    ]);
  });
});
