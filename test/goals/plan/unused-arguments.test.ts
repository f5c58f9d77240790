// Words of a goal and answers of people that no call uses become issues of the plan.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { patternPlanner } from '../../../src/planners/pattern.ts';
import { advance } from '../../../src/planners/planner.ts';
import type { Brief } from '../../../src/planning/brief.ts';
import { readFragment } from '../../../src/planning/read-fragment.ts';
import { review } from '../../../src/planning/review.ts';
import { brief } from '../../planners/given-brief.ts';
import { frame } from '../../planning/given-frame.ts';

const capabilities: Brief['capabilities'] = [
  {
    name: 'issues.list',
    description: 'Lists issues.',
    effects: ['network'],
    input: {
      type: 'object',
      required: ['owner', 'repo'],
      properties: {
        owner: { type: 'string' },
        repo: { type: 'string' },
        state: { enum: ['open', 'closed'] },
        sort: { type: 'string' },
        direction: { type: 'string' },
        per_page: { type: 'integer' },
      },
    },
  },
  {
    name: 'issues.create',
    description: 'Creates an issue.',
    effects: ['write'],
    input: {
      type: 'object',
      required: ['owner', 'repo', 'title'],
      properties: { owner: { type: 'string' }, repo: { type: 'string' }, title: { type: 'string' } },
    },
  },
];

function planned(goal: string, clarifications: Brief['clarifications'] = []) {
  const planner = patternPlanner({ kinds: {}, sequential: false, askBelow: 0.6, attachments: [] });
  const bounds = { ...brief.bounds, max_fragment_depth: 20 };
  const progress = advance(planner, { ...brief, bounds, capabilities, goal, clarifications }, []);
  if (!progress.done || !progress.end.ok) throw new Error(JSON.stringify(progress));
  const fragment = progress.end.value.fragment as JsonObject;
  const read = readFragment(fragment);
  if (!read.ok || !('steps' in read.value)) return { fragment, issues: [] };
  const { issues } = review(read.value, frame);
  const mine = issues.filter(({ code }) => /^(?:ARGUMENT|ANSWER)_/.test(code));
  return { fragment, issues: mine.map(({ code, severity, path }) => ({ code, severity, path })) };
}

describe('a plan', () => {
  it('warns of unused words of a reading call, also in its rationale', () => {
    const { fragment, issues } = planned('Use issues.list in acme/site since yesterday');
    expect(issues).toEqual([{ code: 'ARGUMENT_UNUSED', severity: 'warning', path: ['steps', 0] }]);
    expect(fragment.rationale).toContain('issues.list takes nothing for "since yesterday"');
    expect(fragment.steps).toMatchObject([{ input: { owner: 'acme', repo: 'site' } }]);
  });

  it('warns of an unknown argument, and refuses it for a mutating call', () => {
    expect(planned('Use issues.list in acme/site, colour: red').issues).toMatchObject([
      { code: 'ARGUMENT_UNKNOWN', severity: 'warning' },
    ]);
    expect(planned('Use issues.create in acme/site, title: Broken, colour: red').issues).toMatchObject([
      { code: 'ARGUMENT_UNKNOWN', severity: 'error' },
    ]);
  });

  it('warns of unused quotes and numbers', () => {
    expect(planned('Use issues.list in acme/site with "crimson"').issues).toMatchObject([{ code: 'ARGUMENT_UNUSED' }]);
  });

  it('warns of an answer that no task uses', () => {
    expect(planned('Ask me for the flavour. Then use issues.list in acme/site').issues).toMatchObject([
      { code: 'ANSWER_UNUSED', severity: 'warning', path: ['steps', 0] },
    ]);
    expect(planned('Ask me for the page size. Then use issues.list in acme/site').issues).toEqual([]);
  });

  it('asks about a misfit, and about a name with several meanings', () => {
    const misfit = planned('Use issues.list in acme/site, items per page: many').fragment;
    expect(JSON.stringify(misfit)).toContain('"per_page\\" is \\"many\\", where it must be a whole number');
    const goal = 'Use issues.list in acme/site, order: desc';
    const { needs_clarification: asked } = planned(goal).fragment;
    expect(asked).toMatchObject({ answer: { enum: ['sort', 'direction'] } });
    const question = (asked as JsonObject).question as string;
    expect(planned(goal, [{ question, answer: 'direction' }]).fragment.steps).toMatchObject([
      { input: { owner: 'acme', repo: 'site', direction: 'desc' } },
    ]);
  });

  it('reads no quoted text as a repository, and reuses one that was named before', () => {
    expect(
      planned('Use issues.list in acme/site. Then use issues.create "Login broken".').fragment.steps,
    ).toMatchObject([
      { capability: 'issues.list' },
      { capability: 'issues.create', input: { owner: 'acme', repo: 'site', title: 'Login broken' } },
    ]);
  });
});
