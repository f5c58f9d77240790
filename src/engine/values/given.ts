// What an agent is given beside its input: the results that its step waits for and does not refer to.
import { ownProperty } from '../../base/json.ts';
import { usesOf } from '../../template/uses.ts';
import type { RunState, Step } from '../state/state.ts';
import { type Gathered, gatheredFor } from './synthesis-input.ts';

const namesThem = ['results', 'absent'];

/** Undefined: nothing. An input that names results itself has said all that the agent is to see, and so has the call of a capability. */
export function givenToAgent(state: RunState, step: Step): Gathered | undefined {
  const { agent, capability, input } = step.spec;
  if (agent === undefined || capability !== undefined || namesThem.some((key) => ownProperty(input, key) !== undefined))
    return undefined;
  const all = usesOf(step.spec).uses;
  const uses = all.filter(({ root }) => root === 'results' || root === 'depends');
  // A summary tells of all that it waits for.
  if (uses.some(({ path }) => path.length === 0) || all.some(({ root }) => root === 'summary')) return undefined;
  const named = new Set(uses.map(({ path: [name] }) => name));
  const { present, absent } = gatheredFor(state, step);
  const left = present.filter(([name]) => !named.has(name));
  return left.length + absent.length === 0 ? undefined : { present: left, absent };
}
