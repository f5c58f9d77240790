// What the capabilities that a model performs have in common: they are steps of a run, and nothing else can call them.
import type { Json } from '../../base/json.ts';
import { CapabilityError } from '../capability-error.ts';

export const model = {
  type: 'string',
  description: 'Name of a profile under models; default the one called default, or the only one.',
} as const;

/** The engine asks the model itself, so that it is paid for: who comes here has found another way. @throws CapabilityError */
export function onlyAsStep(name: string): () => Json {
  return () => {
    throw new CapabilityError('MODEL_CALL_NOT_A_STEP', `${name} is called by steps alone`, { retry: 'never' });
  };
}
