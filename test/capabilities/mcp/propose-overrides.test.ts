// Proposals for tools of public servers, judged by their names.
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { declareTools } from '../../../src/capabilities/mcp/declare.ts';
import { destroyingWordOf, readingWordOf } from '../../../src/capabilities/mcp/name-words.ts';
import { proposeOverrides } from '../../../src/capabilities/mcp/propose-overrides.ts';
import { recordedTools } from './scripted-tools.ts';

const proposedFor = (tools: readonly JsonObject[]) =>
  Object.fromEntries(
    proposeOverrides(declareTools('server', tools).declarations).map(({ tool, override }) => [tool, override]),
  );

it('tools of public servers without hints are proposed as reading exactly when they read', () => {
  const proposed = Object.keys({ ...proposedFor(recordedTools('github')), ...proposedFor(recordedTools('slack')) });
  expect(proposed.sort()).toEqual([
    'get_file_contents',
    'get_issue',
    'get_pull_request',
    'get_pull_request_comments',
    'get_pull_request_files',
    'get_pull_request_reviews',
    'get_pull_request_status',
    'list_commits',
    'list_issues',
    'list_pull_requests',
    'search_code',
    'search_issues',
    'search_repositories',
    'search_users',
    'slack_get_channel_history',
    'slack_get_thread_replies',
    'slack_get_user_profile',
    'slack_get_users',
    'slack_list_channels',
  ]);
});

it('a search that a server marks as destructive is proposed as reading', () => {
  expect(Object.keys(proposedFor(recordedTools('notion')))).toEqual(['API-post-search', 'API-query-data-source']);
});

it('no proposal contradicts an explicit hint of a server', () => {
  for (const server of ['filesystem', 'memory', 'stripe', 'playwright', 'everything']) {
    expect([server, proposedFor(recordedTools(server))]).toEqual([server, {}]);
  }
});

it('a tool that runs a given program is not proposed as reading', () => {
  const taking = (parameter: string) => ({
    name: 'd1_query',
    inputSchema: { type: 'object', properties: { [parameter]: { type: 'string' } } },
  });
  expect(proposedFor([taking('sql')])).toEqual({});
  expect(proposedFor([taking('filter')])).toEqual({ d1_query: { effects: ['read'], repeat: 'safe' } });
});

it('a parameter for an idempotency key is proposed as one', () => {
  const inputSchema = { type: 'object', properties: { idempotencyKey: { type: 'string' } } };
  expect(proposedFor([{ name: 'createCharge', inputSchema }])).toEqual({
    createCharge: { effects: ['write'], key: 'idempotencyKey' },
  });
});

it.each([
  ['delete_file', 'delete'],
  ['API-delete-a-block', 'delete'],
  ['linear_removeUserFromTeam', 'remove'],
  ['findOneAndDelete', 'delete'],
  ['find_one_and_delete', 'delete'],
  ['list_trash', undefined],
  ['get_deleted_items', undefined],
  ['deletion_status', undefined],
  ['write_file', undefined],
])('the name %s destroys by the word %s', (name, word) => {
  expect(destroyingWordOf(name)).toBe(word);
});

it.each([
  ['getUserByID', 'get'],
  ['linear_getProjectUpdates', 'get'],
  ['API-retrieve-a-page', 'retrieve'],
  ['slack_list_channels', 'list'],
  ['API-post-search', 'search'],
  ['API-post-page', undefined],
  ['get_or_create_label', undefined],
  ['createSavedView', undefined],
  ['mark_all_as_read', undefined],
  ['push_files', undefined],
])('the name %s reads by the word %s', (name, word) => {
  expect(readingWordOf(name)).toBe(word);
});
