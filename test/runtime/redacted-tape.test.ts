// Cassettes without secrets: the file holds no secret from any source, and the recording can be replayed with another secret.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import { scriptedModel } from '../../src/llm/scripted-model.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { engineOf, good, pathTo } from './set-up.ts';

const declared = 'declared-4711"\\quoted';
const around = 'around-0815-0815';
const given = 'hunter2';
const surroundings = { VAULT: declared, DEPLOY_TOKEN: around, HOME: '/a/long/path/of/no/secret' };

const template = `reconverge: 1
name: leaky
models: { default: { model: scripted, prices: { input: $0, output: $0 } } }
steps:
  - name: early
    handler: say
    input: { said: "{{ input.aside }}" }
  - name: late
    handler: say
    after: early
    input: { said: "\${secret.VAULT} \${env.DEPLOY_TOKEN} \${env.HOME}", login: "{{ input.login }}", apiKey: written-1234 }
  - name: ask
    agent: default
    after: late
    description: Repeat it.
    input: { late: "{{ results.late }}", login: "{{ input.login }}" }
`;

const say = defineCapability({
  name: 'say',
  description: 'Says what it was given.',
  effects: ['compute'],
  run: (input: Json) => ({ said: input }),
});

const input = (password: string): Json => ({ aside: `by the way: ${declared}`, login: { user: 'ann', password } });

async function ran(settings: { readonly record?: string; readonly replay?: string }, password: string) {
  writeFileSync(pathTo('leaky.yaml'), template);
  const model = scriptedModel([{ reply: { text: `${given} ${around} ${JSON.stringify(declared)}` } }]);
  const engine = engineOf({
    journal: openMemoryJournal(),
    capabilities: [say],
    models: { default: model },
    surroundings,
  });
  const loaded = good(await engine.load('leaky.yaml'));
  return good(await engine.start(loaded, { input: input(password), ...settings })).done;
}

describe('a cassette', () => {
  it('holds no secret from the environment, an input, the template, an earlier step or an answer of a model', async () => {
    expect(await ran({ record: 'tape.json' }, given)).toMatchObject({ status: 'completed' });
    const text = readFileSync(pathTo('tape.json'), 'utf8');
    for (const secret of ['declared-4711', 'quoted', around, given, 'written-1234']) expect(text).not.toContain(secret);
    expect(text).toContain('by the way: ***');
    expect(text).toContain('/a/long/path/of/no/secret');
    expect(text).toContain('ann');
  });

  it('is replayed with another secret than the recorded one', async () => {
    await ran({ record: 'tape.json' }, given);
    const { status, failure } = await ran({ replay: 'tape.json' }, 'another one');
    expect({ status, failure }).toEqual({ status: 'completed', failure: undefined });
  });
});
