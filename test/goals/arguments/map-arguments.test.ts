// Arguments on their properties: names in any writing, values as the contract wants them, and findings for the rest.
import { describe, expect, it } from 'vitest';
import { mapArguments } from '../../../src/goals/arguments/map-arguments.ts';

const contract = {
  type: 'object',
  required: ['owner', 'perPage'],
  properties: {
    owner: { type: 'string' },
    perPage: { type: 'integer', minimum: 1, maximum: 100 },
    labels: { type: 'array', items: { type: 'string' } },
    ids: { type: 'array', items: { type: 'integer' } },
    state: { type: 'string', enum: ['OPEN', 'CLOSED'] },
    draft: { type: 'boolean' },
    note: { type: 'string' },
    since: { type: ['string', 'null'] },
    ratio: { type: 'number' },
    where: { $ref: '#/$defs/place' },
  },
  $defs: { place: { type: 'object', properties: { city: { type: 'string' } } } },
};

const input = (given: Parameters<typeof mapArguments>[0]) => mapArguments(given, contract).input;

describe('names', () => {
  it('map in snake, camel and kebab case and with spaces', () => {
    for (const name of ['per_page', 'perPage', 'per-page', 'Per Page', 'PER_PAGE']) {
      expect(input({ [name]: 10 }), name).toEqual({ perPage: 10 });
    }
  });

  it('map one to many', () => {
    expect(input({ label: ['bug'] })).toEqual({ labels: ['bug'] });
  });

  it('are never renamed when the contract has them', () => {
    const both = { type: 'object', properties: { per_page: { type: 'integer' }, perPage: { type: 'integer' } } };
    expect(mapArguments({ per_page: 1, perPage: 2 }, both)).toMatchObject({
      input: { per_page: 1, perPage: 2 },
      findings: [],
    });
    expect(mapArguments({ 'per page': 1 }, both)).toMatchObject({ input: {}, findings: [{ kind: 'several' }] });
  });

  it('with one meaning are one argument, and the exact name wins', () => {
    expect(mapArguments({ per_page: 1, perPage: 2 }, contract)).toMatchObject({
      input: { perPage: 2 },
      findings: [{ kind: 'twice', property: 'per_page' }],
    });
  });

  it('without a property are findings and are not passed on', () => {
    const mapped = mapArguments({ ownr: 'ann', colour: 'red' }, contract);
    expect(mapped.input).toEqual({});
    expect(mapped.findings).toMatchObject([
      { kind: 'unknown', property: 'ownr', hint: 'did you mean "owner"?' },
      { kind: 'unknown', property: 'colour' },
    ]);
  });

  it('are passed on when the contract allows additional properties', () => {
    expect(mapArguments({ x: 1 }, { type: 'object' })).toMatchObject({ input: { x: 1 }, findings: [] });
    expect(mapArguments({ x: 1 }, { properties: { y: {} }, additionalProperties: true }).input).toEqual({ x: 1 });
    expect(mapArguments({ x: 1 }, { type: 'object', additionalProperties: false }).input).toEqual({});
  });

  it('are reported when they are required and missing', () => {
    expect(mapArguments({ owner: 'ann' }, contract).missing).toEqual(['perPage']);
    expect(mapArguments({}, { required: ['n'], properties: { n: { default: 1 } } }).missing).toEqual([]);
  });
});

describe('values', () => {
  it('become numbers, booleans and listed values as the contract requires', () => {
    expect(input({ perPage: '25', ratio: '1.5', draft: 'TRUE', state: 'open' })).toEqual({
      perPage: 25,
      ratio: 1.5,
      draft: true,
      state: 'OPEN',
    });
    expect(input({ draft: 'no' })).toEqual({ draft: false });
  });

  it('become lists for list properties', () => {
    expect(input({ labels: 'bug' })).toEqual({ labels: ['bug'] });
    expect(input({ labels: 'bug, urgent' })).toEqual({ labels: ['bug', 'urgent'] });
    expect(input({ labels: '["a b", "c"]' })).toEqual({ labels: ['a b', 'c'] });
    expect(input({ labels: 'sorry, no list' })).toEqual({ labels: ['sorry, no list'] });
    expect(input({ ids: '1,2' })).toEqual({ ids: [1, 2] });
    expect(input({ where: '{"city": "Oslo"}' })).toEqual({ where: { city: 'Oslo' } });
  });

  it('are left out when they are null and optional, and kept when the contract takes null', () => {
    expect(input({ note: null, since: null })).toEqual({ since: null });
    expect(mapArguments({ owner: null }, contract).findings).toMatchObject([{ kind: 'misfit', property: 'owner' }]);
  });

  it('become findings with property, value and expectation when they cannot fit', () => {
    const { input: left, findings } = mapArguments({ owner: 'ann', perPage: 'many', state: 'ajar' }, contract);
    expect(left).toEqual({ owner: 'ann' });
    expect(findings).toEqual([
      {
        kind: 'misfit',
        property: 'perPage',
        value: 'many',
        expected: 'a whole number from 1 to 100',
        message: '"perPage" is "many", where it must be a whole number from 1 to 100',
      },
      {
        kind: 'misfit',
        property: 'state',
        value: 'ajar',
        expected: 'one of OPEN, CLOSED',
        message: '"state" is "ajar", where it must be one of OPEN, CLOSED',
      },
    ]);
  });

  it('stay unchanged when the contract accepts them', () => {
    expect(input({ owner: '007', note: 'true' })).toEqual({ owner: '007', note: 'true' });
  });
});
