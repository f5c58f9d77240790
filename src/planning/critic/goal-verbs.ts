// Findings: a step calls a tool that the goal rules out, that destroys, or that changes something for a goal that only reads.
import { issue } from '../../base/issue.ts';
import { isMutating } from '../../contract/declaration.ts';
import type { Order } from '../../goals/match/read-order.ts';
import { type Tool, toolsOf } from '../../goals/match/tool.ts';
import { isChangingVerb, isReadingVerb } from '../../goals/match/verbs.ts';
import { eachWork } from '../../template/check/paths.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Check } from '../checks/check.ts';
import type { Frame } from '../frame.ts';
import { ordersOf } from './goal-words.ts';

/** Calls with approval are skipped, and with a plan review the findings are warnings, because a person decides. */
export const goalVerbs: Check = ({ fragment: { steps }, frame }) => {
  const orders = ordersOf(frame);
  if (orders.length === 0) return [];
  const ordered = new Set(
    orders.flatMap(({ verb, isNegated }) => (verb === undefined || isNegated ? [] : [verb.stem])),
  );
  const forbidden = new Set(orders.flatMap((order) => [...order.forbidden])).difference(ordered);
  const mayDestroy = orders.some(({ destroys }) => destroys);
  const reads = !mayDestroy && orders.every(onlyReads);
  const tools = toolsIn(frame);
  return eachWork({ steps }, (step, at) => {
    const { capability, name } = step;
    const tool = capability === undefined ? undefined : tools.get(capability);
    if (tool === undefined || isAskedAbout(step)) return [];
    const details = { path: [...at, 'handler'], severity: frame.isReviewed === true ? 'warning' : 'error' } as const;
    if (tool.verb !== undefined && forbidden.has(tool.verb.stem)) {
      const message = `step "${name}" calls "${capability}", and the goal rules out "${tool.verb.word}"`;
      return [issue('CRITIC_RULED_OUT', message, { ...details, hint: INSTEAD })];
    }
    if (tool.destroys && !mayDestroy) {
      const message = `step "${name}" calls "${capability}", which destroys, and the goal asks to destroy nothing`;
      return [issue('CRITIC_DESTRUCTIVE', message, { ...details, hint: INSTEAD })];
    }
    if (!reads || !isMutating(tool.declaration)) return [];
    const message = `step "${name}" calls "${capability}", which changes something, and the goal asks only to read`;
    return [issue('CRITIC_WRITES_FOR_READ_GOAL', message, { ...details, hint: INSTEAD })];
  });
};

const INSTEAD = 'leave it out, or give the step `approval: always`, so that a person is asked first';

/** Tells whether the verb reads and no other word may change something. */
function onlyReads({ verb, terms }: Order): boolean {
  return verb !== undefined && isReadingVerb(verb.stem) && !terms.some(({ stem }) => isChangingVerb(stem));
}

function isAskedAbout({ approval }: StepSpec): boolean {
  return approval !== undefined && approval.when === undefined;
}

const remembered = new WeakMap<Frame['declarations'], ReadonlyMap<string, Tool>>();

/** Reads all tools together, because names of one server share a prefix. */
function toolsIn({ declarations }: Frame): ReadonlyMap<string, Tool> {
  const known = remembered.get(declarations);
  if (known !== undefined) return known;
  const tools = new Map(toolsOf(Object.values(declarations)).map((tool) => [tool.declaration.name, tool]));
  remembered.set(declarations, tools);
  return tools;
}
