// Finds the `${env.X}` and `${secret.X}` that a step may use: its own references, never references in data.
import { isJsonArray, type Json } from '../../base/json.ts';
import { type RunState, type Step, stepOf } from '../state/state.ts';
import { authoredAbove } from './frame-of.ts';

const NONE: readonly never[] = [];

const REFERENCE = /\$\{((?:env|secret)\.[A-Za-z_][A-Za-z0-9_]*)/g;

/**
 * Names such as `secret.TOKEN`. A step of a plan may use only names that stand in the authored settings of its planner,
 * goal or constraints: a planner's reply may repeat data, and data must not reach secrets.
 */
export function environmentNamesOf(state: RunState, step: Step): readonly string[] {
  const { spec, item, provenance } = step;
  const list = item === undefined ? undefined : stepOf(state, item.of).spec.fanOut?.forEach;
  const said = namesIn([spec.input ?? null, spec.initialization ?? null, list ?? null]);
  if (said.length === 0 || provenance === undefined) return said;
  const planner = authoredAbove(state, stepOf(state, provenance.planner));
  const given = namesIn(
    JSON.parse(JSON.stringify([planner.planner ?? null, planner.goal ?? null, planner.constraints])),
  );
  return said.filter((name) => given.includes(name));
}

function namesIn(value: Json): readonly string[] {
  if (!mayRefer(value)) return NONE;
  return [...new Set([...JSON.stringify(value).matchAll(REFERENCE)].map(([, name = '']) => name))];
}

/** Whether a key or a text of the value contains `${`. */
function mayRefer(value: Json): boolean {
  if (typeof value === 'string') return value.includes('${');
  if (typeof value !== 'object' || value === null) return false;
  if (isJsonArray(value)) return value.some(mayRefer);
  for (const key in value) if (key.includes('${') || mayRefer(value[key] ?? null)) return true;
  return false;
}
