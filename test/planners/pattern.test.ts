// The pattern planner and the hybrid planner, called through the planner port.
import { describe, expect, test } from 'vitest';
import { issue } from '../../src/base/issue.ts';
import { isJsonObject, type Json, type JsonObject, ownProperty } from '../../src/base/json.ts';
import { hybridPlanner } from '../../src/planners/hybrid.ts';
import { llmPlanner } from '../../src/planners/llm.ts';
import { patternPlanner } from '../../src/planners/pattern.ts';
import { advance, type PlannerProgress } from '../../src/planners/planner.ts';
import type { Brief } from '../../src/planning/brief.ts';
import { readFragment } from '../../src/planning/read-fragment.ts';
import type { PatternSettings } from '../../src/template/keys/pattern.ts';
import { thinker } from '../engine/template-of.ts';
import { brief } from './given-brief.ts';

const usual: PatternSettings = { kinds: {}, sequential: false, askBelow: 0.6, attachments: [] };

const capabilities: Brief['capabilities'] = [
  {
    name: 'files.list',
    description: 'Lists files.',
    effects: ['read'],
    input: { type: 'object', required: ['folder'], properties: { folder: { type: 'string' } } },
  },
  {
    name: 'issues.list',
    description: 'Lists issues.',
    effects: ['network'],
    input: {
      type: 'object',
      required: ['repo', 'perPage'],
      properties: { repo: { type: 'string' }, perPage: { type: 'integer' }, state: { type: 'string' } },
    },
  },
  { name: 'work', description: 'Works.', effects: ['compute'] },
];

const bounds = { ...brief.bounds, max_fragment_depth: 20 };

function asked(goal: string, settings: Partial<PatternSettings> = {}, more: Partial<Brief> = {}): PlannerProgress {
  const planner = patternPlanner({ ...usual, ...settings });
  return advance(planner, { ...brief, bounds, capabilities, goal, ...more }, []);
}

function answered(progress: PlannerProgress): JsonObject {
  if (!progress.done || !progress.end.ok || !isJsonObject(progress.end.value.fragment)) throw new Error('no answer');
  return progress.end.value.fragment;
}

function stepsOf(progress: PlannerProgress): readonly Json[] {
  const { steps } = answered(progress);
  if (!Array.isArray(steps)) throw new Error(JSON.stringify(progress));
  return steps;
}

describe('a pattern planner', () => {
  test('gives ordered steps to the default agent, each with the earlier results', () => {
    const goal = 'Summarise the minutes of notes.txt, then draft a letter. Then translate it.';
    expect(stepsOf(asked(goal))).toEqual([
      {
        name: 'summarise_the_minutes_of_notes',
        description: 'Summarise the minutes of notes.txt',
        agent: 'default',
        attachments: [{ kind: 'file', ref: 'notes.txt' }],
      },
      {
        name: 'draft_a_letter',
        description: 'draft a letter',
        dependencies: ['summarise_the_minutes_of_notes'],
        agent: 'default',
        input: {
          results: { summarise_the_minutes_of_notes: '{{ results.summarise_the_minutes_of_notes }}' },
        },
      },
      {
        name: 'translate_it',
        description: 'translate it',
        dependencies: ['draft_a_letter'],
        agent: 'default',
        input: {
          results: {
            summarise_the_minutes_of_notes: '{{ results.summarise_the_minutes_of_notes }}',
            draft_a_letter: '{{ results.draft_a_letter }}',
          },
        },
      },
    ]);
  });

  test('calls a named capability with the values of the goal', () => {
    expect(
      stepsOf(asked('Use files.list on data/shop/, then use issues.list, repo: shop/web, per_page: 20')),
    ).toMatchObject([
      { capability: 'files.list', input: { folder: 'data/shop/' } },
      { capability: 'issues.list', input: { repo: 'shop/web', perPage: 20 } },
    ]);
  });

  test('calls the capability that the words prove, and asks which one when several match', () => {
    const twins = capabilities.slice(0, 1).flatMap((list) => [list, { ...list, name: 'drive.list_files' }]);
    expect(stepsOf(asked('List the files in data/shop/'))).toMatchObject([
      { capability: 'files.list', input: { folder: 'data/shop/' } },
    ]);
    const question = 'Which capability does "List the files in data/shop/"?';
    const unsure = answered(asked('List the files in data/shop/', {}, { capabilities: twins }));
    expect(unsure).toMatchObject({
      needs_clarification: { question, answer: { enum: ['drive.list_files', 'files.list', 'none of these'] } },
    });
    const clarifications = [{ question, answer: 'drive.list_files' }];
    expect(stepsOf(asked('List the files in data/shop/', {}, { capabilities: twins, clarifications }))).toMatchObject([
      { capability: 'drive.list_files' },
    ]);
  });

  test('asks for required arguments that the goal does not give', () => {
    const goal = 'Use issues.list, repo: shop/web';
    const question = 'For "Use issues.list, repo: shop/web": How many items per page? (for example 10, 25, 50)';
    expect(answered(asked(goal))).toEqual({ needs_clarification: { question, answer: { type: 'integer' } } });
    const told = asked(goal, {}, { clarifications: [{ question, answer: 7 }] });
    expect(stepsOf(told)).toMatchObject([{ capability: 'issues.list', input: { repo: 'shop/web', perPage: 7 } }]);
  });

  test('asks again for a value that does not fit, and names property, value and expectation', () => {
    const goal = 'Use issues.list, repo: shop/web, per_page: many';
    const question = `For "${goal}": "perPage" is "many", where it must be a whole number. How many items per page? (for example 10, 25, 50)`;
    expect(answered(asked(goal))).toMatchObject({ needs_clarification: { question, answer: { type: 'integer' } } });
    expect(stepsOf(asked(goal, {}, { clarifications: [{ question, answer: 25 }] }))).toMatchObject([
      { capability: 'issues.list', input: { repo: 'shop/web', perPage: 25 } },
    ]);
  });

  test('suggests the nearest capability for an unknown name', () => {
    const slip = 'there is no capability "file.list" (did you mean "files.list"?)';
    expect(answered(asked('Use file.list on data/shop/'))).toEqual({ impossible: slip });
    expect(answered(asked('Run file.list, folder: data/'))).toEqual({ impossible: slip });
    expect(stepsOf(asked('Use files.py to sort them'))).toMatchObject([{ agent: 'default' }]);
  });

  test('feeds a call from an earlier result, by its contract, with one call for each item of a list', () => {
    const repo = { type: 'string' };
    const find: Brief['capabilities'][number] = {
      name: 'repos.find',
      description: 'Finds a repository.',
      effects: ['read'],
      input: { type: 'object', properties: {} },
      output: { type: 'object', properties: { repo } },
    };
    const count = {
      ...find,
      name: 'issues.count',
      description: 'Counts issues.',
      input: { type: 'object', required: ['repo'], properties: { repo, state: { type: 'string' } } },
      output: { type: 'integer' },
    };
    const goal = 'Use repos.find. Then use issues.count.';
    expect(stepsOf(asked(goal, {}, { capabilities: [find, count] }))[1]).toMatchObject({
      capability: 'issues.count',
      input: { repo: '{{ results.use_repos_find.repo }}' },
    });
    const repos = { type: 'array', maxItems: 5, items: { type: 'object', properties: { repo } } };
    const finds = { ...find, output: { type: 'object', properties: { repos } } };
    expect(stepsOf(asked(goal, {}, { capabilities: [finds, count] }))[1]).toMatchObject({
      type: 'fan_out',
      for_each: '{{ results.use_repos_find.repos }}',
      max_width: 5,
      do: { capability: 'issues.count', input: { repo: '{{ item.repo }}' } },
    });
  });

  test('feeds a result without a schema only to properties for free text', () => {
    const told = { type: 'object', required: ['channel', 'text'], properties: { channel: {}, text: {} } };
    const post: Brief['capabilities'][number] = { name: 'chat.post', description: 'Posts.', effects: [], input: told };
    const goal = 'Draft a letter. Then use chat.post, channel: general.';
    expect(stepsOf(asked(goal, {}, { capabilities: [post] }))[1]).toMatchObject({
      input: { channel: 'general', text: '{{ results.draft_a_letter }}' },
    });
    const where = answered(asked('Draft a letter. Then use chat.post.', {}, { capabilities: [post] }));
    expect(where).toMatchObject({ needs_clarification: { question: expect.stringContaining('channel') } });
  });

  test('asks for another capability by name, and accepts the answer "none of these"', () => {
    const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((at) => ({ ...capabilities[2], name: `${at}.list_files` }));
    const granted = many.map((each) => ({ ...each, description: 'Lists files.', effects: ['read' as const] }));
    const goal = 'Show the files';
    const question = 'Which capability does "Show the files"?';
    const first = ['a', 'b', 'c', 'd', 'e'].map((at) => `${at}.list_files`);
    const names = [...first, 'none of these', 'another, by name'];
    expect(answered(asked(goal, {}, { capabilities: granted }))).toMatchObject({
      needs_clarification: { question, answer: { enum: names } },
    });
    const other = { question, answer: 'another, by name' };
    const which = { question: 'Which other capability does "Show the files"?', answer: 'f.list_files' };
    expect(answered(asked(goal, {}, { capabilities: granted, clarifications: [other] }))).toMatchObject({
      needs_clarification: { question: which.question, answer: { enum: ['f.list_files'] } },
    });
    expect(stepsOf(asked(goal, {}, { capabilities: granted, clarifications: [other, which] }))).toMatchObject([
      { capability: 'f.list_files' },
    ]);
    const none = [{ question, answer: 'none of these' }];
    expect(answered(asked(goal, {}, { capabilities: granted, clarifications: none })).impossible).toContain(
      'a person says that none of these does it',
    );
  });

  test('calls a destructive capability only for its exact verb', () => {
    const path = { type: 'object', required: ['path'], properties: { path: { type: 'string' } } };
    const granted: Brief['capabilities'] = [
      { name: 'folder.wipe', description: 'Wipes a folder.', effects: ['delete'], input: path },
    ];
    expect(stepsOf(asked('Wipe the folder "out"', {}, { capabilities: granted }))).toMatchObject([
      { capability: 'folder.wipe', input: { path: 'out' } },
    ]);
    // Nobody erases a folder by writing about it.
    expect(answered(asked('Erase the folder "out"', {}, { capabilities: granted }))).toMatchObject({
      needs_clarification: { answer: { enum: ['folder.wipe', 'none of these'] } },
    });
  });

  test('reuses the repository of an earlier call when the task names none', () => {
    const goal = 'Use issues.list, repo: shop/web, per_page: 5. Then use issues.list, per_page: 7.';
    expect(stepsOf(asked(goal))).toMatchObject([
      { input: { repo: 'shop/web', perPage: 5 } },
      { input: { repo: 'shop/web', perPage: 7 } },
    ]);
  });

  test('limits a fan-out to the bounds of the brief', () => {
    const find: Brief['capabilities'][number] = {
      name: 'repos.find',
      description: 'Finds repositories.',
      effects: ['read'],
      input: { type: 'object', properties: {} },
      output: { type: 'array', items: { type: 'object', properties: { repo: { type: 'string' } } } },
    };
    const narrow = { capabilities: [...capabilities, find], bounds: { ...bounds, max_fan_out: 3 } };
    expect(stepsOf(asked('Use repos.find. Then use issues.list, per_page: 5.', {}, narrow))[1]).toMatchObject({
      type: 'fan_out',
      max_width: 3,
    });
  });

  test('filters a fan-out by the listed value that the task names', () => {
    const kinds = { enum: ['csv', 'json', 'text'] };
    const items = { type: 'object', properties: { path: { type: 'string' }, type: kinds } };
    const find: Brief['capabilities'][number] = {
      ...{
        name: 'files.list',
        description: 'List files.',
        effects: ['read'],
        input: { type: 'object', properties: {} },
      },
      output: { type: 'object', properties: { files: { type: 'array', items } } },
    };
    const profile: Brief['capabilities'][number] = {
      ...{ name: 'csv.profile', description: 'Statistics of a CSV file.', effects: ['read'] },
      input: { type: 'object', required: ['path'], properties: { path: { type: 'string' } } },
    };
    const second = (goal: string) => stepsOf(asked(goal, {}, { capabilities: [find, profile] }))[1];
    const all = { type: 'fan_out', do: { capability: 'csv.profile', input: { path: '{{ item.path }}' } } };
    expect(second('List the files, then profile each CSV file.')).toMatchObject({
      ...all,
      for_each: { $lisp: '(filterv #(= "csv" (get % "type")) (get-in data/results ["list_the_files" "files"]))' },
    });
    const goal = 'List the files, then use csv.profile on each of them.';
    expect(second(goal)).toMatchObject({ ...all, for_each: '{{ results.list_the_files.files }}' });
    const some = 'List the files, then use csv.profile on all CSV, JSON files.';
    expect(answered(asked(some, {}, { capabilities: [find, profile] }))).toEqual({
      impossible: expect.stringContaining('is about some items of a list'),
    });
  });

  test('narrows several fan-outs to the room of the plan', () => {
    const find: Brief['capabilities'][number] = {
      ...{ name: 'repos.find', description: 'Finds repositories.', effects: ['read'] },
      input: { type: 'object', properties: {} },
      output: { type: 'array', items: { type: 'object', properties: { repo: { type: 'string' } } } },
    };
    const goal = 'Use repos.find. Then use issues.list, per_page: 5. Then use issues.list, per_page: 6.';
    const widths = (around: Partial<Brief>) =>
      stepsOf(asked(goal, {}, { capabilities: [...capabilities, find], ...around })).map((step) =>
        ownProperty(step, 'max_width'),
      );
    expect(widths({ bounds: { ...bounds, max_fragment_steps: 100 }, budget: {} })).toEqual([undefined, 10, 10]);
    expect(widths({ bounds: { ...bounds, max_fragment_steps: 20 }, budget: {} })).toEqual([undefined, 8, 8]);
    expect(widths({ bounds: { ...bounds, max_fragment_steps: 100 }, budget: { steps: 12 } })).toEqual([
      undefined,
      4,
      4,
    ]);
  });

  test('asks the person for a value before the call that needs it', () => {
    expect(stepsOf(asked('use issues.list, repo: shop/web, but ask me for the page size'))).toMatchObject([
      {
        name: 'ask_me_for_the_page',
        type: 'human_review',
        prompt: 'What is the page size?',
        decision: { type: 'integer' },
      },
      {
        capability: 'issues.list',
        dependencies: ['ask_me_for_the_page'],
        input: { repo: 'shop/web', perPage: '{{ results.ask_me_for_the_page }}' },
      },
    ]);
  });

  test('runs the steps after a consent only when the person agrees', () => {
    expect(stepsOf(asked('Draft a letter. Let me approve it. Print it with `work`.'))).toMatchObject([
      { name: 'draft_a_letter' },
      { name: 'let_me_approve_it', type: 'human_review', prompt: 'May the work go on?' },
      { when: { $lisp: '(:approved (:let_me_approve_it data/results))' }, capability: 'work' },
    ]);
  });

  test('gives each kind of task to the agent or capability in the settings', () => {
    const kinds = {
      unit_test: { agent: 'tester' },
      tool_call: { agent: 'operator' },
      processing: { capability: 'work' },
    };
    const mail = { name: 'mail.send', description: 'Sends a mail.', effects: ['write'] as const };
    const agents = [{ name: 'operator', tools: ['mail.*'] }];
    const goal = 'Explain it. Write unit tests. Send them.';
    expect(stepsOf(asked(goal, { kinds }, { agents, capabilities: [...capabilities, mail] }))).toMatchObject([
      { capability: 'work', input: { task: 'Explain it' } },
      { agent: 'tester' },
      { agent: 'operator' },
    ]);
  });

  test('gives no order that changes something to an agent whose tools change nothing', () => {
    const kinds = { tool_call: { agent: 'operator' } };
    const why = (tools: readonly string[]) =>
      answered(asked('Explain it. Delete them.', { kinds }, { agents: [{ name: 'operator', tools }] })).impossible;
    expect(why([])).toContain('it changes something, and agent "operator" has no tools');
    expect(why(['files.*'])).toContain('it changes something, and agent "operator" has no tool that changes anything');
  });

  test('runs tasks one after the other when sequential, with a summary, and continues after a failure', () => {
    expect(stepsOf(asked('- explain a\n- explain b\n- explain c', { sequential: true }))).toMatchObject([
      { name: 'explain_a', on_failure: 'skip', agent: 'default' },
      { dependencies: ['explain_a'], on_failure: 'skip', input: { summary: '{{ summary }}' } },
      { dependencies: ['explain_b'], on_failure: 'skip', input: { summary: '{{ summary }}' } },
    ]);
  });

  test('escapes references and names inside a goal', () => {
    const goal = 'Explain {{ input.secret }} to "me".\nExplain {{ input.secret }} to "me".\nExplain 私.';
    const fragment = answered(asked(goal));
    expect(readFragment(fragment)).toMatchObject({ ok: true });
    const kinds = { processing: { capability: 'work' } };
    expect(stepsOf(asked(goal, { kinds }))).toMatchObject([
      {
        name: 'explain_input_secret_to_me',
        input: { task: { $lisp: JSON.stringify('Explain {{ input.secret }} to "me"') } },
      },
      { name: 'explain_input_secret_to_me_2' },
      { name: 'explain' },
    ]);
  });

  test.each([
    ['Delete the old rows', {}, /no capability serves "Delete the old rows" \(granted capabilities: files.list/],
    ['Explain it if it is odd', {}, /"if" in "Explain it if it is odd"; write it as a list of separate orders/],
    ['Explain it', { kinds: { processing: { capability: 'gone' } } }, /gone, which is not granted here/],
    [
      Array.from({ length: 21 }, (_, at) => `- explain ${at}`).join('\n'),
      {},
      /21 tasks, and a plan may have 20 \(max_fragment_steps\)/,
    ],
    ['', {}, /orders nothing/],
  ])('explains an impossible goal, and what would help: %s', (goal, settings, why) => {
    expect(answered(asked(goal, settings)).impossible).toMatch(why);
  });

  test('refuses a chain of tasks that is longer than the bounds', () => {
    const deep = asked('Explain a, then explain b', {}, { bounds: { ...bounds, max_fragment_depth: 1 } });
    expect(answered(deep).impossible).toMatch(/the goal has a chain of 2 tasks/);
  });

  test('asks a person to confirm an uncertain decomposition', () => {
    const goal = 'Mach einen Bericht. Schick ihn an Bob.';
    const question =
      'Is this what is to be done?\n1. Mach einen Bericht (processing)\n2. Schick ihn an Bob (processing)';
    expect(answered(asked(goal))).toEqual({ needs_clarification: { question, answer: { type: 'boolean' } } });
    expect(stepsOf(asked(goal, {}, { clarifications: [{ question, answer: true }] }))).toHaveLength(2);
    expect(answered(asked(goal, {}, { clarifications: [{ question, answer: false }] })).impossible).toMatch(
      /did not confirm the tasks/,
    );
    expect(stepsOf(asked(goal, { askBelow: 0.5 }))).toHaveLength(2);
  });

  test('does not propose a refused plan again', () => {
    const refused = asked('Explain it', {}, { attempt: 2, feedback: [issue('BUDGET_EXCEEDED', 'too dear')] });
    expect(answered(refused).impossible).toMatch(/was refused \(BUDGET_EXCEEDED\), and they give no other: too dear/);
  });
});

describe('a hybrid planner', () => {
  const model = { name: 'default', profile: thinker };
  const need = (goal: string, more: Partial<Brief> = {}) =>
    advance(
      hybridPlanner(usual, { model, direct: llmPlanner(model) }),
      { ...brief, bounds, capabilities, goal, ...more },
      [],
    );

  test('plans by words when they suffice', () => {
    expect(stepsOf(need('Explain a, then explain b', { capabilities: [] }))).toHaveLength(2);
    expect(stepsOf(need('Use files.list on data/, then use files.list on docs/'))).toHaveLength(2);
  });

  test.each([
    ['Explain it if it is odd'],
    ['Delete the old rows'],
    ['Use issues.list'],
    ['Mach einen Bericht. Schick ihn an Bob.'],
    ['Migrate the shop to the cloud'],
  ])('asks the model when words do not suffice: %s', (goal) => {
    expect(need(goal)).toMatchObject({ done: false, call: { kind: 'model' } });
  });

  test('asks the model after its plan was refused', () => {
    const feedback = [issue('BUDGET_EXCEEDED', 'too dear')];
    expect(need('Explain a, then explain b', { feedback })).toMatchObject({ done: false, call: { kind: 'model' } });
  });

  test('is a pattern planner when no model is configured', () => {
    const progress = advance(
      hybridPlanner(usual, { model: undefined, direct: llmPlanner(undefined) }),
      { ...brief, goal: 'Explain it if it is odd' },
      [],
    );
    expect(answered(progress)).toHaveProperty('impossible');
  });
});
