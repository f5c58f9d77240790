// What an agent is given beside its input: the results that its step waits for and does not refer to.
import { ownProperty } from '../../base/json.ts';
import { usesOf } from '../../template/uses.ts';
import { type Gathered, gatheredFor } from '../fan-out/synthesis-input.ts';
import type { RunState, Step } from '../state.ts';

const namesThem = ['results', 'absent'];

/** Undefined: nothing. An input that names results itself has said all that the agent is to see. */
export function givenToAgent(state: RunState, step: Step): Gathered | undefined {
  const { agent, input } = step.spec;
  if (agent === undefined || namesThem.some((key) => ownProperty(input, key) !== undefined)) return undefined;
  const uses = usesOf(step.spec).uses.filter(({ root }) => root === 'results' || root === 'depends');
  if (uses.some(({ path }) => path.length === 0)) return undefined;
  const named = new Set(uses.map(({ path: [name] }) => name));
  const { present, absent } = gatheredFor(state, step);
  const left = present.filter(([name]) => !named.has(name));
  return left.length + absent.length === 0 ? undefined : { present: left, absent };
}
