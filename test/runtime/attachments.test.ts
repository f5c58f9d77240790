// Attachments are references that a step receives; a person is asked about missing files before the step runs.
import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import type { RunOrder } from '../../src/engine/record/order.schema.ts';
import { scriptedModel } from '../../src/llm/scripted-model.ts';
import { engineOf, good, pathTo } from './set-up.ts';

/** Returns its input and its attachments. */
const told = defineCapability({
  name: 'work',
  description: 'Tells what it is about.',
  effects: ['compute'],
  run: (input: Json, { attachments }) => ({ input, about: attachments.map((each): Json => ({ ...each })) }),
});

function document(step: JsonObject, more: JsonObject = {}): JsonObject {
  return { reconverge: 1, name: 'about', roots: ['.'], steps: [{ name: 'look', ...step }], ...more };
}

const answer = (value: Json, gate = 'g1'): RunOrder => ({ type: 'review', gate, verdict: 'answer', value, by: 'ada' });
const resultOf = (output: Json): JsonObject => (output as JsonObject).look as JsonObject;

async function run(template: JsonObject, input: Json = {}) {
  const engine = engineOf({ capabilities: [told] });
  const report = await good(await engine.start(good(await engine.load(template)), { input })).done;
  return { engine, report };
}

describe('a step with attachments', () => {
  const spec = { kind: 'link', ref: 'https://example.com/spec.pdf', label: 'the spec' };

  it('passes links and existing files to its capability unchanged', async () => {
    writeFileSync(pathTo('a.csv'), 'a');
    const { report } = await run(document({ handler: 'work', attachments: [spec, 'a.csv', '{{ input.file }}'] }), {
      file: 'a.csv',
    });
    expect(resultOf(report.output)).toEqual({
      input: {},
      about: [spec, { kind: 'file', ref: 'a.csv' }, { kind: 'file', ref: 'a.csv' }],
    });
  });

  it('waits while a file is missing, until a person names an existing file', async () => {
    mkdirSync(pathTo('data'));
    writeFileSync(pathTo('data', 'orders.csv'), 'a');
    const { engine, report } = await run(
      document({ handler: 'work', input: { n: 1 }, attachments: ['data/order.csv'] }),
    );
    expect(report).toMatchObject({ status: 'waiting', gates: [{ kind: 'clarification', step: 'look' }] });
    expect(report.gates?.[0]?.prompt).toMatch(
      /^"data\/order.csv" is not there; did you mean "orders.csv"\? Which file is meant\?/,
    );
    const wrong = good(await engine.order(report.run, answer('data/gone.csv')));
    const again = await wrong.handle?.done;
    expect(again).toMatchObject({ status: 'waiting', gates: [{ gate: 'g2' }] });
    const right = good(await engine.order(report.run, answer('data/orders.csv', 'g2')));
    expect(resultOf((await right.handle?.done)?.output ?? null)).toEqual({
      input: { n: 1 },
      about: [{ kind: 'file', ref: 'data/orders.csv' }],
    });
  });

  it('replaces the missing file in its input by the file that a person names', async () => {
    writeFileSync(pathTo('b.csv'), 'b');
    const input = { path: 'a.csv', note: 'not a.csv', all: ['a.csv'] };
    const { engine, report } = await run(document({ handler: 'work', input, attachments: ['a.csv'] }));
    const { handle } = good(await engine.order(report.run, answer('b.csv')));
    expect(resultOf((await handle?.done)?.output ?? null).input).toEqual({
      path: 'b.csv',
      note: 'not a.csv',
      all: ['b.csv'],
    });
  });

  it('runs without a missing file when a person answers with no file', async () => {
    const { engine, report } = await run(
      document({ handler: 'work', attachments: [spec, { kind: 'image', ref: 'gone.png' }] }),
    );
    const { handle } = good(await engine.order(report.run, answer('')));
    expect(resultOf((await handle?.done)?.output ?? null).about).toEqual([spec]);
  });

  it('asks a person about a file outside the granted folders', async () => {
    const { report } = await run(document({ handler: 'work', attachments: ['/etc/hostname'] }));
    expect(report.gates?.[0]?.prompt).toMatch(/lies outside the granted folders/);
  });

  it('fails when the reference of an attachment is not a text', async () => {
    const { report } = await run(document({ handler: 'work', attachments: ['{{ input.n }}'] }), { n: 7 });
    expect(report).toMatchObject({ status: 'failed', failure: { code: 'ATTACHMENT_INVALID' } });
  });

  it('lists its attachments in the request to its agent', async () => {
    writeFileSync(pathTo('a.csv'), 'a');
    const model = scriptedModel([{ reply: { text: 'seen' } }]);
    const engine = engineOf({ models: { default: model } });
    const template = document(
      { agent: 'default', description: 'Look.', attachments: [spec, 'a.csv'] },
      { models: { default: { model: 'scripted', prices: { input: 1, output: 1 } } } },
    );
    const report = await good(await engine.start(good(await engine.load(template)))).done;
    expect(report).toMatchObject({ status: 'completed', output: { look: 'seen' } });
    expect(model.asked[0]?.messages.at(-1)?.content).toContain(
      'Attachments, by reference:\n- link https://example.com/spec.pdf (the spec)\n- file a.csv',
    );
  });

  it('asks a person about a missing file before it sends a request to a model', async () => {
    const model = scriptedModel([]);
    const engine = engineOf({ models: { default: model } });
    const template = document(
      { agent: 'default', attachments: ['gone.csv'] },
      { models: { default: { model: 'scripted', prices: { input: 1, output: 1 } } } },
    );
    const report = await good(await engine.start(good(await engine.load(template)))).done;
    expect(report).toMatchObject({ status: 'waiting', gates: [{ kind: 'clarification' }] });
    expect(model.asked).toEqual([]);
  });
});
