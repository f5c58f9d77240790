// Compositions played without effects: what only computes is computed, and the rest is given or made up.
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import { byNameOnly, catalog } from '../../src/capabilities/catalog/catalog.ts';
import { compose } from '../../src/capabilities/composition.ts';
import { playComposition } from '../../src/capabilities/play-composition.ts';
import { readComposition } from '../../src/template/keys/composition.ts';

const sent: Json[] = [];
const send = defineCapability({
  name: 'mail.send',
  description: 'Sends a mail.',
  input: '{text :string}',
  output: '{id :int}',
  effects: ['write'],
  run: (input) => {
    sent.push(input);
    return { id: 1 };
  },
});
const parts = new Map([...catalog, ...byNameOnly, send].map((each) => [each.declaration.name, each]));

const mailed = {
  name: 'mail.total',
  description: 'Mails a total.',
  input: '{path :string}',
  output: '{id :int, total :number}',
  steps: [
    { name: 'rows', call: 'csv.read', input: { path: '{{ input.path }}' } },
    {
      name: 'total',
      call: 'data.transform',
      input: { expr: '(sum-by :n data/input)', data: '{{ results.rows.rows }}' },
    },
    { name: 'wait', call: 'wait.until', input: { for: '90d' } },
    { name: 'mail', call: 'mail.send', input: { text: '${secret.WHO}: {{ results.total }}' } },
  ],
  result: { id: '{{ results.mail.id }}', total: '{{ results.total }}' },
};
const table = { path: 'a.csv', columns: ['n'], rows: [{ n: 3 }, { n: 4 }], skipped: 0, complete: true };

async function play(stubs: { steps?: JsonObject; capabilities?: JsonObject }, given?: Json) {
  const spec = readComposition(mailed);
  const made = spec === undefined ? undefined : compose(spec, parts);
  if (spec === undefined || made?.ok !== true) throw new Error(JSON.stringify(made));
  return playComposition(spec, made.value.declaration, parts, { steps: {}, capabilities: {}, ...stubs }, given);
}

describe('a play of a composition', () => {
  test('runs pure calls, waits for nothing, and has no effects', async () => {
    const played = await play({ steps: { rows: table }, capabilities: { 'mail.send': { id: 7 } } }, { path: 'a.csv' });
    expect(played).toMatchObject({ input: { path: 'a.csv' }, output: { id: 7, total: 7 } });
    expect(played.calls.map(({ name, from }) => [name, from])).toEqual([
      ['rows', 'its stub'],
      ['total', 'computed'],
      ['wait', 'its contract'],
      ['mail', 'the stub of the capability'],
    ]);
    expect(played.calls.at(-1)?.input).toEqual({ text: '${secret.WHO}: 7' });
    expect(sent).toEqual([]);
  });

  test('invents missing values from contracts, its own input included', async () => {
    expect(await play({ steps: { rows: table } })).toMatchObject({ input: { path: 'text' }, output: { total: 7 } });
  });

  test('fails like a real one: at a contract, or in a pure call', async () => {
    expect(await play({}, { pth: 'a.csv' })).toMatchObject({ calls: [], failure: { code: 'INPUT_INVALID' } });
    expect(await play({ steps: { rows: { rows: 3 } } })).toMatchObject({
      failure: { code: 'OUTPUT_INVALID', message: expect.stringMatching(/^rows: /) },
    });
    const wrong = { ...table, rows: [{ n: 'x' }] };
    expect(await play({ steps: { rows: wrong } })).toMatchObject({
      failure: { code: expect.stringMatching(/^LISP_/), message: expect.stringMatching(/^total: /) },
    });
  });
});
