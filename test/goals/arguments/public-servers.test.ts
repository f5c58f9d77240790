// Arguments in people's goals for the declared tools of public servers.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { declarationsOf, ownName } from '../../../bench/resolution/data.ts';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { contractOf } from '../../../src/contract/contract.ts';
import { isMutating } from '../../../src/contract/declaration.ts';
import { propertiesOf, schemaOf } from '../../../src/contract/schema.ts';
import { parametersWithin } from '../../../src/goals/arguments/arguments-in-order.ts';
import { leavesOf } from '../../../src/goals/plan/named-arguments.ts';

function within(server: string, tool: string, goal: string) {
  const declaration = declarationsOf(server).find((each) => ownName(each) === tool);
  if (declaration?.input === undefined) throw new Error(`${server} has no ${tool}`);
  const changes = !/^(?:slack_)?(?:get|list|search|read)/.test(tool) && isMutating({ effects: ['write'] });
  return parametersWithin(goal, declaration.input, new Set(), changes, `${tool} ${declaration.description}`);
}

const place = { owner: 'acme', repo: 'site' };

describe('a goal says arguments of a call', () => {
  it.each<[string, string, string, JsonObject]>([
    [
      'github',
      'list_issues',
      'List the last 5 open issues in acme/site with labels bug and urgent',
      { ...place, per_page: 5, state: 'open', labels: ['bug', 'urgent'] },
    ],
    ['github', 'list_issues', 'List issues in acme/site, page 2 with 50 per page', { ...place, page: 2, per_page: 50 }],
    [
      'github',
      'list_issues',
      'Show me the closed issues of acme/site since 1 March 2026, newest first',
      { ...place, state: 'closed', since: '2026-03-01', direction: 'desc' },
    ],
    [
      'github',
      'list_pull_requests',
      'List the five oldest open pull requests in acme/site',
      { ...place, per_page: 5, state: 'open', direction: 'asc' },
    ],
    ['github', 'get_issue', 'Get issue #12 in acme/site', { ...place, issue_number: 12 }],
    ['github', 'get_pull_request', 'Show pull request 7 of acme/site', { ...place, pull_number: 7 }],
    [
      'github',
      'add_issue_comment',
      'Comment on issue 12 in acme/site saying "Fixed in main"',
      { ...place, issue_number: 12, body: 'Fixed in main' },
    ],
    [
      'github',
      'create_issue',
      'Create an issue in acme/site titled "Login broken" with labels bug and urgent, assigned to @ann',
      { ...place, title: 'Login broken', labels: ['bug', 'urgent'], assignees: ['ann'] },
    ],
    [
      'github',
      'update_issue',
      'Assign issue 12 in acme/site to @ann and @bob',
      { ...place, issue_number: 12, assignees: ['ann', 'bob'] },
    ],
    ['github', 'update_issue', 'Close issue 12 in acme/site', { ...place, issue_number: 12, state: 'closed' }],
    [
      'github',
      'create_pull_request',
      'Create a draft pull request in acme/site titled "Docs" from feature-x into main',
      { ...place, title: 'Docs', head: 'feature-x', base: 'main', draft: true },
    ],
    [
      'github',
      'merge_pull_request',
      'Merge pull request 7 in acme/site by squash',
      { ...place, pull_number: 7, merge_method: 'squash' },
    ],
    [
      'github',
      'create_repository',
      'Create a private repository called shop with description "A shop"',
      { name: 'shop', description: 'A shop', private: true },
    ],
    [
      'github',
      'get_file_contents',
      'Get the file src/main.ts from acme/site on branch dev',
      { ...place, path: 'src/main.ts', branch: 'dev' },
    ],
    ['github', 'create_branch', 'Create branch hotfix in acme/site', { ...place, branch: 'hotfix' }],
    [
      'github',
      'update_issue',
      'Set the labels of issue 14 in acme/site to bug and urgent',
      { ...place, issue_number: 14, labels: ['bug', 'urgent'] },
    ],
    [
      'notion',
      'API-retrieve-a-page',
      'Retrieve the page 59833787-2cf9-4fdf-8782-e53db20768a5',
      { page_id: '59833787-2cf9-4fdf-8782-e53db20768a5' },
    ],
    ['maps', 'maps_directions', 'Get directions from Berlin to Hamburg', { origin: 'Berlin', destination: 'Hamburg' }],
    ['maps', 'maps_geocode', 'Geocode the address 10 Downing Street', {}],
    ['slack', 'slack_post_message', 'Post "hello" to channel C0123', { channel_id: 'C0123' }],
    [
      'slack',
      'slack_get_channel_history',
      'Get the last 20 messages of channel C0123',
      { channel_id: 'C0123', limit: 20 },
    ],
    [
      'stripe',
      'list_subscriptions',
      'List the past due subscriptions of customer cus_12, at most 5',
      { customer: 'cus_12', status: 'past_due', limit: 5 },
    ],
    [
      'stripe',
      'create_customer',
      'Create a customer named Ann Lee with email ann@site.org',
      { name: 'Ann Lee', email: 'ann@site.org' },
    ],
  ])('%s %s: %s', (server, tool, goal, input) => {
    expect(within(server, tool, goal)).toMatchObject({ input, left: [] });
    expect(Object.keys(within(server, tool, goal).input).toSorted()).toEqual(Object.keys(input).toSorted());
  });

  it.each<[string, string, string, JsonObject]>([
    ['slack', 'slack_get_channel_history', 'Show the last 30 messages', { limit: 30 }],
    ['stripe', 'list_invoices', 'List a maximum of 5 invoices', { limit: 5 }],
    ['filesystem', 'read_text_file', 'Read the last 20 lines', { tail: 20 }],
    ['filesystem', 'read_text_file', 'Read the first 20 lines', { head: 20 }],
    ['stripe', 'list_subscriptions', 'List the cancelled subscriptions', { status: 'canceled' }],
    ['playwright', 'browser_take_screenshot', 'Take a full-page screenshot', { fullPage: true }],
    ['playwright', 'browser_tabs', 'Open a new tab with https://a.org/x', { action: 'new', url: 'https://a.org/x' }],
    [
      'stripe',
      'create_payment_link',
      'Create a payment link that redirects to https://a.org/ok',
      { redirect_url: 'https://a.org/ok' },
    ],
    ['github', 'list_issues', 'List issues of the last 3 days', {}],
    ['github', 'list_issues', 'List issues about "closed doors"', {}],
    ['github', 'get_issue', 'Get issue 5', { issue_number: 5 }],
    ['slack', 'slack_post_message', 'Post "see https://a.org/x"', {}],
  ])('%s %s: %s, and nothing else', (server, tool, goal, input) => {
    expect(within(server, tool, goal).input).toEqual(input);
  });

  it('reports phrases without an argument, and passes on no relative day', () => {
    expect(within('github', 'list_issues', 'List issues in acme/site since yesterday')).toMatchObject({
      input: place,
      left: ['since yesterday'],
    });
    expect(within('github', 'search_repositories', 'Search repositories without archived ones')).toMatchObject({
      left: ['without archived'],
    });
    expect(within('github', 'update_issue', 'Close the first 5 issues with label bug in acme/site')).toMatchObject({
      input: place,
      left: ['first 5'],
    });
  });
});

describe('the arguments from any goal', () => {
  const tools = ['github', 'slack', 'stripe'].flatMap((server) => declarationsOf(server).map((tool) => ({ tool })));
  const words = fc.constantFrom(
    ...'list create the open issues with label bug and urgent in acme/site first five per page 2 since 1 March 2026 to @ann #12 "a b" without archived by name , . sorted newest named x'.split(
      ' ',
    ),
  );
  const goals = fc.oneof(
    fc.array(words, { maxLength: 14 }).map((each) => each.join(' ')),
    fc.string({ maxLength: 60 }),
  );

  it('have values that the goal says or the contract lists, and that fit', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tools), goals, fc.boolean(), ({ tool }, goal, changes) => {
        const contract = tool.input ?? {};
        const { input } = parametersWithin(goal, contract, new Set(), changes);
        for (const [name, value] of Object.entries(input)) {
          const schema = schemaOf(propertiesOf(contract)[name]);
          expect(contractOf(schema).check(value).ok, name).toBe(true);
          for (const leaf of leavesOf([value])) expect(isSaid(leaf, goal, schema), `${name}: ${leaf}`).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
  });
});

/** Numbers and days may be said in words, and listed values and flags by other forms of them. */
function isSaid(leaf: Json, goal: string, schema: JsonObject): boolean {
  if (typeof leaf !== 'string' || goal.includes(leaf)) return true;
  return JSON.stringify(schema).includes(JSON.stringify(leaf)) || /^\d{4}-\d{2}-\d{2}/.test(leaf);
}
