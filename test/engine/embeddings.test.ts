// Embeddings in a run: requested when words do not decide, paid, recorded, and not repeated after a crash.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import { good } from '../../src/base/result.ts';
import type { Limit } from '../../src/budget/amount.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import { boundOf } from '../../src/engine/bound/bound.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { AskEmbeddings } from '../../src/engine/record/effect.ts';
import type { EmbeddingsProfile } from '../../src/model/profile.ts';
import type { Template } from '../../src/template/template.ts';
import { World } from '../../src/testing/world.ts';
import { inTurn, plans, trouble } from './models-say.ts';
import { templateOf, work } from './template-of.ts';

const embedder: EmbeddingsProfile = {
  model: 'embedder',
  timeout: 1_000,
  maxRetries: 1,
  price: { input: 1_000_000, output: 0 },
};
const declared = (name: string, description: string): Declaration => ({
  ...work,
  name,
  description,
  effects: ['read'],
  input: { type: 'object', properties: {} },
});
const twins = [
  declared('drive.list_files', 'List files of the drive'),
  declared('shop.list_files', 'List files of the shop'),
];

function templateFor(goal: string, limit: Limit = {}): Template {
  const planner = { kind: 'pattern', kinds: {}, sequential: false, attachments: [] } as const;
  return templateOf({
    steps: [
      { name: 'plan', planning: { target: 'end', goal, planner } },
      { name: 'end', type: 'deferred', after: ['plan'] },
    ],
    capabilities: twins,
    embeddings: embedder,
    budget: { limit, landingReserve: 0 },
  });
}

interface Setting {
  readonly goal?: string;
  readonly limit?: Limit;
  readonly answer?: (asked: AskEmbeddings) => EffectOutcome | undefined;
}

const GOAL = 'List the files of our web store';
const shop: EffectOutcome = { ...good({ alike: [[0.3, 0.7]] }), bill: { tokens_in: 9, cost_usd: 9 } };

function given({ goal = GOAL, limit, answer = () => shop }: Setting = {}): World {
  const template = templateFor(goal, limit);
  return new World(template, {
    perform: (each) => {
      if (each.type === 'ask-embeddings') return answer(each);
      return each.type === 'ask-planner' ? plans(template, each) : good({ done: true });
    },
    review: () => ({ verdict: 'answer', value: 'shop.list_files' }),
  }).begin();
}

const embedded = ({ performed }: World): readonly AskEmbeddings[] =>
  performed.flatMap((work) => (work.type === 'ask-embeddings' ? [work] : []));
const spentOf = ({ state }: World) => present(state.ledger.accounts.get('run'), 'run').spent;
const calledIn = ({ performed }: World) =>
  performed.flatMap((work) => (work.type === 'call-capability' ? [work.capability] : []));

describe('embeddings', () => {
  it('are recorded as a separate call and charged by tokens', () => {
    const world = given().run();
    expect(calledIn(world)).toEqual(['shop.list_files']);
    expect(spentOf(world)).toMatchObject({ tokens_in: 9, cost_usd: 9 });
    expect(spentOf(world).llm_calls ?? 0).toBe(0);
    const events = world.events.filter(({ type }) => type === 'call.started' || type === 'call.ended');
    expect(events).toMatchObject([
      { type: 'call.started', step: 'plan', kind: 'embeddings', name: 'embedder', call: 1 },
      { type: 'call.ended', step: 'plan', call: 1, value: { value: { alike: [[0.3, 0.7]] } } },
    ]);
  });

  it('reserve tokens for the compared texts until the bill arrives', () => {
    const world = given({ answer: () => undefined });
    while (embedded(world).length === 0 && world.step());
    const [started] = world.events.filter(({ type }) => type === 'call.started');
    expect(started).toMatchObject({ reserved: { tokens_in: expect.any(Number), cost_usd: expect.any(Number) } });
  });

  it('are requested again after a transient failure, and left out when the retries fail too', () => {
    const once = given({ answer: inTurn(trouble('MODEL_UNAVAILABLE'), shop) }).run();
    expect(embedded(once).map(({ call, after }) => [call, after])).toEqual([
      [1, undefined],
      [2, 1_000],
    ]);
    expect(calledIn(once)).toEqual(['shop.list_files']);
    const never = given({ answer: () => trouble('MODEL_UNAVAILABLE') }).run();
    expect(embedded(never)).toHaveLength(2);
    const [gate] = [...never.state.gates.values()];
    expect(gate?.prompt).toBe(`Which capability does "${GOAL}"?`);
  });

  it('are not requested when words alone find the capability', () => {
    const world = given({ goal: 'List the files of the shop' }).run();
    expect([embedded(world), calledIn(world)]).toEqual([[], ['shop.list_files']]);
  });

  it('end the planning when they cannot be paid, like any other call of a planner', () => {
    const world = given({ limit: { tokens_in: 3 } }).run();
    expect([embedded(world), calledIn(world)]).toEqual([[], []]);
    expect(world.state.ended?.status).toBe('completed');
  });

  it('are requested once, after whatever event the process crashes', () => {
    const whole = given().run();
    for (let at = 1; at < whole.journal.length; at++) {
      const world = given();
      while (world.journal.length < at && world.step());
      world.crash();
      world.run();
      expect(world.state.ended?.status, `crash after ${at} events`).toBe('completed');
      expect(calledIn(world).at(-1)).toBe('shop.list_files');
      const started = world.events.filter((event) => event.type === 'call.started' && event.kind === 'embeddings');
      expect(new Set(started.map((event) => JSON.stringify(event)))).toHaveLength(1);
      expect(spentOf(world).tokens_in).toBeGreaterThanOrEqual(9);
    }
  });

  it('count toward the bound of a run', () => {
    const rows = boundOf(templateFor(GOAL, { phases: 1, replans: 0 }));
    const of = (name: string) => rows.find(({ resource }) => resource === name);
    const used = spentOf(
      given({ answer: ({ request }) => ({ ...shop, bill: { tokens_in: request.texts.length * 40 } }) }).run(),
    );
    expect(of('tokens')?.bound).toBeGreaterThan(used.tokens_in ?? 0);
    expect(of('llm_calls')).toMatchObject({ bound: 0, note: 'no step or planner asks a model' });
  });
});
