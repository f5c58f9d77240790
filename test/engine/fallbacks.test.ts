// A request that a model cannot answer goes to the fallbacks of its profile.
import { describe, expect, it } from 'vitest';

import { noFailures, worstCase } from '../../src/engine/bound/failure-assumption.ts';
import { mostOfAsk } from '../../src/engine/bound/most-model-use.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { AskModel } from '../../src/engine/record/effect.ts';
import type { ModelProfile } from '../../src/model/profile.ts';
import { World } from '../../src/testing/world.ts';
import { askedOf, says, trouble } from './models-say.ts';
import { agentOf, templateOf, thinker, work } from './template-of.ts';

const main: ModelProfile = { ...thinker, maxRetries: 1, fallback: ['backup'] };
const backup: ModelProfile = { ...thinker, model: 'other', maxRetries: 0, temperature: 0.5, fallback: ['last'] };
const last: ModelProfile = { ...thinker, model: 'third', maxRetries: 0, fallback: ['main'] };

function templateWith(models: Readonly<Record<string, ModelProfile>>) {
  return templateOf({
    steps: [{ name: 'answer', type: 'task', description: 'Answer.', agent: { name: 'scout' } }],
    models,
    agents: [agentOf({ name: 'scout', model: 'main', maxTurns: 1 })],
    capabilities: [work],
  });
}

function given(model: (asked: AskModel) => EffectOutcome): World {
  const perform = (each: { readonly type: string }) => model(each as AskModel);
  return new World(templateWith({ main, backup, last }), { perform }).begin().run();
}

const modelsAsked = (world: World): readonly string[] => askedOf(world).map(({ request }) => request.model);

describe('a fallback', () => {
  it('is asked after the retries of the model, and each try is charged', () => {
    const world = given(({ request }) => (request.model === 'main' ? trouble('MODEL_UNAVAILABLE') : says('done')));
    expect(modelsAsked(world)).toEqual(['main', 'main', 'backup']);
    expect(world.state.ledger.accounts.get('run')?.spent.llm_calls).toBe(3);
    expect(world.state.status).toBe('ended');
  });

  it('is asked at once when the model refuses the request, with its own temperature', () => {
    const refused = trouble('MODEL_ACCESS_REFUSED', { retry: 'never' });
    const world = given(({ request }) => (request.model === 'main' ? refused : says('done')));
    expect(modelsAsked(world)).toEqual(['main', 'backup']);
    expect(askedOf(world).map(({ request }) => request.temperature)).toEqual([undefined, 0.5]);
  });

  it('has fallbacks of its own, and no model is asked a second time', () => {
    const world = given(() => trouble('MODEL_UNAVAILABLE', { retry: 'never' }));
    expect(modelsAsked(world)).toEqual(['main', 'backup', 'last']);
    expect(world.state.steps.get('answer')?.status).toBe('failed');
  });

  it('is not asked when the run itself stopped the request', () => {
    const world = given(() => trouble('MODEL_ABORTED', { retry: 'never' }));
    expect(modelsAsked(world)).toEqual(['main']);
  });

  it('counts for the bound of a run', () => {
    const { llm_calls: most } = mostOfAsk(templateWith({ main, backup, last }), 'main', worstCase);
    expect(most).toBe(3);
    expect(mostOfAsk(templateWith({ main, backup, last }), 'main', noFailures).llm_calls).toBe(1);
  });
});
