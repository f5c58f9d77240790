// The results that an agent reads beside its input: those its step waits for without naming them.
import { ownProperty } from '../../base/json.ts';
import { referencesOf } from '../../template/step-references.ts';
import type { RunState, Step } from '../state/state.ts';
import { type Gathered, gatheredFor } from './gathered-results.ts';

const namesThem = ['results', 'absent'];

/** Undefined: nothing. An input that names results, or the call of a capability, already says what the agent reads. */
export function givenToAgent(state: RunState, step: Step): Gathered | undefined {
  const { agent, capability, input } = step.spec;
  if (agent === undefined || capability !== undefined || namesThem.some((key) => ownProperty(input, key) !== undefined))
    return undefined;
  const all = referencesOf(step.spec).references;
  const uses = all.filter(({ root }) => root === 'results' || root === 'depends');
  // A summary covers all results.
  if (uses.some(({ path }) => path.length === 0) || all.some(({ root }) => root === 'summary')) return undefined;
  const named = new Set(uses.map(({ path: [name] }) => name));
  const { present, absent } = gatheredFor(state, step);
  const left = present.filter(([name]) => !named.has(name));
  return left.length + absent.length === 0 ? undefined : { present: left, absent };
}
