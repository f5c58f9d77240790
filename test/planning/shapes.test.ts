// The shapes in which plans come: phases, maps, plain words, agents, and the plans of the first design notes.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { readFragment } from '../../src/planning/read-fragment.ts';
import { read } from './given-frame.ts';

const wiring = (reply: Json) =>
  Object.fromEntries(read(reply).steps.map(({ name, dependencies }) => [name, dependencies]));

const problems = (reply: Json) => {
  const result = readFragment(reply);
  return result.ok ? [] : result.error.issues.map(({ code, path }) => `${code} ${path.join('.')}`);
};

const sniff = (name: string, more: Record<string, Json> = {}): Json => ({ name, tool: 'csv.sniff', ...more });

describe('phases', () => {
  const recon = [sniff('a'), sniff('b')];
  const execute = [sniff('join'), sniff('write', { after: 'join' })];
  const expected = { a: [], b: [], join: ['a', 'b'], write: ['join'] };

  test.each<{ title: string; reply: Json }>([
    {
      title: 'in a list',
      reply: [
        { phase: 'recon', steps: recon },
        { phase: 'execute', tasks: execute },
      ],
    },
    {
      title: 'under a name',
      reply: {
        plan: [
          { name: 'recon', tasks: recon },
          { id: 'execute', steps: execute },
        ],
      },
    },
    { title: 'as a map', reply: { phases: { recon, execute } } },
    { title: 'as a map of maps', reply: { phases: { recon: { steps: recon }, execute: { tasks: execute } } } },
    { title: 'as the reply itself', reply: { recon: { steps: recon }, execute: { tasks: execute } } },
    { title: 'as mere lists', reply: { rationale: 'two', phases: [recon, execute] } },
  ])('follow each other as $title', ({ reply }) => {
    expect(wiring(reply)).toEqual(expected);
    expect(read(reply).phased).toBe(true);
    expect(read(reply).understood.join()).toMatch(/phases "(recon|phase_1)", "(execute|phase_2)"/);
    expect(read(read(reply).raw).digest).toBe(read(reply).digest);
  });

  test('wait for the phases that they name, or for none', () => {
    const reply = [
      { phase: 'left', steps: [sniff('a')] },
      { phase: 'right', depends_on: [], steps: [sniff('b')] },
      { phase: 'end', after: ['left', 'right'], steps: [sniff('c')] },
      { phase: 'beside', after: 'left', steps: [sniff('d', { after: ['right'] })] },
    ];
    expect(wiring(reply)).toEqual({ a: [], b: [], c: ['a', 'b'], d: ['b', 'a'] });
  });

  test('without steps pass their dependencies on', () => {
    const reply = { phases: { first: [sniff('a')], second: [], third: [sniff('b')] } };
    expect(wiring(reply)).toEqual({ a: [], b: ['a'] });
  });

  test('may repeat a step name, which then means the nearest earlier step', () => {
    const reply = {
      phases: {
        recon: [sniff('fetch')],
        Execute: [sniff('fetch', { input: { path: '{{ results.use.path }}' } }), sniff('use')],
        report: [sniff('tell', { input: { path: '{{ results.fetch.path }}' } })],
      },
    };
    const fragment = read(reply);
    expect(fragment.steps.map(({ name }) => name)).toEqual(['fetch', 'execute_fetch', 'use', 'tell']);
    expect(fragment.steps[3]?.input).toEqual({ path: '{{ results.execute_fetch.path }}' });
    expect(fragment.understood).toContain('step "fetch" as "execute_fetch"');
  });

  test('give their purposes to the rationale', () => {
    const reply = {
      rationale: 'look first',
      phases: [{ phase: 'recon', goal: 'know the files', steps: [sniff('a')] }],
    };
    expect(read(reply).rationale).toBe('look first\nrecon: know the files');
  });

  test.each<{ title: string; reply: Json; issues: readonly string[] }>([
    {
      title: 'a key that no phase has',
      reply: [{ phase: 'recon', parallel: true, steps: [sniff('a')] }],
      issues: ['SHAPE_UNKNOWN_KEY 0.parallel'],
    },
    {
      title: 'a purpose that is no text',
      reply: [{ phase: 'recon', goal: ['x'], steps: [sniff('a')] }],
      issues: ['SHAPE_WRONG_TYPE 0.goal'],
    },
    {
      title: 'a phase among steps',
      reply: { steps: [sniff('b'), { phase: 'recon', steps: [] }] },
      issues: ['SHAPE_UNKNOWN_KEY steps.1.phase', 'SHAPE_UNKNOWN_KEY steps.1.steps', 'SHAPE_MISSING_KEY steps.1'],
    },
    {
      title: 'a phase without steps',
      reply: { phases: { recon: 'look' } },
      issues: ['FRAGMENT_UNREADABLE phases.recon'],
    },
    {
      title: 'a wait for a phase that is not there',
      reply: [{ phase: 'execute', after: 'recon', steps: [sniff('a')] }],
      issues: ['DEPENDENCY_UNKNOWN '],
    },
    {
      title: 'a mistake inside of one, in its own words',
      reply: { plan: { phases: { recon: { tasks: [sniff('a'), { id: 'b', tool: 'x', args: '{{ results }' }] } } } },
      issues: ['REFERENCE_MALFORMED plan.phases.recon.tasks.1.args'],
    },
  ])('cause an issue for $title', ({ reply, issues }) => {
    expect(problems(reply)).toEqual(issues);
  });
});

describe('maps of steps', () => {
  test('use their keys as step names', () => {
    const reply = { tasks: { 'Fetch A': { tool: 'csv.sniff' }, use: { tool: 'csv.sniff', after: 'Fetch A' } } };
    expect(wiring(reply)).toEqual({ fetch_a: [], use: ['fetch_a'] });
    expect(read(reply).understood).toContain('a map of steps by their names');
  });

  test('cause an issue when key and name differ', () => {
    expect(problems({ steps: { a: { name: 'b', tool: 'csv.sniff' } } })).toEqual(['FRAGMENT_UNREADABLE steps.a']);
  });
});

describe('steps in plain words', () => {
  test('are tasks of the default agent, named by their first words', () => {
    const fragment = read({ tasks: ['Find the creator of Elixir, please', 'Find the creator of Elixir and more'] });
    expect(fragment.steps).toMatchObject([
      { name: 'find_the_creator_of_elixir_please', agent: { name: 'default' }, dependencies: [] },
      { name: 'find_the_creator_of_elixir_and', description: 'Find the creator of Elixir and more' },
    ]);
    expect(read({ steps: ['Look', 'Look'] }).steps.map(({ name }) => name)).toEqual(['look', 'look_2']);
    expect(fragment.understood).toContain(
      'the text "find_the_creator_of_elixir_please" as a task of the default agent',
    );
  });

  test('go to the default agent when no agent is named', () => {
    const { steps, understood } = read([
      { id: 'a', input: 'Find out more' },
      { id: 'b', description: 'Find out more' },
    ]);
    expect(steps).toMatchObject([{ agent: { name: 'default' } }, { agent: { name: 'default' } }]);
    expect(understood).toContain('the default agent for a task without one');
  });

  test.each<Json>([{ id: 'a' }, { id: 'a', input: { path: 'x' } }, { id: 'a', input: '{{ results.b }}' }])(
    'are missed where nothing says what to do: %j',
    (step) => {
      expect(problems({ steps: [step] })).toEqual(['SHAPE_MISSING_KEY steps.0']);
    },
  );

  test('cause an issue when they are empty', () => {
    expect(problems({ steps: ['…'] })).toEqual(['SHAPE_WRONG_TYPE steps.0']);
  });
});

describe('the task of an agent', () => {
  const task = (input: Json, more: Record<string, Json> = {}) => {
    const [, step] = read([sniff('a'), { id: 'b', agent: 'default', input, ...more }]).steps;
    return [step?.description, step?.input];
  };

  test('is read from an input in words, and references become data', () => {
    expect(task('Sum up {{ results.a.columns }} and {{results["a"].rows}} for {{ input.who }}')).toEqual([
      'Sum up a.columns and a.rows for input.who',
      {
        'a.columns': '{{ results.a.columns }}',
        'a.rows': '{{ results.a.rows }}',
        'input.who': '{{ input.who }}',
      },
    ]);
    expect(task('Sum up')).toEqual(['Sum up', undefined]);
    expect(task('Sum up', { description: 'The end' })).toEqual(['The end\nSum up', undefined]);
  });

  test('is read from its description, and references become dependencies', () => {
    const told = (more: Record<string, Json>) =>
      read([sniff('a'), { id: 'b', agent: 'default', description: 'Sum up {{results.a.rows}}', ...more }]);
    const [, step] = told({}).steps;
    expect([step?.description, step?.input]).toEqual(['Sum up a.rows', { 'a.rows': '{{ results.a.rows }}' }]);
    expect(told({}).understood).toContain('what a description refers to as input');
    expect(told({ input: { most: 3 } }).steps[1]?.input).toEqual({ 'a.rows': '{{ results.a.rows }}', most: 3 });
    expect(task('Sum up', { description: 'Of {{ results.a }}' })).toEqual(['Of a\nSum up', { a: '{{ results.a }}' }]);
  });

  test('keeps placeholders of other template languages as written', () => {
    expect(task({ n: 1 }, { description: 'Explain {{ name }}' })).toEqual(['Explain {{ name }}', { n: 1 }]);
  });

  test('does not include input that is data', () => {
    expect(task({ of: '{{ results.a }}' })).toEqual([undefined, { of: '{{ results.a }}' }]);
    expect(task('{{ results.a }}')).toEqual([undefined, '{{ results.a }}']);
  });

  test('keeps its place in the reply for issues', () => {
    expect(problems({ tasks: [{ id: 'b', agent: 'default', input: 'Sum up {{ results }' }] })).toEqual([
      'REFERENCE_MALFORMED tasks.0.input',
    ]);
  });
});

describe('the agents of a plan', () => {
  const doing = (agents: Json, agent: string) => {
    const { steps, understood } = read({ agents, tasks: [{ id: 'a', agent, input: 'Find X' }] });
    return { agent: steps[0]?.agent, understood };
  };

  test('are copied into the steps that name them', () => {
    const { agent } = doing({ researcher: { prompt: 'You search.', tools: ['search'], max_turns: 3 } }, 'researcher');
    expect(agent).toEqual({
      name: 'researcher',
      own: { name: 'researcher', prompt: 'You search.', tools: ['search'], maxTurns: 3 },
    });
  });

  test.each<{ title: string; agents: Json; agent: string; prompt: string }>([
    { title: 'as texts', agents: { researcher: 'You search.' }, agent: 'researcher', prompt: 'You search.' },
    {
      title: 'as a list',
      agents: [{ name: 'Re Searcher', system: 'You search.' }],
      agent: 'Re Searcher',
      prompt: 'You search.',
    },
    { title: 'as a list of texts', agents: ['researcher'], agent: 'researcher', prompt: 'researcher' },
    {
      title: 'with a role, a goal and a backstory',
      agents: [{ id: 'r', role: 'Researcher', goal: 'Find X', backstory: 'A librarian' }],
      agent: 'r',
      prompt: 'Role: Researcher\nGoal: Find X\nBackstory: A librarian',
    },
    { title: 'with instructions', agents: { r: { instructions: 'You search.' } }, agent: 'r', prompt: 'You search.' },
  ])('may be written $title', ({ agents, agent, prompt }) => {
    const { agent: found, understood } = doing(agents, agent);
    expect(found?.own?.prompt).toBe(prompt);
    expect(understood.length).toBeGreaterThan(0);
  });

  test.each(['agent', 'agent_id', 'assigned_to'])('may be named with the key %s', (key) => {
    const { steps } = read({ agents: { Ann: 'You search.' }, tasks: [{ id: 'a', [key]: 'Ann', input: 'Find X' }] });
    expect(steps[0]?.agent).toMatchObject({ name: 'ann', own: { prompt: 'You search.' } });
  });

  test('cause a note when no step names them', () => {
    const { agent, understood } = doing({ ann: 'You search.', bob: 'You write.' }, 'ann');
    expect(agent?.name).toBe('ann');
    expect(understood).toContain('agent "bob" as one that no step names');
  });

  test('stay a name when the plan does not define them', () => {
    expect(doing({}, 'archivist').agent).toEqual({ name: 'archivist' });
  });

  test('change the digest of the plan when their prompts differ', () => {
    const digest = (prompt: string) =>
      read({ agents: { r: prompt }, tasks: [{ id: 'a', agent: 'r', input: 'x' }] }).digest;
    expect(digest('one')).not.toBe(digest('two'));
  });

  test.each<{ title: string; agents: Json; issues: readonly string[] }>([
    { title: 'without a prompt', agents: { r: { tools: [] } }, issues: ['SHAPE_MISSING_KEY agents.r'] },
    { title: 'without a name', agents: [{ prompt: 'x' }], issues: ['SHAPE_MISSING_KEY agents.0'] },
    {
      title: 'with an unknown key',
      agents: [{ name: 'r', prompt: 'x', colour: 'red' }],
      issues: ['SHAPE_UNKNOWN_KEY agents.0.colour'],
    },
    { title: 'twice', agents: { r: 'x', R: 'y' }, issues: ['SHAPE_KEY_REPEATED agents.R'] },
    { title: 'as a number', agents: 7, issues: ['SHAPE_MISSING_KEY agents'] },
  ])('cause an issue when $title', ({ agents, issues }) => {
    expect(problems({ agents, steps: [] })).toEqual(issues);
  });
});

describe('the plans of the first design notes', () => {
  test('include stock prices: two agents, and a gate that compares', () => {
    const { steps, understood } = read({
      agents: { researcher: { prompt: 'You are a financial researcher.', tools: ['fetch_price'] } },
      tasks: [
        {
          id: 'fetch_aapl',
          agent: 'researcher',
          input: 'Fetch AAPL stock price',
          verification: '(> (get data/result "price") 0)',
          on_verification_failure: 'replan',
        },
        { id: 'fetch_msft', agent: 'researcher', input: 'Fetch MSFT stock price' },
        {
          id: 'compare',
          agent: 'default',
          input: 'Compare prices: {{results.fetch_aapl}} vs {{results.fetch_msft}}',
          depends_on: ['fetch_aapl', 'fetch_msft'],
          type: 'synthesis_gate',
        },
      ],
    });
    expect(steps).toMatchObject([
      { name: 'fetch_aapl', agent: { own: { tools: ['fetch_price'] } }, onVerificationFailure: 'replan' },
      { name: 'fetch_msft', critical: true },
      {
        name: 'compare',
        type: 'synthesis_gate',
        agent: { name: 'default' },
        dependencies: ['fetch_aapl', 'fetch_msft'],
      },
    ]);
    expect(understood).toEqual(['"tasks" for "steps"', '"id" for "name"']);
  });

  test('include a review between research and report, with a question under "input"', () => {
    const { steps } = read({
      tasks: [
        { id: 'research', input: 'Research topic' },
        { id: 'verify', input: 'Verify: {{results.research}}', type: 'human_review', depends_on: ['research'] },
        { id: 'report', input: 'Write report', depends_on: ['verify'] },
      ],
    });
    expect(steps).toMatchObject([
      { name: 'research', agent: { name: 'default' } },
      { name: 'verify', type: 'human_review', gate: { prompt: 'Verify: {{results.research}}' } },
      { name: 'report', dependencies: ['verify'] },
    ]);
  });

  test('include every key of the plan schema', () => {
    const [step] = read({
      agents: {},
      tasks: [
        {
          id: 'fetch_data',
          agent: 'default',
          input: 'Find X',
          depends_on: [],
          type: 'task',
          on_failure: 'retry',
          max_retries: 3,
          critical: false,
        },
      ],
    }).steps;
    expect(step).toMatchObject({ onFailure: 'retry', retry: { maxAttempts: 4 }, critical: false });
  });
});
