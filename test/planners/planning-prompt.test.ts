// The prompt of a planning model: its size, the bytes that stay the same, and the example in it.
import { join } from 'node:path';
import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { afterAll, describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Json } from '../../src/base/json.ts';
import { good } from '../../src/base/result.ts';
import { catalog } from '../../src/capabilities/catalog/catalog.ts';
import { type Declaration, type Effect, effects } from '../../src/contract/declaration.ts';
import { frameBeforeRun } from '../../src/engine/packet/frame-before-run.ts';
import type { AskModel } from '../../src/engine/record/effect.ts';
import type { Message } from '../../src/model/request.ts';
import { lookedUp } from '../../src/planners/llm/catalogue.ts';
import { exampleFragment } from '../../src/planners/llm/planning-example.ts';
import { requestText } from '../../src/planners/llm/planning-message.ts';
import { planningSystem } from '../../src/planners/llm/planning-system.ts';
import { type Brief, briefOf } from '../../src/planning/brief.ts';
import type { Fragment } from '../../src/planning/fragment.ts';
import { readFragment } from '../../src/planning/read-fragment.ts';
import { review } from '../../src/planning/review.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import type { Template } from '../../src/template/template.ts';
import { World } from '../../src/testing/world.ts';
import { typed } from '../contract/arbitraries.ts';
import { askedOf, plans, says } from '../engine/models-say.ts';
import { agentOf, templateOf, thinker } from '../engine/template-of.ts';
import { framed } from '../planning/given-frame.ts';
import { root } from '../sources.ts';

const engine = createEngine({ folder: root, journal: openMemoryJournal(), surroundings: { OPENAI_API_KEY: 'none' } });
afterAll(() => engine.close());
const tokens = new Tiktoken(o200k);

/** The template of `npm run demo`, planned by a model that may use all capabilities of the catalog. */
async function demoTemplate(): Promise<Template> {
  const loaded = await engine.load(join('templates', 'recon-then-execute.yaml'), { environment: 'llm' });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const steps = loaded.value.steps.map((step) =>
    step.planning === undefined ? step : { ...step, planning: { ...step.planning, allow: [] } },
  );
  return { ...loaded.value, steps };
}

function briefBefore(template: Template, name: string): Brief {
  const frame = present(frameBeforeRun(template, name), name);
  const goal = template.steps.find((step) => step.name === name)?.planning?.goal;
  return briefOf({ frame, attempt: 1, goal, input: { folder: 'templates/data/shop' }, packet: {}, constraints: [] });
}

describe('the prompt of the demonstration with the 30 capabilities of the catalog', () => {
  const promptOf = async (name: string) => {
    const template = await demoTemplate();
    const system = planningSystem(template, false);
    return { system, text: `${system.prompt.text}\n${requestText(briefBefore(template, name), system.listed)}` };
  };

  it.each(['plan_recon', 'plan_execution'])(
    'takes at most 2,500 tokens for %s, as o200k_base counts them',
    async (name) => {
      const { system, text } = await promptOf(name);
      expect(system.listed.size).toBe(30);
      expect(tokens.encode(text).length).toBeLessThanOrEqual(2_500);
    },
  );

  it('shows the capabilities in about 6,000 characters', async () => {
    const { text } = await promptOf('plan_recon');
    const [, block = ''] = /<data name="capabilities">\n(.*?)\n<\/data>/s.exec(text) ?? [];
    expect(block.split('\n')).toHaveLength(30);
    expect(block.length).toBeLessThan(6_000);
  });

  it('is the same for both planning steps up to their goals', async () => {
    const [one, other] = [await promptOf('plan_recon'), await promptOf('plan_execution')];
    expect(other.system).toEqual(one.system);
  });
});

describe('the messages of a planning step', () => {
  const grants: readonly Declaration[] = catalog.map(({ declaration }) => declaration);
  const nested = { name: 'later', type: 'planning', goal: 'Find out more.' };
  const step = (name: string, more: object): Json => JSON.parse(JSON.stringify({ name, ...more }));
  const wait = step('look', { capability: 'wait.until', input: { for: '1s' } });

  /** Runs a template whose planner answers with these plans in turn. */
  function messagesOf(answers: readonly Json[]): readonly (readonly Message[])[] {
    const template = templateOf({
      steps: [
        { name: 'plan', planning: { target: 'end', planner: { kind: 'llm' }, goal: 'Find out.' } },
        {
          name: 'end',
          type: 'deferred',
          after: ['plan'],
          convergence: { policy: 'all_settled', early: false, onExhaustion: 'converge' },
        },
      ],
      models: { default: thinker },
      agents: [agentOf({ name: 'reader', description: 'Reads.', tools: ['files.read'] })],
      capabilities: grants,
      budget: { limit: { llm_calls: 50, cost_usd: 5_000_000 } },
    });
    let next = 0;
    const answer = (_: AskModel) => says(answers[next++] ?? { steps: [] });
    const world = new World(template, {
      perform: (work) =>
        work.type === 'ask-planner' ? plans(template, work) : work.type === 'ask-model' ? answer(work) : good({}),
    });
    world.begin().run();
    return askedOf(world).map(({ request }) => request.messages);
  }

  it('share at least 80 % of their bytes with the first attempt', () => {
    const [first = [], second = []] = messagesOf([
      { steps: [step('look', { capability: 'csv.snif' })] },
      { steps: [wait] },
    ]);
    expect(second.slice(0, first.length)).toEqual(first);
    const [before, after] = [JSON.stringify(first), JSON.stringify(second)];
    expect(before.length / after.length).toBeGreaterThan(0.8);
  });

  it('begin with the same system message in every attempt, look and nested step', () => {
    const wrong = step('a', { capability: 'csv.snif' });
    const answer = fc.constantFrom<Json>(
      { steps: [wrong] },
      { steps: [{ ...(wrong as object), name: 'b' }] as Json },
      'no plan',
      { look: [{ capability: 'csv.*' }] },
      { steps: [wait, nested] },
    );
    fc.assert(
      fc.property(fc.array(answer, { maxLength: 8 }), (answers) => {
        const asked = messagesOf(answers);
        expect(new Set(asked.map(([system]) => system?.content)).size).toBe(1);
        for (const messages of asked)
          expect(messages.slice(2).map(({ role }) => role)).toEqual(alternating(messages.length - 2));
      }),
      { numRuns: 20 },
    );
  });
});

function alternating(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => (at % 2 === 0 ? 'assistant' : 'user'));
}

describe('a catalogue of more than a hundred capabilities', () => {
  const tool = (name: string, description: string): Declaration => ({
    ...{ name, description, effects: ['read'], tags: [], cost: {} },
    input: { type: 'object', properties: { id: { type: 'string', maxLength: 9 } }, required: ['id'] },
  });
  const capabilities = [
    ...Array.from({ length: 90 }, (_, at) => tool(`crm.do_${at}`, `Does the thing number ${at}.`)),
    ...Array.from({ length: 30 }, (_, at) => tool(`wiki.note_${at}`, `Writes the note number ${at}.`)),
    tool('git.merge_branch', 'Merge a branch.'),
  ];
  const template = templateOf({
    steps: [
      { name: 'plan', planning: { target: 'end', planner: { kind: 'llm' } } },
      { name: 'end', after: ['plan'] },
    ],
    models: { default: thinker },
    capabilities,
  });
  const { prompt, listed } = planningSystem(template, false);
  const given = { ...briefBefore(template, 'plan'), goal: 'Merge the branch' };

  it('is named by server and number in the system message, and by what is nearest to the goal in the request', () => {
    expect(prompt.text).toContain('<data name="servers">\ncrm 90\ngit 1\nwiki 30\n</data>');
    expect(prompt.text).not.toContain('crm.do_1(');
    const request = requestText(given, listed);
    expect(request).toContain('121 capabilities; nearest to the goal:');
    expect(request).toContain('git.merge_branch(id) -> :any: Merge a branch');
    expect(request.match(/^[a-z]+\.\w+\(/gm)?.length).toBeLessThanOrEqual(20);
  });

  it('is shown in full to a step that may use only few of it', () => {
    const few = given.capabilities.filter(({ name }) => name.startsWith('wiki.'));
    expect(requestText({ ...given, capabilities: few }, listed).match(/^wiki\.\w+\(/gm)).toHaveLength(30);
  });

  it.each([
    ['a name, with its whole contract', 'git.merge_branch', /"maxLength":9/],
    ['a pattern', 'wiki.*', /^wiki\.note_29\(id\)/m],
    ['a server', 'crm', /^crm\.do_89\(id\)/m],
    ['words', 'merge a branch', /git\.merge_branch/],
    ['words that nothing fits', 'zebra', /^no capability is called "zebra"/],
  ])('is looked up by %s', (_, wanted, shown) => {
    expect(lookedUp(wanted, given.capabilities)).toMatch(shown);
  });
});

describe('a template without a model for new agents', () => {
  it('has a prompt that allows no new agents, and an example without one', () => {
    const template = templateOf({ steps: [], models: { careful: thinker, quick: thinker } });
    const { text } = planningSystem(template, false).prompt;
    expect(text).toContain('# Agents\nNew agents have no model here: define none.');
    expect(text).not.toContain('"agent":');
  });
});

describe('the example in the prompt', () => {
  const accepted = (fragment: Json, declarations: Readonly<Record<string, Declaration>>) => {
    const read = readFragment(fragment, declarations);
    if (!read.ok || !('steps' in read.value)) return read;
    const within = { declarations, outside: new Map(), critic: 'strict', kind: 'llm' } as const;
    return [within, { ...within, isMission: true } as const].flatMap(
      (each) => review(read.value as Fragment, framed(each)).issues,
    );
  };

  const lineOf = ({ name, description, effects: own, input, output }: Declaration) => ({
    ...{ name, description, effects: own },
    ...(input && { input }),
    ...(output && { output }),
  });

  it('calls a capability, refers to its result and verifies it', () => {
    const fragment = exampleFragment(
      catalog.map(({ declaration }) => lineOf(declaration)),
      true,
    );
    expect(fragment).toMatchObject({
      steps: [
        { capability: 'files.list', verification: '(seq (:files data/result))' },
        { agent: 'default', input: { found: '{{ results.list.files }}' } },
      ],
    });
  });

  it('is accepted by the review for any capabilities, with and without agents', () => {
    const declaration = fc.record({
      name: fc.constantFrom('a.read', 'b.list_all', 'c.x', 'd.sum_up', 'e.1', 'f.send-mail'),
      description: fc.constantFrom('Reads.', 'Sends mail', ''),
      effects: fc.uniqueArray(fc.constantFrom<Effect>(...effects), { maxLength: 3 }),
      input: fc.option(contract(), { nil: undefined }),
      output: fc.option(contract(), { nil: undefined }),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(declaration, { selector: ({ name }) => name, maxLength: 4 }),
        fc.boolean(),
        (all, asks) => {
          const declarations = Object.fromEntries(all.map((each) => [each.name, whole(each)]));
          const fragment = exampleFragment(Object.values(declarations).map(lineOf), asks);
          expect(accepted(fragment, declarations)).toEqual([]);
        },
      ),
      { numRuns: 100 },
    );
  });

  function whole({
    input,
    output,
    ...rest
  }: { input: Json | undefined; output: Json | undefined } & Pick<
    Declaration,
    'name' | 'description' | 'effects'
  >): Declaration {
    return {
      ...rest,
      tags: [],
      cost: {},
      ...(input && { input: input as Declaration['input'] & object }),
      ...(output && { output: output as Declaration['output'] & object }),
    };
  }

  function contract(): fc.Arbitrary<Json> {
    const fields = fc.dictionary(fc.constantFrom('path', 'rows', 'b c', 'text'), typed, { maxKeys: 3 });
    return fields.map((all) => ({
      type: 'object',
      properties: Object.fromEntries(Object.entries(all).map(([name, { schema }]) => [name, schema])),
      required: Object.keys(all),
      additionalProperties: false,
    }));
  }
});
