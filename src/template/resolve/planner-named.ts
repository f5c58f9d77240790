// Planners that a planning step names: their declaration takes the place of the name.
import { type Issue, issue } from '../../base/issue.ts';
import { type JsonObject, ownProperty } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';

export function withPlanner(raw: JsonObject, planners: JsonObject, issues: Issue[]): JsonObject {
  const { planner: name } = raw;
  if (typeof name !== 'string') return raw;
  const { planner: _, ...others } = raw;
  const meant = ownProperty(planners, name);
  if (meant !== undefined) return { ...others, planner: meant };
  const names = Object.keys(planners);
  const known =
    names.length === 0 ? 'declare it under planners:, or write { kind: … }' : `planners are ${names.join(', ')}`;
  const hint = didYouMean(name, names) ?? known;
  issues.push(issue('PLANNER_UNKNOWN', `no planner is named "${name}"`, { path: ['planner'], hint }));
  return others;
}
