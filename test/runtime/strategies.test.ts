// Planning strategies over HTTP: each sends a model its prompt about the tools of a public server, and a run plans with the answers.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import type { Script } from '../../src/llm/script.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { type ModelServer, openModelServer } from '../../src/testing/model-server.ts';
import { root } from '../sources.ts';
import { engineOf, good, pathTo } from './set-up.ts';

interface PublicTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

const listed = JSON.parse(readFileSync(join(root, 'bench/resolution/data/servers/github.json'), 'utf8')) as {
  readonly tools: readonly PublicTool[];
};
const calls: { readonly name: string; readonly input: unknown }[] = [];
const tools = listed.tools.map(({ name, description, inputSchema: { $schema: _, ...input } }) =>
  defineCapability({
    name: `github.${name}`,
    description,
    input,
    effects: ['read'],
    run: (given) => {
      calls.push({ name: `github.${name}`, input: given });
      return { done: name };
    },
  }),
);

let server: ModelServer | undefined;
afterEach(async () => {
  calls.length = 0;
  await server?.close();
  server = undefined;
});

async function ran(planner: string, goal: string, script: Script = []) {
  const template = `reconverge: 1
name: sent
models: { default: { model: planner, max_retries: 0, prices: { input: $0, output: $0 } } }
steps:
  - { name: plan, type: planning, goal: ${JSON.stringify(goal)}, planner: ${planner}, convergence_target: end }
  - { name: end, type: deferred, after: plan }
`;
  writeFileSync(pathTo('template.yaml'), template);
  server = await openModelServer({ script });
  const surroundings = { OPENAI_BASE_URL: server.url };
  const engine = engineOf({ journal: openMemoryJournal(), capabilities: tools, surroundings });
  const report = await good(await engine.start(good(await engine.load('template.yaml')), {})).done;
  const sent = server.requests.map(({ body }) => JSON.parse(JSON.stringify(body)) as Sent);
  return { report, unused: server.unused(), sent, told: sent.map(toldIn) };
}

interface Sent {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

const toldIn = ({ messages }: Sent): string => messages.map(({ content }) => content).join('\n\n');
const namesIn = (told: string): readonly string[] => [...new Set(told.match(/github\.[a-z_]+/g) ?? [])].sort();
const all = listed.tools.map(({ name }) => `github.${name}`).sort();

const repo = { owner: 'acme', repo: 'site' };
const goal = 'Have a look at the newest complaints about acme/site';
const chosen = (...choices: readonly JsonObject[]) => ({ json: { choices: [...choices] } });

describe('pattern', () => {
  it('sends no request, and calls the tool that the words of the goal name', async () => {
    const { report, sent } = await ran('{ kind: pattern }', 'Search the repositories for "planner"');
    expect(report.status).toBe('completed');
    expect(sent).toEqual([]);
    expect(calls).toEqual([{ name: 'github.search_repositories', input: { query: 'planner' } }]);
  });
});

describe('hybrid', () => {
  it('sends no request when the words name the tool of every task', async () => {
    const { report, sent } = await ran('{ kind: hybrid }', 'Search the repositories for "planner"');
    expect(report.status).toBe('completed');
    expect(sent).toEqual([]);
  });

  it('sends one request with the signatures of all tools for the tasks that words leave open, without contracts', async () => {
    const both = 'List the tickets of acme/site that are open. Search the repositories for "planner".';
    const { report, sent, told, unused } = await ran('{ kind: hybrid }', both, [
      {
        when: { system: 'You choose which tool' },
        reply: chosen({ task: 1, capability: 'github.list_issues', arguments: { ...repo, state: 'open' } }),
      },
    ]);
    expect(unused).toEqual([]);
    expect(report.status).toBe('completed');
    expect(sent).toHaveLength(1);
    expect(namesIn(told[0] ?? '')).toEqual(all);
    expect(told[0]).toContain('- github.list_issues(owner, repo, direction :"asc"|:"desc"?');
    expect(told[0]).not.toContain('"properties"');
    expect(told[0]).toContain('"does":"List the tickets of acme/site that are open"');
    expect(told[0]).not.toContain('"does":"Search the repositories');
    expect(calls).toContainEqual({ name: 'github.list_issues', input: { ...repo, state: 'open' } });
    expect(calls).toContainEqual({ name: 'github.search_repositories', input: { query: 'planner' } });
  });
});

describe('intent_first', () => {
  it('sends the goal without tools, and renames the arguments of the intents to the contracts of the tools', async () => {
    const intent = (id: string, does: string, input: JsonObject) => ({ id, does, kind: 'call', input, after: [] });
    const { report, told, unused } = await ran('{ kind: llm, strategy: intent_first }', goal, [
      {
        when: { system: 'You do not see the tools' },
        reply: {
          json: {
            confidence: 0.9,
            intents: [
              intent('a', 'list the issues', { owner: 'acme', repo: 'site', per_page: 5 }),
              intent('b', 'search the code', { search_term: 'backoff' }),
              intent('c', 'list the commits', { owner: 'acme', repository: 'site', page_size: 3 }),
            ],
          },
        },
      },
    ]);
    expect(unused).toEqual([]);
    expect(report.status).toBe('completed');
    expect(namesIn(told[0] ?? '')).toEqual([]);
    expect(JSON.stringify(listed.tools).length).toBeGreaterThan(8_000);
    expect(calls).toContainEqual({ name: 'github.list_issues', input: { ...repo, per_page: 5 } });
    expect(calls).toContainEqual({ name: 'github.search_code', input: { q: 'backoff' } });
    expect(calls).toContainEqual({ name: 'github.list_commits', input: { ...repo, perPage: 3 } });
  });
});

describe('grounded', () => {
  it('sends only tools that may serve a clause of the goal, with their parameters', async () => {
    const clauses = 'Fork acme/site, search the code for "planner", and merge the pull request 7';
    const { report, told } = await ran('{ kind: llm, strategy: grounded }', clauses, [
      {
        when: { system: 'each of which one of the listed capabilities' },
        reply: {
          json: {
            confidence: 0.9,
            intents: [
              { id: 'f', does: 'fork acme/site', kind: 'call', capability: 'github.fork_repository', input: repo },
            ],
          },
        },
      },
    ]);
    expect(report.status).toBe('completed');
    const shown = namesIn(told[0] ?? '');
    expect(shown).toEqual(
      expect.arrayContaining(['github.fork_repository', 'github.search_code', 'github.merge_pull_request']),
    );
    expect(shown.length).toBeLessThan(all.length);
    expect(told[0]).toContain('merge_method :"merge"|:"squash"|:"rebase"?');
    expect(calls).toEqual([{ name: 'github.fork_repository', input: repo }]);
  });
});

describe('direct', () => {
  it('sends every tool as a signature, and shows a contract when the model looks', async () => {
    const planning = { system: 'You plan the next part' };
    const { report, told } = await ran('{ kind: llm }', 'Merge the pull request 7 of acme/site', [
      {
        when: { ...planning, turn: 1 },
        reply: { json: { look: [{ capability: 'github.merge_pull_request' }] } },
      },
      {
        when: { ...planning, turn: 2 },
        reply: {
          json: {
            steps: [{ name: 'merge', capability: 'github.merge_pull_request', input: { ...repo, pull_number: 7 } }],
          },
        },
      },
    ]);
    expect(report.status).toBe('completed');
    const lines = (told[0] ?? '').split('\n').filter((line) => /^github\.[a-z_]+\(/.test(line));
    expect(lines).toHaveLength(all.length);
    expect(told[0]).not.toContain('"properties"');
    expect(told[1]).toContain('{"name":"github.merge_pull_request"');
    expect(told[1]).toContain('"input":{');
  });
});
