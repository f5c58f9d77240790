// Goals that are worked towards in the phases of a pattern: chosen by their words, by a model, or by the template.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import { good } from '../../src/base/result.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { AskModel } from '../../src/engine/record/effect.ts';
import type { EventOf } from '../../src/engine/record/event.schema.ts';
import { patternByWords } from '../../src/goals/split/work-pattern.ts';
import type { Template } from '../../src/template/template.ts';
import { World } from '../../src/testing/world.ts';
import { askedOf, choosesNone, inTurn, plans, says } from './models-say.ts';
import { templateOf, thinker } from './template-of.ts';

function given(
  goal: string,
  pattern: Template['pattern'],
  model?: (asked: AskModel) => EffectOutcome | undefined,
): World {
  const planner = { kind: 'hybrid', kinds: {}, sequential: false, attachments: [] } as const;
  const template = templateOf({
    steps: [
      { name: 'plan', planning: { target: 'end', goal, planner } },
      { name: 'end', type: 'deferred', after: ['plan'] },
    ],
    models: model === undefined ? {} : { default: thinker },
    budget: { limit: {} },
    ...(pattern === undefined ? {} : { pattern }),
  });
  return new World(template, {
    perform: (each) => {
      if (each.type === 'ask-model') return model?.(each);
      return each.type === 'ask-planner' ? plans(template, each) : good({ done: true });
    },
  }).begin();
}

const grafts = (world: World): readonly EventOf<'fragment.grafted'>[] =>
  world.journal.flatMap(({ event }) => (event.type === 'fragment.grafted' ? [event] : []));
const first = (world: World) => present(grafts(world)[0], 'a graft');
const task = { steps: [{ name: 'do_it', capability: 'work' }] };

describe('the words of a goal', () => {
  it.each([
    ['Explore the files in data/, then do accordingly', 'recon_execute'],
    ['Draft a letter to the board. Then improve it until it is short.', 'iterative_refinement'],
    ['Read every file in data/, then look for what they share, and then combine the results', 'map_analyze_reduce'],
    ['Give an overview of the logs, then look closer at the errors', 'progressive_disclosure'],
    ['List the files, then send them', undefined],
    ['Explore the files', undefined],
  ])('ask for a pattern or for none: %s', (goal, pattern) => {
    expect(patternByWords(goal)?.pattern).toBe(pattern);
  });

  it('give each phase its own goal', () => {
    expect(patternByWords('Explore the files in data/, then do accordingly')?.phases).toEqual([
      'Explore the files in data/',
      'do accordingly',
    ]);
  });
});

describe('a goal with a pattern', () => {
  it('is worked towards in phases, each planned when the one before has come together', () => {
    const goal = 'Use work to explore the files, then use work accordingly';
    const world = given(goal, 'recon_execute').run();
    expect(first(world).steps.map(({ id, dependencies }) => [id, dependencies])).toEqual([
      ['plan.1/recon', ['plan']],
      ['plan.1/recon_done', ['plan.1/recon']],
      ['plan.1/execute', ['plan.1/recon_done']],
    ]);
    expect(first(world).intents?.strategy).toBe('recon_execute');
  });

  it('has it chosen by its words without a model', () => {
    const world = given('Explore with `work`, then use work accordingly', 'auto').run();
    expect(grafts(world).map(({ planner }) => planner)).toEqual(['plan', 'plan.1/recon', 'plan.1/execute']);
    expect(world.state.ended?.status).toBe('completed');
  });

  it('has it chosen by a model where the words do not say', () => {
    const choice = {
      pattern: 'recon_execute',
      why: 'much is not known',
      confidence: 0.9,
      phases: ['look at it', 'mend it'],
    };
    const answers = choosesNone(inTurn(says(choice), says(task), says(task)));
    const world = given('See to it if it is odd', 'auto', answers).run();
    expect(first(world).rationale).toBe('recon execute: much is not known');
    expect(world.state.steps.get('plan.1/recon')?.spec.planning?.goal).toBe('look at it');
    expect(askedOf(world).filter(({ request }) => request.answer?.name !== 'choices')).toHaveLength(3);
  });

  it.each([
    [{ pattern: 'none' }],
    [{ pattern: 'recon_execute', confidence: 0.2, phases: ['a', 'b'] }],
    [{ pattern: 'recon_execute', confidence: 0.9, phases: ['a'] }],
    ['no idea'],
  ])('is planned at once where the model is not sure of one: %j', (choice) => {
    const world = given('See to it if it is odd', 'auto', inTurn(says(choice), says(task))).run();
    expect(first(world).steps.map(({ id }) => id)).toEqual(['plan.1/do_it']);
  });
});
