// Finds the `${env.X}` and `${secret.X}` that a step may use: its own references, never references in data.
import type { Json } from '../../base/json.ts';
import { type RunState, type Step, stepOf } from '../state/state.ts';
import { authoredAbove } from './frame-of.ts';

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
  const text = JSON.stringify(value);
  if (!text.includes('${')) return [];
  return [...new Set([...text.matchAll(REFERENCE)].map(([, name = '']) => name))];
}
