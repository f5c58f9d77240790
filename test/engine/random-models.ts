// Random models that answer, call tools, ask people, write rubbish, fail or never answer.
import type { Amount } from '../../src/budget/amount.ts';
import type { Call } from '../../src/engine/record/call.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { AskModel, AskPlanner } from '../../src/engine/record/effect.ts';
import type { Template } from '../../src/template/template.ts';
import { dice } from './dice.ts';
import { asks, calls, says, trouble } from './models-say.ts';
import { agentOf, thinker } from './template-of.ts';

/** The models and agents of a template whose steps may ask models. */
export const thinking: Pick<Template, 'models'> & { readonly agents: readonly ReturnType<typeof agentOf>[] } = {
  models: { default: thinker },
  agents: [agentOf({ name: 'scout', tools: ['*'], maxTurns: 3, maxParallelTools: 2 })],
};

/** Undefined: the model never answers. */
export function think(seed: number, { step, attempt, call, purpose, request }: AskModel): EffectOutcome | undefined {
  const mood = dice(seed, 'thinks', step, attempt, call);
  if (mood < 0.05) return undefined;
  if (mood < 0.2) return trouble('MODEL_UNAVAILABLE', { retry: mood < 0.15 ? 'may' : 'never' });
  if (purpose === 'judge')
    return says({ passes: mood < 0.8, diagnosis: mood < 0.8 ? '' : 'too few' }, {}, bill(request));
  if (purpose === 'critic' && mood < 0.9)
    return says({ remarks: mood < 0.6 ? [] : [{ step: 't0', says: `no ${mood}`, instead: '' }] }, {}, bill(request));
  if (mood < 0.25) return says('', {}, bill(request));
  if (mood < 0.3) return calls(['pay', { of: call }], ['work', {}]);
  if (mood < 0.5) return calls(['work', { of: call }], ['work', {}], ['work', { third: true }]);
  if (mood < 0.55) return asks('Which?');
  return says({ n: Math.floor(mood * 100) }, { finish: mood > 0.9 ? 'length' : 'stop' }, bill(request));
}

/** A random bill, at most the reservation of the call. */
function bill({ maxOutputTokens = 0 }: AskModel['request']): Amount {
  const output = Math.min(10, maxOutputTokens);
  return { llm_calls: 1, tokens_in: 10, tokens_out: output, cost_usd: 10 + output };
}

/** The call that a planner makes before it answers; undefined when it makes none, or no more. */
export function wonder(seed: number, { step, attempt, said, brief }: AskPlanner): Call | undefined {
  const mood = dice(seed, 'wonders', step, attempt, said.length);
  if (said.length > 2 || mood > 0.2) return undefined;
  if (mood < 0.08 || brief.agents === undefined)
    return { kind: 'look_up', request: { ref: mood < 0.04 ? 's0' : 'nowhere' } };
  const messages = [{ role: 'user' as const, content: 'What next?' }];
  return { kind: 'model', purpose: 'plan', request: { model: 'default', messages } };
}
