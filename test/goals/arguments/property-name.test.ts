// Names that people and models give an argument, and the property of a contract that each of them means.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { mapArguments } from '../../../src/goals/arguments/map-arguments.ts';
import { propertiesMeant, propertyFor } from '../../../src/goals/arguments/property-name.ts';

const text = { type: 'string' };
const number = { type: 'number' };
const told = (description: string) => ({ type: 'string', description });
const contract = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

describe('a name finds the property', () => {
  it.each<[string, JsonObject, string]>([
    ['page_size', { page: number, perPage: number }, 'perPage'],
    ['items per page', { page: number, perPage: number }, 'perPage'],
    ['repository', { repo: text, owner: text }, 'repo'],
    ['issue', { issue_number: number, title: text }, 'issue_number'],
    ['sort', { orderBy: { enum: ['createdAt', 'updatedAt'] }, limit: number }, 'orderBy'],
    ['cursor', { after: text, first: number }, 'after'],
    ['limit', { after: text, first: number }, 'first'],
    ['start date', { since: text, until: text }, 'since'],
    ['start date', { since: text, after: told('Cursor of the page before') }, 'since'],
    ['target branch', { base: text, head: text, title: text }, 'base'],
    ['source branch', { base: text, head: text, title: text }, 'head'],
    ['search term', { query: text, limit: number }, 'query'],
    ['search term', { q: text, order: text }, 'q'],
    ['pull request number', { pull_number: number, body: text }, 'pull_number'],
    ['pr', { pull_number: number, body: text }, 'pull_number'],
    ['issue title', { issue_number: number, title: text }, 'title'],
    ['to date', { from: text, to: text }, 'to'],
    ['channel', { channel_id: text, limit: number }, 'channel_id'],
    ['team', { teamId: text, limit: number }, 'teamId'],
    ['customer id', { customer: text, limit: number }, 'customer'],
    ['folder', { path: text }, 'path'],
    ['file', { file_path: text, ref: text }, 'file_path'],
    ['message', { channel: text, text }, 'text'],
    ['assignee', { assignees: { type: 'array' }, labels: { type: 'array' } }, 'assignees'],
    ['color', { c: told('Color of the label') }, 'c'],
    ['repo', { project_id: text }, 'project_id'],
    ['branch', { branch: text, ref: text }, 'branch'],
    ['end date', { startDate: text, endDate: text }, 'endDate'],
    ['status', { state: { enum: ['open'] } }, 'state'],
    ['limit', { maxRecords: number, pageSize: number }, 'maxRecords'],
    ['page size', { maxRecords: number, pageSize: number }, 'pageSize'],
    ['secret', { secretId: text, secretValue: text }, 'secretId'],
    ['file', { file_name: text, file_content: text }, 'file_name'],
    ['number of results', { count: number, offset: number, query: text }, 'count'],
  ])('%s', (given, properties, property) => {
    expect(propertyFor(given, contract(properties))).toBe(property);
  });
});

describe('a name finds nothing', () => {
  it.each<[string, JsonObject]>([
    ['items per page', { page: number }],
    ['limit', { max_tokens: number }],
    ['max price', { price: number }],
    ['channel name', { channel_id: text }],
    ['page', { pageToken: text, pageSize: number }],
    ['title', { body: told('The text beneath the title') }],
    ['branch', { source_branch: text, path: text }],
  ])('%s', (given, properties) => {
    expect(propertiesMeant(given, contract(properties))).toEqual([]);
  });
});

describe('a name that may mean several', () => {
  const sorting = { sort: { enum: ['created', 'updated'] }, direction: { enum: ['asc', 'desc'] } };

  it('is decided by a value that only one of them takes', () => {
    expect(mapArguments({ order: 'desc' }, contract(sorting)).input).toEqual({ direction: 'desc' });
    expect(mapArguments({ order: 'updated' }, contract(sorting)).input).toEqual({ sort: 'updated' });
  });

  it.each([
    ['secret', 'secretName', 'secretValue'],
    ['variable', 'variable_key', 'variable_value'],
  ])('is a tie of properties that begin alike: %s', (given, ...meant) => {
    const properties = Object.fromEntries(meant.map((name) => [name, text]));
    expect(mapArguments({ [given]: 'x' }, contract(properties))).toMatchObject({
      input: {},
      findings: [{ kind: 'several', meant }],
    });
  });

  it('is never guessed', () => {
    const free = { sort: text, direction: text };
    expect(mapArguments({ order: 'desc' }, contract(free))).toMatchObject({
      input: {},
      findings: [{ kind: 'several', meant: ['sort', 'direction'] }],
    });
  });
});

describe('an owner and its repository', () => {
  const both = { owner: text, repo: text };

  it('are both filled from one value when the contract has both', () => {
    expect(mapArguments({ repository: 'acme/site' }, contract(both)).input).toEqual({ owner: 'acme', repo: 'site' });
    expect(mapArguments({ repo: 'acme/site', owner: 'ann' }, contract(both)).input).toEqual({
      owner: 'ann',
      repo: 'acme/site',
    });
  });

  it('stay one value when the contract has one property', () => {
    expect(mapArguments({ repo: 'acme/site' }, contract({ repository: text })).input).toEqual({
      repository: 'acme/site',
    });
  });
});

describe('any arguments', () => {
  const words = fc.constantFrom(
    ...'page size limit order by sort since start date issue number repo owner name id title body per query term x'.split(
      ' ',
    ),
  );
  const name = fc.array(words, { minLength: 1, maxLength: 3 }).map((each) => each.join('_'));
  const schema = fc.constantFrom<JsonObject>(text, number, { type: 'boolean' }, { type: 'array', items: text }, {});

  it('end as properties of the contract or as findings, and none is lost', () => {
    fc.assert(
      fc.property(
        fc.dictionary(name, schema, { noNullPrototype: true }),
        fc.dictionary(name, fc.constantFrom('10', 'open', 'a, b', 7), { noNullPrototype: true }),
        (properties, given) => {
          const { input, findings } = mapArguments(given, { ...contract(properties), additionalProperties: false });
          for (const property of Object.keys(input)) expect(Object.keys(properties)).toContain(property);
          expect(Object.keys(input).length + findings.length).toBe(Object.keys(given).length);
        },
      ),
      { numRuns: 500 },
    );
  });
});
