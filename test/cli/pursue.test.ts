// Goals without a template on the command line: how they are read, their requirements, and their results.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, project } from './reconverge.ts';

const handlers = `import { defineCapability } from 'reconverge';
export const shout = defineCapability({
  name: 'text.shout',
  description: 'Says a text aloud.',
  input: '{text :string}',
  effects: ['compute'],
  run: ({ text }) => text.toUpperCase(),
});
`;

const lending = `reconverge: 1
name: lender
capabilities: [./handlers.ts]
agents: { tester: { prompt: You write tests. } }
steps: [{ name: a, type: compute, expr: !lisp "1" }]
`;

const files = { 'sub/handlers.ts': handlers, 'sub/lender.yaml': lending };
const twice = 'Use text.shout, text: "hello". Then use text.shout, text: "you".';

describe('pursue --plan-only', () => {
  it('shows the phases of a broad goal', async () => {
    const cwd = project({});
    const goal = 'Look into data/, then write what fits the findings to out.md';
    const { code, stdout } = await call(['pursue', goal, '--pattern', 'auto', '--plan-only'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('2 phases, each planned when it is due: recon execute, the words of the goal ask for it');
    expect(stdout).toMatch(/2 {2}execute {2}write what fits the findings to out\.md/);
    const asked = await call(['pursue', 'Sort it', '--pattern', 'map_analyze_reduce', '--plan-only', '--json'], {
      cwd,
    });
    expect(JSON.parse(asked.stdout)).toMatchObject({ phased: { phases: { length: 3 } } });
    const flat = await call(['pursue', 'List the files in data/', '--pattern', 'auto', '--plan-only'], { cwd });
    expect(flat.stdout).toContain('1 task');
  });

  it('warns about words that give a capability an argument it does not take', async () => {
    const cwd = project({ 'a.csv': 'id\n1\n' });
    const { code, stdout } = await call(['pursue', 'Use csv.sniff on a.csv, colour: red', '--plan-only'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/warning ARGUMENT_UNKNOWN: csv\.sniff does not take "colour"/);
  });

  it('shows the tasks, their capabilities and how the goal was understood, and starts nothing', async () => {
    const cwd = project(files);
    const goal = 'Add login. Use basic auth. Read the spec at https://example.com/spec.pdf. Then write unit tests.';
    const { code, stdout } = await call(['pursue', goal, '--plan-only'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^4 tasks, confidence 0.9\n/);
    expect(stdout).toMatch(
      /1 {2}processing {2}to be said {12}Read the spec .*\(link https:\/\/example.com\/spec.pdf\)/,
    );
    expect(stdout).toMatch(/3 {2}processing {2}agent default {2}2 {6}Use basic auth/);
    expect(stdout).toMatch(/note: "Read the spec .*" comes first/);
    expect(existsSync(join(cwd, '.reconverge'))).toBe(false);
  });

  it('answers --json with tasks and steps', async () => {
    const { code, stdout } = await call(['pursue', 'List the files in data/', '--plan-only', '--json'], {
      cwd: project(files),
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      confidence: 0.9,
      signals: [],
      tasks: [
        { kind: 'processing', description: 'List the files in data/', attachments: [{ kind: 'file', ref: 'data/' }] },
      ],
      steps: [{ capability: 'files.list', input: { folder: 'data/' } }],
    });
  });

  it('exits with 1 and a reason if the words do not suffice', async () => {
    const cwd = project(files);
    const unclear = await call(['pursue', 'Fetch it if it is there', '--plan-only'], { cwd });
    expect(unclear).toMatchObject({ code: 1, stdout: expect.stringMatching(/no tasks by the words alone: .*"if"/) });
    const unserved = await call(['pursue', 'Unpublish the moon', '--plan-only'], { cwd });
    expect(unserved).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/no plan: no capability serves "Unpublish the moon"/),
    });
  });

  it.each(['do something weird', 'öffne ein Ticket', '列出所有问题'])(
    'has a low confidence in its reading of "%s"',
    async (goal) => {
      const { stdout } = await call(['pursue', goal, '--plan-only', '--json'], { cwd: project(files) });
      expect(JSON.parse(stdout)).toMatchObject({ confidence: 0.5, tasks: [{ description: goal }] });
    },
  );

  it('uses the given kinds and capabilities', async () => {
    const cwd = project(files);
    const kinds = '{"unit_test": "tester"}';
    const words = [
      'pursue',
      `${twice} Write unit tests.`,
      '--template',
      'sub/lender.yaml',
      '--kinds',
      kinds,
      '--plan-only',
    ];
    const { stdout } = await call(words, { cwd });
    expect(stdout).toMatch(/1 {2}tool_call {2}text.shout/);
    expect(stdout).toMatch(/3 {2}unit_test {2}agent tester/);
  });
});

const tracker = `import { defineCapability } from 'reconverge';
const issues = [1, 2, 3, 4, 5].map((number) => ({ number, state: number % 2 === 1 ? 'open' : 'closed' }));
const issue = { type: 'object', properties: { number: { type: 'integer' } } };
const repo = { type: 'string' };
export const list = defineCapability({
  name: 'issues.list',
  description: 'Lists the issues of a repository.',
  effects: ['read'],
  input: {
    type: 'object',
    required: ['repo'],
    properties: { repo, state: { enum: ['open', 'closed'] }, direction: { enum: ['asc', 'desc'] }, per_page: { type: 'integer' } },
  },
  output: { type: 'object', properties: { issues: { type: 'array', items: issue } } },
  run: ({ state, direction, per_page = 100 }) => {
    const found = issues.filter((each) => state === undefined || each.state === state);
    return { issues: (direction === 'desc' ? found.reverse() : found).slice(0, per_page) };
  },
});
export const count = defineCapability({
  name: 'comments.count',
  description: 'Counts the comments of an issue.',
  effects: ['read'],
  input: { type: 'object', required: ['repo', 'issue_number'], properties: { repo, issue_number: { type: 'integer' } } },
  output: { type: 'integer' },
  run: ({ issue_number }) => issue_number * 10,
});
export const sum = defineCapability({
  name: 'math.sum',
  description: 'Adds numbers up.',
  effects: ['pure'],
  input: { type: 'object', required: ['values'], properties: { values: { type: 'array', items: { type: 'integer' } } } },
  output: { type: 'integer' },
  run: ({ values }) => values.reduce((sum, each) => sum + each, 0),
});
`;

describe('pursue, with calls that depend on each other', () => {
  const lend = ['--capabilities', './tracker.ts'];
  const there = () => project({ 'tracker.ts': tracker });
  const pursued = async (cwd: string, goal: string) => {
    const { code, stdout } = await call(['pursue', goal, ...lend, '--json'], { cwd });
    return { code, answer: JSON.parse(stdout.trim().split('\n').at(-1) ?? '') };
  };
  const open = 'List the issues of the repo "acme/site", then filter them to the open ones, newest first';

  it('puts a later restriction into the arguments of the earlier call, and says so', async () => {
    const cwd = there();
    const { code, answer } = await pursued(cwd, `${open}, then take the first 2`);
    expect(code).toBe(0);
    expect(answer.report.output).toMatchObject({ list_the_issues_of_the: { issues: [{ number: 5 }, { number: 3 }] } });
    const told = await call(['why', answer.report.run, 'list_the_issues_of_the'], { cwd });
    expect(told.stdout).toContain('"take the first 2" is asked of issues.list: per_page 2');
    expect((await call(['why', answer.report.run], { cwd })).stdout).toMatch(
      / {2}3 {2}take the first 2 {2}after 2\n {7}issues.list: asked of it with the call before\n/,
    );
  });

  it('leaves a restriction that the call does not take to another step', async () => {
    const words = ['pursue', `${open}, then sort by size`, ...lend, '--plan-only'];
    const { stdout } = await call(words, { cwd: there() });
    expect(stdout).toMatch(/processing {2}issues.list +1 +filter them to the open ones, newest first\n/);
    expect(stdout).toMatch(/processing {2}to be said +2 +sort by size\n/);
  });

  it('calls a capability for each item of a list that an earlier step returns', async () => {
    const { code, answer } = await pursued(
      there(),
      `${open}, then count the comments of each issue, then use math.sum`,
    );
    expect(code).toBe(0);
    expect(answer.report.output).toEqual({ use_math_sum: 90 });
  });
});

describe('pursue', () => {
  it('carries out a fully specified goal without a model, and reports the result', async () => {
    const cwd = project(files);
    const { code, stdout } = await call(['pursue', twice, '--capabilities', 'sub/handlers.ts', '--json'], { cwd });
    expect(code).toBe(0);
    const { report } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    expect(report).toMatchObject({ status: 'completed', output: { use_text_shout_text_you: 'YOU' } });
  });

  it('starts nothing if it needs a missing model', async () => {
    const cwd = project(files);
    const env = { RECONVERGE_MODEL: '' };
    const { code, stderr } = await call(['pursue', 'Explain a, then explain b'], { cwd, env });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /MODEL_NOT_CONFIGURED: this goal needs a model, and none is set up: "Explain a" is work for a model\n.*set OPENAI_API_KEY/,
    );
    expect((await call(['runs', '--json'], { cwd })).stdout).toContain('"runs": []');
  });

  it('asks which file is meant if a named file is missing', async () => {
    const cwd = project(files);
    const words = ['pursue', 'Use csv.profile on orders.csv', '--quiet'];
    const { code, stdout } = await call(words, { cwd });
    expect(code).toBe(3);
    expect(stdout).toMatch(/"orders.csv" is not there.* Which file is meant\?/);
  });

  it('reports failures task by task', async () => {
    const cwd = project({ ...files, 'a.csv': '' });
    const goal = '- Use csv.profile on a.csv\n- Use text.shout, text: "on"';
    const words = ['pursue', goal, '--sequential', '--capabilities', './sub/handlers.ts', '--quiet'];
    const { code, stdout } = await call(words, { cwd });
    expect(stdout).toMatch(/tolerated:\n {2}plan.1\/use_csv_profile_on_a {2}Use csv.profile on a.csv {2}\w+: ./);
    expect(code).toBe(0);
  });

  it.each([
    [['--kinds', '{'], 2, /--kinds is not JSON/],
    [['--kinds', '[]'], 2, /--kinds .*cannot be read|not a map/],
    [['--kinds', '{"unit_test": {"agnt": "x"}}'], 1, /"agnt" is not a key .*\n.*did you mean "agent"/],
    [['--kinds', '{"unit_test": {"agent": "gone"}}'], 1, /AGENT_UNKNOWN: no agent is named "gone"/],
    [
      ['--kinds', '{"unit_test": {"capability": "gone.x"}}'],
      1,
      /CAPABILITY_UNKNOWN: no granted capability is called "gone.x"/,
    ],
    [['--template', 'gone.yaml'], 2, /--template gone.yaml cannot be read/],
    [['--budget', 'max_total_stps=3'], 1, /did you mean "max_total_steps"/],
    [['--capabilities', 'gone.ts'], 1, /gone.ts/],
  ])('refuses %j', async (flags, code, says) => {
    const ended = await call(['pursue', twice, ...flags], { cwd: project(files) });
    expect(ended.stderr).toMatch(says);
    expect(ended.code).toBe(code);
  });

  it('refuses an empty goal', async () => {
    const ended = await call(['pursue', '  '], { cwd: project(files) });
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('the goal is empty') });
  });
});
