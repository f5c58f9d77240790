// Findings: a called tool destroys although the goal destroys nothing, or changes something although the goal only reads.
import { issue } from '../../base/issue.ts';
import { isMutating } from '../../contract/declaration.ts';
import { eachWork } from '../../template/check/paths.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Frame } from '../frame.ts';
import type { Order } from '../match/order.ts';
import { type Tool, toolsOf } from '../match/tool.ts';
import { isChangingVerb, isReadingVerb } from '../match/verbs.ts';
import type { Check } from '../verdict.ts';
import { ordersOf } from './goal-words.ts';

/** A person who is asked before the call, or about the whole plan, may let it through. */
export const goalVerbs: Check = ({ fragment: { steps }, frame }) => {
  const orders = ordersOf(frame);
  if (orders.length === 0 || orders.some(({ destroys }) => destroys)) return [];
  const reads = orders.every(onlyReads);
  const tools = toolsIn(frame);
  return eachWork({ steps }, (step, at) => {
    const { capability, name } = step;
    const tool = capability === undefined ? undefined : tools.get(capability);
    if (tool === undefined || isAskedAbout(step)) return [];
    const details = { path: [...at, 'handler'], severity: frame.isReviewed === true ? 'warning' : 'error' } as const;
    if (tool.destroys) {
      const message = `step "${name}" calls "${capability}", which destroys, and the goal asks to destroy nothing`;
      return [issue('CRITIC_DESTRUCTIVE', message, { ...details, hint: INSTEAD })];
    }
    if (!reads || !isMutating(tool.declaration)) return [];
    const message = `step "${name}" calls "${capability}", which changes something, and the goal asks only to read`;
    return [issue('CRITIC_WRITES_FOR_READ_GOAL', message, { ...details, hint: INSTEAD })];
  });
};

const INSTEAD = 'leave it out, or give the step `approval: always`, so that a person is asked first';

/** Its verb reads, and no other word of it may be a verb that changes something. */
function onlyReads({ verb, terms }: Order): boolean {
  return verb !== undefined && isReadingVerb(verb.stem) && !terms.some(({ stem }) => isChangingVerb(stem));
}

function isAskedAbout({ approval }: StepSpec): boolean {
  return approval !== undefined && approval.when === undefined;
}

const remembered = new WeakMap<Frame['declarations'], ReadonlyMap<string, Tool>>();

/** All of them are read together, since the names of one server share a prefix. */
function toolsIn({ declarations }: Frame): ReadonlyMap<string, Tool> {
  const known = remembered.get(declarations);
  if (known !== undefined) return known;
  const tools = new Map(toolsOf(Object.values(declarations)).map((tool) => [tool.declaration.name, tool]));
  remembered.set(declarations, tools);
  return tools;
}
