// The frame of a goal that has no template: a document that loads like any other.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { loadTemplate } from '../../src/template/load.ts';
import { missionTemplate } from '../../src/template/mission.ts';
import { parseJson } from '../../src/template/parse/parse-json.ts';

const planner = { kind: 'fixed', fragment: { steps: [] } };

function load(document: JsonObject) {
  const loaded = loadTemplate(parseJson(JSON.stringify(document), 'mission'), {});
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  return loaded;
}

test('the mission template loads without warnings, stops at the first failure, and limits its plan by the budget of the run', () => {
  const { value, warnings } = load(missionTemplate({ goal: 'Count the words', planner }));
  expect(warnings).toEqual([]);
  expect(value).toMatchObject({ name: 'mission', failFast: true, sources: ['catalog'] });
  expect(value.steps.map(({ name, type }) => [name, type])).toEqual([
    ['plan', 'planning'],
    ['finish', 'deferred'],
  ]);
  expect(value.budget).toMatchObject({ limit: { steps: 100 }, fragmentSteps: 10_000, fragmentDepth: 10_000 });
});

test('the mission template accepts further keys for the template and for each step', () => {
  const { value } = load(
    missionTemplate({
      goal: 'Count the words',
      planner,
      planning: { plan_review: 'always' },
      finish: { convergence: { policy: 'all_settled' } },
      frame: { fail_fast: false, budget: { max_total_steps: 12, max_fragment_depth: 2 } },
    }),
  );
  expect(value.failFast).toBe(false);
  expect(value.budget).toMatchObject({ limit: { steps: 12 }, fragmentSteps: 10_000, fragmentDepth: 2 });
  expect(value.steps).toMatchObject([{ planning: { review: 'always' } }, { convergence: { policy: 'all_settled' } }]);
});
