// Filters, sorting and paging that a goal says after a call, as parameters of that call, where its contract has them.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { CapabilityLine } from '../../../src/goals/capability-lines.ts';
import { type GoalPlan, planOf } from '../../../src/goals/plan/plan.ts';
import { decompose } from '../../../src/goals/split/decompose.ts';
import type { Task } from '../../../src/goals/split/task.ts';

const settings = { kinds: {}, sequential: false, askBelow: 0.6, attachments: [] };

function listing(properties: JsonObject, effects: CapabilityLine['effects'] = ['read']): CapabilityLine {
  const issue = { type: 'object', properties: { issue_number: { type: 'integer' } } };
  return {
    name: 'issues.list',
    description: 'Lists the issues of a repository.',
    effects,
    input: { type: 'object', properties: { repo: { type: 'string' }, ...properties } },
    output: { type: 'object', properties: { issues: { type: 'array', items: issue } } },
  };
}

const able = listing({
  state: { enum: ['open', 'closed'] },
  sort: { enum: ['created', 'updated'] },
  per_page: { type: 'integer' },
});

function planned(goal: string | readonly Task[], ...capabilities: readonly CapabilityLine[]): GoalPlan {
  const tasks = typeof goal === 'string' ? decompose(goal, { capabilities }).tasks : goal;
  return planOf(tasks, { capabilities, settings, answers: new Map() });
}

function planFor(goal: string | readonly Task[], ...capabilities: readonly CapabilityLine[]) {
  const plan = planned(goal, ...capabilities);
  if (plan.kind !== 'plan') throw new Error(JSON.stringify(plan));
  return plan;
}

const goal = 'List the issues, then filter them to the open ones, then sort by date, then write a report';

describe('refinements of the call before them', () => {
  it('become arguments of the call, and their dependents wait for the call', () => {
    const { steps, findings } = planFor(goal, able);
    expect(steps).toMatchObject([
      { name: 'list_the_issues', capability: 'issues.list', input: { state: 'open', sort: 'created' } },
      {
        agent: 'default',
        dependencies: ['list_the_issues'],
        input: { results: { list_the_issues: '{{ results.list_the_issues }}' } },
      },
    ]);
    expect(findings).toEqual([
      '"filter them to the open ones" is asked of issues.list: state "open"',
      '"sort by date" is asked of issues.list: sort "created"',
    ]);
  });

  it('stay intents of their own, served by the step of the call', () => {
    const { intents } = planFor(goal, able);
    expect(intents).toMatchObject([
      { says: 'List the issues', steps: ['list_the_issues'], chosen: { by: 'words' } },
      { steps: ['list_the_issues'], after: [0], chosen: { by: 'folded', capability: 'issues.list' } },
      { says: 'sort by date', steps: ['list_the_issues'], after: [1], chosen: { by: 'folded' } },
      { says: 'write a report', steps: ['write_a_report'], after: [2] },
    ]);
  });

  it('supply required arguments, so that no question is asked', () => {
    const { input = {} } = able;
    const demanding = { ...able, input: { ...input, required: ['per_page'] } };
    expect(planned('List the issues.', demanding).kind).toBe('questions');
    expect(planFor('List the issues, then show 20 per page', demanding).steps).toMatchObject([
      { input: { per_page: 20 } },
    ]);
  });

  it('are folded as soon as the call is known', () => {
    const twin = { ...able, name: 'tracker.list_issues' };
    expect(planned('List the issues, then sort by date', able, twin)).toMatchObject({
      kind: 'questions',
      questions: [{ question: 'Which capability does "List the issues"?' }],
    });
  });

  it('redirect references by name to the call', () => {
    const task = (name: string, description: string, after: readonly number[], more: Partial<Task> = {}): Task => ({
      ...{ name, description, kind: 'tool_call', after, names: [], parameters: {}, attachments: [] },
      ...more,
    });
    const send: CapabilityLine = {
      name: 'mail.send',
      description: 'Sends a mail.',
      effects: ['write'],
      input: { type: 'object', required: ['body'], properties: { body: {} } },
    };
    const { steps } = planFor(
      [
        task('all', 'list the issues', []),
        task('few', 'take the first 5', [0], { kind: 'processing' }),
        task('sent', 'send a mail', [1], { names: ['mail.send'], input: { body: '{{ results.few.issues }}' } }),
      ],
      able,
      send,
    );
    expect(steps).toMatchObject([
      { name: 'all', input: { per_page: 5 } },
      { name: 'sent', dependencies: ['all'], input: { body: '{{ results.all.issues }}' } },
    ]);
  });
});

describe('orders stay steps of their own', () => {
  it('when the contract has no such argument', () => {
    const { steps, findings } = planFor(goal, listing({}));
    expect(steps.map(({ name }) => name)).toEqual([
      'list_the_issues',
      'filter_them_to_the_open',
      'sort_by_date',
      'write_a_report',
    ]);
    expect(findings).toEqual([]);
  });

  it('when the call changes something', () => {
    const archive = { ...listing({ state: { enum: ['open'] } }, ['write']), name: 'issues.archive' };
    expect(planFor('Use issues.archive, then filter them to the open ones', archive).steps).toHaveLength(2);
  });

  it('when they name a capability', () => {
    const sort = { ...listing({}), name: 'data.sort', description: 'Sorts a list.' };
    expect(planFor('List the issues, then sort by date with data.sort', able, sort).steps).toHaveLength(2);
  });
});
