// What a planner asks to see by name: found, whole or in part, and told why when it is not.
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

  it('names a part of it, also of every item, under a name of its own', () => {
    expect(
      packet([
        { step: 'list', path: 'rows.1.state', as: 'second' },
        { step: 'list', path: 'rows.*.id', as: 'ids' },
      ]).body.needs,
    ).toEqual({ second: 'odd', ids: [0, 1, 2] });
  });

  it('of which all is there is included, whatever else of the result is hidden', () => {
    const needs = [{ step: 'secret', path: 'n' }, { step: 'list', path: 'rows.*.id' }, { step: 'secret' }];
    const found = packet(needs).receipt.items.filter(({ need }) => need !== undefined);
    expect(found.map(({ need, shown }) => [need, shown])).toEqual([
      ['secret.n', 'included'],
      ['list.rows.*.id', 'included'],
      ['secret', 'shrunk'],
    ]);
  });

  it('of which there is nothing to show is told, with the reason', () => {
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

  it('never brings what may not be shown', () => {
    expect(packet([{ step: 'secret' }, { step: 'secret', path: 'token', full: true }]).body.needs).toEqual({
      secret: { token: '$elided', n: 1 },
      'secret.token': '$elided',
    });
  });

  it('is shrunk by what the contract says of the part, where there is no room', () => {
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

  it('that asks to be full is whole or stands in the way of the packet', () => {
    const need = { step: 'plan.1/list', full: true } as const;
    expect(packet([need], { maxTokens: 20_000 }).body.needs).toEqual({ 'plan.1/list': { rows } });
    const tight = () => packet([need], { maxTokens: 600 });
    expect(tight).toThrow('the needs that ask to be shown in full');
  });

  it('of a whole result keeps it from being shown twice', () => {
    const { body } = packet([{ step: 'sniff' }], { strategy: 'contract' });
    expect(body.needs).toHaveProperty('sniff');
    expect(body.results).not.toHaveProperty(['plan.1/sniff']);
    expect(body.results).toHaveProperty(['plan.1/list']);
  });
});

describe('what a planner’s reply asks for', () => {
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

  it('comes before what the template declares under the same name', () => {
    const made = packet([{ step: 'list', path: 'title', as: 'it' }], {
      asked: [{ step: 'sniff', path: 'rows', as: 'it' }],
    });
    expect(made.body.needs).toEqual({ it: 7 });
  });
});

describe('strategy selective', () => {
  it('shows nothing but its needs, and says so of everything else', () => {
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
  it('shows the nearest phase as contract does, and no more than an outline of any older result', () => {
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

  it('shows an older result the same whatever became of the run since', () => {
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
