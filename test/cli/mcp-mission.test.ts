// A mission with the tools of public servers: it reads, writes with approval, is killed during writes, and repeats no write.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { Script } from '../../src/llm/script.ts';
import { openModelServer } from '../../src/testing/model-server.ts';
import { scriptedHttp } from '../capabilities/mcp/scripted-http.ts';
import { callsMade, type ToolScript } from '../capabilities/mcp/scripted-tools.ts';
import { patience } from '../patience.ts';
import { begin, type Ended, project, reconverge } from './reconverge.ts';

/** The overrides that a person copies from `mcp tools --propose` for this mission. */
const overrides: Readonly<Record<string, JsonObject>> = {
  github: { search_issues: { effects: ['read'], repeat: 'safe' } },
};

const template = (servers: Readonly<Record<string, JsonObject>>): JsonObject => ({
  reconverge: 1,
  name: 'report-outage',
  models: { default: { model: 'scripted', base_url: '${env.MODEL_URL}', prices: { input: '$0', output: '$0' } } },
  capabilities: Object.entries(servers).map(([name, server]) => {
    const tools = overrides[name];
    return { mcp: { name, ...server, ...(tools === undefined ? {} : { tools }) } };
  }),
  output: { issue: '{{ results.done.results }}' },
  steps: [
    { name: 'read', handler: 'filesystem.read_text_file', input: { path: 'outage.md' } },
    {
      name: 'plan',
      type: 'planning',
      dependencies: ['read'],
      goal: 'Create a GitHub issue about the outage, post a page about it in Notion, and post a message in Slack.',
      planner: { kind: 'llm' },
      convergence_target: 'done',
    },
    { name: 'done', type: 'deferred', dependencies: ['plan'] },
    {
      name: 'keep',
      handler: 'filesystem.write_file',
      dependencies: ['done'],
      input: { path: 'report.md', content: 'Reported: {{ results.read.content }}' },
    },
  ],
});

const plan = {
  rationale: 'look for a twin, then report the outage in three places',
  steps: [
    { name: 'twin', capability: 'github.search_issues', input: { q: 'repo:acme/shop outage' } },
    {
      name: 'issue',
      capability: 'github.create_issue',
      dependencies: ['twin'],
      input: { owner: 'acme', repo: 'shop', title: 'Outage', body: '{{ results.read.content }}' },
    },
    {
      name: 'page',
      capability: 'notion.api_post_page',
      dependencies: ['issue'],
      input: {
        parent: { page_id: '59833787-2cf9-4fdf-8782-e53db20768a5', type: 'page_id' },
        properties: { title: [{ text: { content: 'Outage {{ results.issue.number }}' } }] },
      },
    },
    {
      name: 'tell',
      capability: 'slack.slack_post_message',
      dependencies: ['page'],
      input: { channel_id: 'C0OPS', text: 'See issue {{ results.issue.number }}' },
    },
  ],
};

const script: Script = [{ when: { system: 'You plan' }, reply: { json: plan } }];

const answers: Readonly<Record<string, NonNullable<ToolScript['answers']>>> = {
  filesystem: { read_text_file: { content: 'The shop was down.' }, write_file: { content: 'written' } },
  github: { search_issues: { total_count: 0 }, create_issue: { number: 12 } },
  notion: { 'API-post-page': { id: 'p1' } },
  slack: { slack_post_message: { ok: true } },
};

/** These tools carry out the first call and never answer it. */
const silent: Readonly<Record<string, readonly string[]>> = {
  filesystem: ['write_file'],
  github: ['create_issue'],
  slack: ['slack_post_message'],
};

const names = ['filesystem', 'github', 'notion', 'slack'] as const;

interface Setting {
  readonly cwd: string;
  readonly scripts: Readonly<Record<string, ToolScript>>;
}

function setting(): Setting {
  const cwd = project();
  const scripts = names.map((name): [string, ToolScript] => [
    name,
    { tools: name, log: join(cwd, `${name}.log`), answers: answers[name] ?? {}, silent: silent[name] ?? [] },
  ]);
  return { cwd, scripts: Object.fromEntries(scripts) };
}

function overStdio({ cwd, scripts }: Setting): Readonly<Record<string, JsonObject>> {
  const program = join(import.meta.dirname, '../capabilities/mcp/scripted-server.ts');
  const servers = names.map((name): [string, JsonObject] => {
    writeFileSync(join(cwd, `${name}.json`), JSON.stringify(scripts[name]));
    return [name, { command: process.execPath, args: [program, `${name}.json`] }];
  });
  return Object.fromEntries(servers);
}

async function overHttp({ scripts }: Setting): Promise<Readonly<Record<string, JsonObject>>> {
  const base = await scriptedHttp(scripts);
  return Object.fromEntries(names.map((name) => [name, { url: `${base}/${name}` }]));
}

it.each([
  ['stdio', overStdio],
  ['HTTP', overHttp],
])(
  'a mission over %s reads, writes with approval, survives kills in mid-write and repeats no write',
  async (_, serve) => {
    const given = setting();
    const { cwd } = given;
    const model = await openModelServer({ script });
    onTestFinished(() => model.close());
    const env = { MODEL_URL: model.url, OPENAI_API_KEY: 'dummy' };
    writeFileSync(join(cwd, 'mission.json'), JSON.stringify(template(await serve(given))));
    const made = (server: string) => callsMade(join(cwd, `${server}.log`));
    const told = (words: readonly string[]): Promise<Ended> => reconverge(words, { cwd, env });
    const approve = (gate: string): Promise<Ended> => told(['review', 'latest', gate, '--approve', '--quiet']);

    /** Approves a call, and kills the process as soon as the server has carried out the call. */
    async function approveAndKill(gate: string, server: string, calls: number): Promise<void> {
      const running = begin(['review', 'latest', gate, '--approve', '--quiet'], { cwd, env });
      await vi.waitUntil(() => made(server).length === calls, patience);
      running.child.kill('SIGKILL');
      await running.ended;
    }

    // The run reads without a question, plans with the model, and asks before the first write.
    const begun = await told(['run', 'mission.json', '--quiet']);
    expect(begun).toMatchObject({ code: 3, stdout: expect.stringContaining('g1  approval of plan.1/issue') });
    expect(made('filesystem').map(({ tool }) => tool)).toEqual(['read_text_file']);
    expect(made('github')).toEqual([{ tool: 'search_issues', arguments: { q: 'repo:acme/shop outage' } }]);
    const shown = await told(['gates', 'latest', 'g1', '--json']);
    expect(JSON.parse(shown.stdout).context).toEqual({
      capability: 'github.create_issue',
      server: 'github',
      tool: 'create_issue',
      input: { owner: 'acme', repo: 'shop', title: 'Outage', body: 'The shop was down.' },
    });

    // The process is killed while the issue is created: a person confirms that the issue exists.
    await approveAndKill('g1', 'github', 2);
    const resumed = await told(['resume', 'latest', '--quiet']);
    expect(resumed).toMatchObject({ code: 3, stdout: expect.stringContaining('g2  outcome of plan.1/issue') });
    expect(resumed.stdout).toContain('Nobody knows whether github.create_issue was carried out');
    const answered = await told(['review', 'latest', 'g2', '--answer', '{"number": 12}', '--quiet']);
    expect(answered).toMatchObject({ code: 3, stdout: expect.stringContaining('g3  approval of plan.1/page') });
    expect(answered.stdout).toContain('notion.api_post_page, which may delete or overwrite something');

    // The process is killed while the message is posted: a person skips the call, since the message is there.
    const paged = await approve('g3');
    expect(paged).toMatchObject({ code: 3, stdout: expect.stringContaining('g4  approval of plan.1/tell') });
    await approveAndKill('g4', 'slack', 1);
    expect(await told(['resume', 'latest', '--quiet'])).toMatchObject({ code: 3 });
    const left = await told(['review', 'latest', 'g5', '--reject', 'it is there', '--quiet']);
    expect(left).toMatchObject({ code: 3, stdout: expect.stringContaining('g6  approval of keep') });

    // The process is killed while it writes a file, which is safe to repeat: the call is retried without a question.
    await approveAndKill('g6', 'filesystem', 2);
    const ended = await told(['resume', 'latest', '--quiet']);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('completed') });

    expect(made('github').map(({ tool }) => tool)).toEqual(['search_issues', 'create_issue']);
    expect(made('notion')).toEqual(
      [{ tool: 'API-post-page', arguments: plan.steps[2]?.input }].map((each) =>
        JSON.parse(JSON.stringify(each).replace('{{ results.issue.number }}', '12')),
      ),
    );
    expect(made('slack')).toEqual([
      { tool: 'slack_post_message', arguments: { channel_id: 'C0OPS', text: 'See issue 12' } },
    ]);
    const write = { tool: 'write_file', arguments: { path: 'report.md', content: 'Reported: The shop was down.' } };
    expect(made('filesystem').slice(1)).toEqual([write, write]);
    expect(model.requests).toHaveLength(1);
  },
  240_000,
);

it('a tool that takes an idempotency key is called again after a kill with the same key and without a question', async () => {
  const cwd = project();
  const log = join(cwd, 'calls.log');
  const properties = { text: { type: 'string' }, request_id: { type: 'string' } };
  const tool = { name: 'add_note', inputSchema: { type: 'object', properties, required: ['text', 'request_id'] } };
  const base = await scriptedHttp({ notes: { tools: [tool], log, silent: ['add_note'] } });
  const notes = { name: 'notes', url: `${base}/notes`, tools: { add_note: { key: 'request_id' } } };
  const steps = [{ name: 'add', handler: 'notes.add_note', input: { text: 'milk' } }];
  writeFileSync(
    join(cwd, 'add.json'),
    JSON.stringify({ reconverge: 1, name: 'add', capabilities: [{ mcp: notes }], steps }),
  );
  const running = begin(['run', 'add.json', '--quiet'], { cwd });
  await vi.waitUntil(() => callsMade(log).length === 1, patience);
  running.child.kill('SIGKILL');
  await running.ended;
  expect(await reconverge(['resume', 'latest', '--quiet'], { cwd })).toMatchObject({ code: 0 });
  const [first, second, ...more] = callsMade(log);
  expect(first).toEqual({ tool: 'add_note', arguments: { text: 'milk', request_id: expect.stringMatching(/./) } });
  expect([second, more]).toEqual([first, []]);
});
