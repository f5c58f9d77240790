// Pieces of models' answers reach a listener while they arrive: without reasoning and secrets, and never into the journal.
import { writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import type { ModelDelta } from '../../src/engine/record/model-delta.ts';
import type { Script } from '../../src/llm/script.ts';
import { scriptedModel } from '../../src/llm/scripted-model.ts';
import type { EngineOptions } from '../../src/runtime/api/engine-options.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { type ModelServerOptions, openModelServer } from '../../src/testing/model-server.ts';
import { engineOf, good, hurried, pathTo } from './set-up.ts';

const priced = 'prices: { input: $1, output: $1 }';
const head = `reconverge: 1\nname: tells\nmodels: { default: { model: scripted, ${priced} } }\n`;
const asking = `${head}steps:\n  - { name: ask, agent: default, description: Tell a story. }\n`;

interface Told {
  readonly deltas: readonly ModelDelta[];
  readonly result: Json | undefined;
  readonly events: readonly Json[];
}

async function told(text: string, options: EngineOptions, onDelta?: (delta: ModelDelta) => void): Promise<Told> {
  writeFileSync(pathTo('template.yaml'), text);
  const deltas: ModelDelta[] = [];
  const engine = engineOf({ journal: openMemoryJournal(), clock: hurried(), ...options });
  const listener = (delta: ModelDelta): void => {
    deltas.push(delta);
    onDelta?.(delta);
  };
  const handle = good(await engine.start(good(await engine.load('template.yaml')), { onDelta: listener }));
  const { output } = await handle.done;
  const events = good(engine.read(handle.id)).events.map((each) => JSON.parse(JSON.stringify(each)) as Json);
  return { deltas, result: output, events };
}

/** The text of each call that a listener has in the end, by step and call. */
function textsOf(deltas: readonly ModelDelta[]): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const { step, attempt, call, text, replaces } of deltas) {
    const key = `${step} ${attempt}.${call}`;
    texts[key] = replaces ? text : (texts[key] ?? '') + text;
  }
  return texts;
}

const playing = (script: Script): EngineOptions => ({ models: { default: scriptedModel(script) } });

describe('a listener of deltas', () => {
  it('gets the text of each call in pieces, with its place in the run, and an end', async () => {
    const story = 'Once upon a time there was a harbor, and it was open.';
    const { deltas, result } = await told(asking, playing([{ reply: { text: story } }]));
    expect(deltas.length).toBeGreaterThan(3);
    expect(textsOf(deltas)).toEqual({ 'ask 1.1': story });
    expect(result).toEqual({ ask: story });
    expect(deltas[0]).toEqual({
      run: expect.any(String),
      step: 'ask',
      attempt: 1,
      call: 1,
      model: 'default',
      purpose: 'turn',
      text: expect.stringMatching(/^Once/),
    });
    expect(deltas.map(({ isLast }) => isLast === true)).toEqual([...deltas.slice(1).map(() => false), true]);
  });

  it('hears the end of a call that failed, and its retry as another call', async () => {
    const script: Script = [
      { reply: { fail: { cut: 'Once upon a time ' } } },
      { reply: { text: 'It was open all day.' } },
    ];
    const { deltas } = await told(asking, playing(script));
    expect(textsOf(deltas)).toEqual({ 'ask 1.1': 'Once upon a time ', 'ask 1.2': 'It was open all day.' });
    expect(deltas.filter(({ isLast }) => isLast).map(({ call }) => call)).toEqual([1, 2]);
  });

  it('never gets reasoning, whichever marks a server streams', async () => {
    const text = '<think>RRR, the user wants RRR.</think>\nThe harbor opens at six.';
    const { deltas, result } = await told(asking, playing([{ reply: { text } }]));
    expect(deltas.map((delta) => delta.text).join('')).toBe('The harbor opens at six.');
    expect(result).toEqual({ ask: 'The harbor opens at six.' });
  });

  it('gets no more reasoning from a model that has once left out the opening mark', async () => {
    const two = `${asking}  - { name: more, agent: default, dependencies: [ask], description: Tell more. }\n`;
    const reply = { text: 'The harbor RRR it seems RRR.</think>It opens at six.' };
    const { deltas } = await told(two, playing([{ reply }, { reply }]));
    expect(textsOf(deltas)).toEqual({ 'ask 1.1': 'It opens at six.', 'more 1.1': 'It opens at six.' });
    expect(deltas.filter(({ step }) => step === 'more').some(({ text }) => text.includes('R'))).toBe(false);
  });

  it('gets no part of a secret, also where it is cut between two pieces', async () => {
    const hidden = 'sk-live 0815/4711+secret';
    const tells = defineCapability({
      name: 'reads',
      description: 'Reads a key.',
      effects: ['read'],
      run: (_, { secret }) => ({ length: secret('HARBOR_KEY').length }),
    });
    const text = `${head}steps:
  - { name: key, handler: reads, input: {} }
  - { name: ask, agent: default, dependencies: [key], description: Tell a story. }
`;
    const { deltas, result } = await told(text, {
      ...playing([{ reply: { text: `The key is ${hidden}, keep it well.` } }]),
      surroundings: { HARBOR_KEY: hidden },
      capabilities: [tells],
    });
    expect(textsOf(deltas)).toEqual({ 'ask 1.1': 'The key is ***, keep it well.' });
    expect(deltas.some((delta) => /sk-|live|0815|4711/.test(delta.text))).toBe(false);
    expect(result).toMatchObject({ ask: 'The key is ***, keep it well.' });
  });

  it('that throws becomes one warning, and the run goes on', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const { result } = await told(asking, playing([{ reply: { text: 'Once upon a time.' } }]), () => {
      throw new Error('no more room');
    });
    expect(result).toEqual({ ask: 'Once upon a time.' });
    expect(warn.mock.calls.map(([message]) => String(message))).toEqual([
      expect.stringMatching(/^onDelta of run \w+ failed, and the run goes on: no more room/),
    ]);
    warn.mockRestore();
  });

  it('is told of the calls of child runs, under their own ids', async () => {
    writeFileSync(pathTo('inner.yaml'), asking.replace('name: tells', 'name: inner'));
    const outer = `reconverge: 1\nname: outer\ncapabilities: [{ template: ./inner.yaml }]\nsteps:\n  - { name: sub, handler: inner }\n`;
    const { deltas } = await told(outer, playing([{ reply: { text: 'Once upon a time.' } }]));
    expect(textsOf(deltas)).toEqual({ 'ask 1.1': 'Once upon a time.' });
  });
});

describe('a run with a listener', () => {
  const options: readonly (readonly [string, ModelServerOptions])[] = [
    ['whole', { script: [{ reply: { text: '<think>Hm.</think>Once upon a time.' } }] }],
    [
      'after a retry',
      { script: [{ reply: { fail: { status: 503, retryAfter: 1 } } }, { reply: { text: 'Once upon a time.' } }] },
    ],
  ];

  it.each(options)('keeps the same events as one without, when the answer comes %s', async (_, given) => {
    const journals: (readonly Json[])[] = [];
    for (const isHeard of [true, false]) {
      const server = await openModelServer(given);
      const text = asking.replace('model: scripted', `model: scripted, base_url: "${server.url}"`);
      writeFileSync(pathTo('template.yaml'), text);
      const engine = engineOf({ journal: openMemoryJournal() });
      const heard = isHeard ? { onDelta: () => undefined } : {};
      const handle = good(await engine.start(good(await engine.load('template.yaml')), heard));
      expect((await handle.done).status).toBe('completed');
      const events = good(engine.read(handle.id)).events.map(({ event }) => event);
      const plain = JSON.stringify(events).replaceAll(handle.id, 'RUN').replaceAll(server.url, 'URL');
      journals.push(JSON.parse(plain.replace(/"(?:template|request|retryAt|port)":[^,}]*/g, '"kept":0')) as Json[]);
      const streams = server.requests.map(({ body }) => JSON.stringify(body).includes('"stream":true'));
      expect(new Set(streams)).toEqual(new Set([isHeard]));
      await server.close();
    }
    expect(journals[0]).toEqual(journals[1]);
  });
});
