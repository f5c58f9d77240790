// Needs: results that a planner asks for by name, found whole or in part, or missing with a reason.
import { describe, expect, it } from 'vitest';
import { isJsonObject, type Json } from '../../src/base/json.ts';
import { assemblePacket, type Packet, type PacketRequest, type StepRecord } from '../../src/context/packet.ts';
import { estimateTokens } from '../../src/context/tokens.ts';
import type { Need } from '../../src/template/step-spec.ts';

const step = (id: string, result?: Json, more: Partial<StepRecord> = {}): StepRecord => ({
  id,
  name: id.split('/').at(-1) ?? id,
  attempt: 1,
  status: 'completed',
  ...(result === undefined ? {} : { result }),
  ...more,
});

const rows = Array.from({ length: 200 }, (_, at) => ({
  id: at,
  state: at % 2 === 0 ? 'even' : 'odd',
  note: 'n'.repeat(20),
}));
const near = [
  step('plan.1/sniff', { columns: ['a', 'b'], rows: 7 }),
  step('plan.1/list', { rows }),
  step('plan.1/none'),
];
const far = [
  step('list', { title: 'Everything', rows: rows.slice(0, 3) }),
  step('secret', { token: 'x'.repeat(40), n: 1 }, { elide: ['token'] }),
];

function packet(needs: readonly Need[], more: Partial<PacketRequest> = {}): Packet {
  const made = assemblePacket({
    strategy: 'selective',
    maxTokens: 4_000,
    countTokens: estimateTokens,
    problem: { template: 'test', input: {}, constraints: [] },
    budget: {},
    target: null,
    phases: [
      { id: 'plan', steps: near },
      { id: 'frame', steps: far },
    ],
    needs,
    ...more,
  });
  if (!made.ok) throw new Error(made.error.map(({ message }) => message).join());
  return made.value;
}

describe('a need', () => {
  it('names a result by id, by the name of the nearest step, or by a glob', () => {
    expect(packet([{ step: 'plan.1/sniff' }]).body.needs).toEqual({ 'plan.1/sniff': { columns: ['a', 'b'], rows: 7 } });
    expect(packet([{ step: 'sniff' }]).body.needs).toEqual({ sniff: { columns: ['a', 'b'], rows: 7 } });
    expect(packet([{ step: 'list', path: 'title' }]).body.needs).toEqual({ 'list.title': 'Everything' });
    const all = packet([{ step: '*s*', path: 'rows' }]).body.needs;
    expect(Object.keys(isJsonObject(all) ? all : {})).toEqual(['plan.1/sniff.rows', 'plan.1/list.rows', 'list.rows']);
  });

  it('names a part of a result, also of every item, under a name of its own', () => {
    expect(
      packet([
        { step: 'list', path: 'rows.1.state', as: 'second' },
        { step: 'list', path: 'rows.*.id', as: 'ids' },
      ]).body.needs,
    ).toEqual({ second: 'odd', ids: [0, 1, 2] });
  });

  it('counts as included when its whole part is shown, even if other fields of the result are hidden', () => {
    const needs = [{ step: 'secret', path: 'n' }, { step: 'list', path: 'rows.*.id' }, { step: 'secret' }];
    const found = packet(needs).receipt.items.filter(({ need }) => need !== undefined);
    expect(found.map(({ need, shown }) => [need, shown])).toEqual([
      ['secret.n', 'included'],
      ['list.rows.*.id', 'included'],
      ['secret', 'shrunk'],
    ]);
  });

  it('is listed with the reason when it is missing', () => {
    const needs = [
      { step: 'nowhere' },
      { step: 'none' },
      { step: 'sniff', path: 'columns.9' },
      { step: 'secret', path: 'token.0' },
      { step: 'sniff' },
      { step: 'list', as: 'sniff' },
    ];
    expect(packet(needs).receipt.missing).toEqual([
      { need: 'nowhere', why: 'no step before this one is called that' },
      { need: 'none', why: 'the step left no value' },
      { need: 'sniff.columns.9', why: 'there is nothing at this path of its result' },
      { need: 'secret.token.0', why: 'there is nothing at this path of its result' },
      { need: 'sniff', why: 'another need has that name' },
    ]);
    expect(packet([{ step: 'nowhere' }]).body.receipt).toMatchObject([{ need: 'nowhere', shown: 'left out' }]);
  });

  it('never shows hidden fields', () => {
    expect(packet([{ step: 'secret' }, { step: 'secret', path: 'token', full: true }]).body.needs).toEqual({
      secret: { token: '$elided', n: 1 },
      'secret.token': '$elided',
    });
  });

  it('is shrunk by the contract of its part when room is short', () => {
    const schema = {
      properties: { rows: { items: { properties: { id: {}, state: {}, note: { 'x-elide': true } } } } },
    };
    const made = packet([{ step: 'plan.1/list', path: 'rows' }], {
      phases: [{ id: 'plan', steps: [step('plan.1/list', { rows }, { schema })] }],
      maxTokens: 600,
    });
    expect(made.body.needs).toMatchObject({ 'plan.1/list.rows': { $count: 200, state: { $counts: { even: 100 } } } });
    expect(JSON.stringify(made.body.needs)).not.toContain('nnnn');
    expect(made.receipt.items.find(({ need }) => need !== undefined)).toMatchObject({
      ref: { step: 'plan.1/list', attempt: 1 },
      need: 'plan.1/list.rows',
      shown: 'shrunk',
      inferred: false,
    });
  });

  it('is shown whole with full: true, or fails the packet', () => {
    const need = { step: 'plan.1/list', full: true } as const;
    expect(packet([need], { maxTokens: 20_000 }).body.needs).toEqual({ 'plan.1/list': { rows } });
    const tight = () => packet([need], { maxTokens: 600 });
    expect(tight).toThrow(
      'the planner needs 4,079 tokens of context, and context.max_tokens is 600; most of it is plan.1/list (full: true)',
    );
  });

  it('replaces the result that it names whole, which is not shown twice', () => {
    const { body } = packet([{ step: 'sniff' }], { strategy: 'contract' });
    expect(body.needs).toHaveProperty('sniff');
    expect(body.results).not.toHaveProperty(['plan.1/sniff']);
    expect(body.results).toHaveProperty(['plan.1/list']);
  });
});

describe('a need in a planner’s reply', () => {
  const asked = [{ step: 'plan.1/list' }, { step: 'sniff', path: 'columns' }];

  it('is shown beside the allowance, up to its cap', () => {
    const made = packet([], { strategy: 'contract', asked, maxTokens: 400 });
    expect(made.body.needs).toEqual({ 'plan.1/list': { rows }, 'sniff.columns': ['a', 'b'] });
    expect(made.tokens).toBeGreaterThan(400);
    const large = step('plan.1/list', { rows: Array.from({ length: 30 }, () => rows).flat() });
    const capped = packet([], { asked, maxTokens: 400, phases: [{ id: 'plan', steps: [large, ...near.slice(0, 1)] }] });
    expect(JSON.stringify(capped.body.needs).length).toBeLessThan(32_100);
    expect(capped.body.needs).toMatchObject({ 'plan.1/list': { rows: { $count: 6_000 } } });
  });

  it('wins over a declared need of the same name', () => {
    const made = packet([{ step: 'list', path: 'title', as: 'it' }], {
      asked: [{ step: 'sniff', path: 'rows', as: 'it' }],
    });
    expect(made.body.needs).toEqual({ it: 7 });
  });
});

describe('strategy selective', () => {
  it('shows only needs, and lists every other result in the index', () => {
    const { body, receipt } = packet([{ step: 'sniff', path: 'rows' }]);
    expect(body).toMatchObject({ results: {}, needs: { 'sniff.rows': 7 } });
    expect(receipt.items.filter(({ shown }) => shown === 'left out').map(({ ref }) => ref.step)).toEqual([
      'plan.1/sniff',
      'plan.1/list',
      'list',
      'secret',
    ]);
    expect(body.index).toHaveLength(4);
  });
});

describe('strategy hierarchical', () => {
  it('shows the nearest phase like strategy contract, and only outlines of older results', () => {
    const older = [step('read', { rows, title: 'All that there is' })];
    const phases = [
      { id: 'plan', steps: near },
      { id: 'frame', rationale: 'first', steps: older },
    ];
    const [hierarchical, contract] = (['hierarchical', 'contract'] as const).map((strategy) =>
      packet([], { strategy, phases }),
    );
    const bytes = (made: Packet | undefined, id: string) =>
      made?.receipt.items.find(({ ref }) => ref.step === id)?.bytes.after ?? 0;
    expect(bytes(hierarchical, 'read')).toBeLessThanOrEqual(160);
    expect(bytes(contract, 'read')).toBeGreaterThan(160);
    expect(bytes(hierarchical, 'plan.1/list')).toBeGreaterThanOrEqual(bytes(contract, 'plan.1/list'));
    expect(hierarchical?.body.results).toMatchObject({ read: { title: 'All that there is' } });
  });

  it('shows an older result the same in every later packet', () => {
    const older = { id: 'frame', steps: [step('read', { rows })] };
    const shown = [1, 5].map((count) => {
      const phases = [
        ...Array.from({ length: count }, (_, at) => ({ id: `p${at}`, steps: [step(`p${at}.1/a`, 1)] })),
        older,
      ];
      return packet([], { strategy: 'hierarchical', phases }).body.results;
    });
    expect(shown[0]).toHaveProperty('read');
    expect(isJsonObject(shown[1]) && shown[1].read).toEqual(isJsonObject(shown[0]) && shown[0].read);
  });
});
