// How a template is held against the lock file: what happens where a tool or a model is not as it was.
import { isJsonObject, type Json } from '../../base/json.ts';
import { choiceAt } from './readers.ts';

/** `off`: nothing; `warn`: it is said, and the run goes on; `ask`: a person decides before anything is called. */
export const lockModes = ['off', 'warn', 'ask'] as const;

export type LockMode = (typeof lockModes)[number];

export interface LockSetting {
  readonly tools: LockMode;
  readonly models: LockMode;
}

/** Where a template says nothing. */
export const usualLock: LockSetting = { tools: 'ask', models: 'warn' };

/** One word for both, or a map; undefined where nothing is said. */
export function readLockSetting(said: Json | undefined): LockSetting | undefined {
  const word = lockModes.find((mode) => mode === said);
  if (word !== undefined) return { tools: word, models: word };
  if (!isJsonObject(said)) return undefined;
  return {
    tools: choiceAt(said, 'tools', lockModes) ?? usualLock.tools,
    models: choiceAt(said, 'models', lockModes) ?? usualLock.models,
  };
}
