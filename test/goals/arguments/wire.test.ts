// Dependencies on properties: each by its best match, each property once, lists item by item.
import { describe, expect, it } from 'vitest';
import { collectionIn } from '../../../src/goals/arguments/offered-values.ts';
import { type ResultSource, wireDependencies } from '../../../src/goals/arguments/wire.ts';

const text = { type: 'string' };
const whole = { type: 'integer' };
const map = (properties: Record<string, object>, ...required: string[]) =>
  ({ type: 'object', properties, required }) as never;
const list = (items: object) => ({ type: 'array', items }) as never;

function wire(sources: readonly ResultSource[], contract: never, taken: readonly string[] = []) {
  return wireDependencies(sources, contract, new Set(taken));
}

const comment = map({ issue_number: whole, body: text, repo: text }, 'issue_number', 'body');

describe('a dependency', () => {
  it('feeds the property that has the name of an offered value', () => {
    const found = {
      name: 'find',
      description: 'find the issue',
      output: map({ number: whole, issue_number: whole, title: text }),
    };
    expect(wire([found], comment, ['body'])).toEqual({
      wires: [{ property: 'issue_number', from: 'find', path: ['issue_number'] }],
      orderOnly: [],
    });
  });

  it('feeds the property that its task mentions', () => {
    const drafted = { name: 'write_it', description: 'draft the body of the reply', output: text as never };
    expect(wire([drafted], comment, ['issue_number']).wires).toEqual([
      { property: 'body', from: 'write_it', path: [] },
    ]);
  });

  it('feeds the best property in any order of the dependencies', () => {
    const found = { name: 'find', description: 'find the issue', output: map({ issue_number: whole }) };
    const drafted = { name: 'draft', description: 'draft the body', output: text as never };
    for (const sources of [
      [found, drafted],
      [drafted, found],
    ]) {
      const { wires, orderOnly } = wire(sources, comment);
      expect(wires.toSorted((one, other) => (one.property < other.property ? -1 : 1))).toEqual([
        { property: 'body', from: 'draft', path: [] },
        { property: 'issue_number', from: 'find', path: ['issue_number'] },
      ]);
      expect(orderOnly).toEqual([]);
    }
  });

  it('feeds no property that has a value or another source', () => {
    const first = { name: 'one', description: 'draft the body', output: text as never };
    const second = { name: 'two', description: 'write the body', output: text as never };
    const { wires, orderOnly } = wire([first, second], map({ body: text }, 'body'));
    expect(wires).toHaveLength(1);
    expect(orderOnly).toHaveLength(1);
    expect(wire([first], comment, ['body', 'issue_number']).wires).toEqual([]);
  });

  it('feeds no property of another type', () => {
    const drafted = { name: 'issue_number', description: 'issue number', output: text as never };
    expect(wire([drafted], map({ issue_number: whole }, 'issue_number'))).toEqual({
      wires: [],
      orderOnly: ['issue_number'],
    });
  });

  it('is only waited for when nothing matches', () => {
    const backup = { name: 'backup', description: 'back up the database', output: map({ bytes: whole }) };
    expect(wire([backup], comment)).toEqual({ wires: [], orderOnly: ['backup'] });
  });

  it('feeds the only open required property when it fits', () => {
    const read = { name: 'fetch', description: 'fetch the page', output: text as never };
    expect(wire([read], map({ prompt: text, style: text }, 'prompt')).wires).toEqual([
      { property: 'prompt', from: 'fetch', path: [] },
    ]);
    expect(wire([{ name: 'fetch', description: 'x' }], map({ prompt: text }, 'prompt')).wires).toHaveLength(1);
  });

  it('feeds free text, and never a name or an id, when no word matches', () => {
    const told = { name: 'sum_up', description: 'sum up', output: text as never };
    const post = map({ channel: text, text }, 'channel', 'text');
    expect(wire([told], post).wires).toEqual([{ property: 'text', from: 'sum_up', path: [] }]);
    expect(wire([told], map({ channel: text }, 'channel'))).toEqual({ wires: [], orderOnly: ['sum_up'] });
  });

  it('without a schema feeds a text or a list, and from a map its only list', () => {
    const asked = { name: 'ask', description: 'find the repository' };
    expect(wire([asked], map({ repository: text }, 'repository')).wires).toEqual([]);
    expect(wire([asked], map({ body: text }, 'body')).wires).toEqual([{ property: 'body', from: 'ask', path: [] }]);
    expect(wire([asked], map({ rows: list({}) }, 'rows')).wires).toEqual([
      { property: 'rows', from: 'ask', path: [], isSearched: true },
    ]);
  });

  it('without a required property feeds one optional property of a similar name, and never a page number', () => {
    const found = { name: 'find', description: 'find it', output: map({ repo: text, page: whole, owner: text }) };
    const search = map({ query: text, repo: text, page: whole }, 'query');
    expect(wire([found], search, ['query']).wires).toEqual([{ property: 'repo', from: 'find', path: ['repo'] }]);
    expect(wire([{ ...found, isFar: true } as ResultSource], search, ['query']).wires).toEqual([]);
  });

  it('feeds an answer to the property of its question, required or not', () => {
    const said: ResultSource = { name: 'ask', description: 'for the page size', isAnswer: true };
    const take = map({ repo: text, per_page: whole }, 'repo');
    expect(wire([said], take).wires).toEqual([{ property: 'per_page', from: 'ask', path: [] }]);
    expect(wire([said], map({ repo: text }, 'repo')).wires).toEqual([]);
  });

  it('may feed several properties when it clearly has their values', () => {
    const repo = { name: 'pick', description: 'choose one', output: map({ owner: text, repo: text }) };
    expect(wire([repo], map({ owner: text, repo: text }, 'owner', 'repo')).wires).toHaveLength(2);
  });
});

describe('a list', () => {
  const issues = {
    name: 'list',
    description: 'list the issues',
    output: map({ issues: list(map({ issue_number: whole, title: text })) }),
  };

  it('feeds a property for one item with a call for each item, up to a limit', () => {
    expect(wireDependencies([issues], comment, new Set(['body']), { widest: 5 }).wires).toEqual([
      { property: 'issue_number', from: 'list', path: ['issues'], each: { path: ['issue_number'], atMost: 5 } },
    ]);
  });

  it('feeds a list property as a whole', () => {
    const wires = wire([issues], map({ issues: { type: 'array' } }, 'issues')).wires;
    expect(wires).toEqual([{ property: 'issues', from: 'list', path: ['issues'] }]);
  });

  it('is found in a result that is a map with one list', () => {
    expect(collectionIn(issues.output)).toEqual(['issues']);
    expect(collectionIn(list(text))).toEqual([]);
    expect(collectionIn(map({ a: list(text), b: list(text) }))).toBeUndefined();
    const rows = { name: 'query', description: 'x', output: map({ rows: list({ type: 'object' }), took: whole }) };
    expect(wire([rows], map({ data: list({ type: 'object' }) }, 'data')).wires).toEqual([
      { property: 'data', from: 'query', path: ['rows'] },
    ]);
  });

  it('is iterated alone, never together with a list of another step', () => {
    const users = { name: 'users', description: 'list the users', output: list(map({ login: text })) };
    const { wires } = wire([issues, users], map({ issue_number: whole, login: text }, 'issue_number', 'login'));
    expect(wires.filter(({ each }) => each !== undefined)).toHaveLength(1);
  });
});

describe('an id', () => {
  const issue = map({ id: whole, number: whole, title: text, user: map({ login: text, id: whole }) });

  it('is fed by the same kind of id from a step about the same thing', () => {
    const listed = { name: 'list_issues', description: 'List the issues', output: map({ items: list(issue) }) };
    expect(wire([listed], map({ issue_number: whole }, 'issue_number')).wires).toMatchObject([
      { path: ['items'], each: { path: ['number'] } },
    ]);
    expect(wire([listed], map({ issueId: whole }, 'issueId')).wires).toMatchObject([{ each: { path: ['id'] } }]);
    expect(wire([listed], map({ team_id: whole }, 'team_id')).wires).toEqual([]);
  });

  it('is fed to a property that is named after the thing alone', () => {
    const made = { name: 'create_customer', description: 'Create a customer', output: map({ id: text, name: text }) };
    expect(wire([made], map({ customer: text }, 'customer')).wires).toEqual([
      { property: 'customer', from: 'create_customer', path: ['id'] },
    ]);
  });

  it('is found in nested maps, and several ids come from the same item', () => {
    const repository = map({ name: text, full_name: text, owner: map({ login: text }) });
    const found = {
      name: 'search_repositories',
      description: 'Search repositories',
      output: map({ items: list(repository) }),
    };
    expect(wire([found], map({ owner: text, repo: text }, 'owner', 'repo')).wires).toMatchObject([
      { property: 'owner', path: ['items'], each: { path: ['owner', 'login'] } },
      { property: 'repo', path: ['items'], each: { path: ['name'] } },
    ]);
    const pull = { name: 'get_pull', description: 'Get it', output: map({ head: map({ sha: text }) }) };
    expect(wire([pull], map({ sha: text }, 'sha')).wires).toMatchObject([{ path: ['head', 'sha'] }]);
  });
});
