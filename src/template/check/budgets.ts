// Checks that the budget of a part does not exceed the budget above it.
import { counted } from '../../base/counted.ts';
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import type { LimitedResource } from '../../budget/amount.ts';
import { limitText } from '../../budget/limit-text.ts';
import { type Budget, limitKeys } from '../../budget/limits.ts';
import type { StepSpec } from '../step-spec.ts';

type Bound = Exclude<keyof Budget, 'limit'>;

/** The YAML key of each bound that does not add up. */
const boundKeys: Readonly<Record<Bound, string>> = {
  wallClock: 'max_wall_clock_time',
  planningDepth: 'max_planning_depth',
  fragmentSteps: 'max_fragment_steps',
  fragmentDepth: 'max_fragment_depth',
  fanOut: 'max_fan_out',
};

const bounds: readonly Bound[] = ['wallClock', 'planningDepth', 'fragmentSteps', 'fragmentDepth', 'fanOut'];

/** With `left`, `whole` is the rest of a budget in a run, instead of a written budget. */
export function checkBudget(part: Budget, whole: Budget, at: readonly PathPart[], left = false): readonly Issue[] {
  const over = (key: string, of: string, asked: number | undefined, allowed: number | undefined): readonly Issue[] => {
    if (asked === undefined || allowed === undefined || asked <= allowed) return [];
    const most = limitText(of, allowed);
    return [
      issue(
        'BUDGET_OVER_PARENT',
        `"${key}" is ${limitText(of, asked)} where ${left ? `the budget above has ${most} left` : `the budget above allows ${most}`}`,
        {
          path: [...at, 'budget', key],
          hint: left ? `ask for ${most} at most, or leave it out` : `lower it to ${most}, or raise it above`,
        },
      ),
    ];
  };
  return [
    ...Object.entries(limitKeys).flatMap(([key, of]) => over(key, of, part.limit[of], whole.limit[of])),
    ...bounds.flatMap((bound) => over(boundKeys[bound], bound, part[bound], whole[bound])),
  ];
}

/** Checks that the authored steps fit into the budget; `written` are the budget keys that the author wrote. */
export function checkAuthoredSteps(
  steps: readonly StepSpec[],
  whole: Budget,
  written: readonly string[],
): readonly Issue[] {
  const planning = steps.filter((step) => step.type === 'planning').length;
  const width = widthOf(steps);
  const has = width === 0 ? '' : `${steps.length}, and fan-outs that may become ${width} more`;
  return [
    ...unlessFits(steps.length + width, 'step', 'steps', whole, written, has),
    ...unlessFits(planning, 'planning step', 'phases', whole, written),
  ];
}

/** The most steps that the fan-outs may become, besides themselves. */
export function widthOf(steps: readonly StepSpec[]): number {
  return steps.reduce((sum, { fanOut }) => sum + (fanOut?.maxWidth ?? 0), 0);
}

function unlessFits(
  count: number,
  what: string,
  limited: LimitedResource,
  whole: Budget,
  written: readonly string[],
  has = '',
): readonly Issue[] {
  const limit = whole.limit[limited];
  if (limit === undefined || count <= limit) return [];
  const key = Object.keys(limitKeys).find((each) => limitKeys[each] === limited) ?? limited;
  const isWritten = written.includes(key);
  return [
    issue('BUDGET_BELOW_TEMPLATE', `the budget allows ${counted(limit, what)}, and the template has ${has || count}`, {
      path: isWritten ? ['budget', key] : ['steps'],
      hint: `${isWritten ? `raise "${key}"` : `set "${key}" in the budget`} to at least ${count}`,
    }),
  ];
}
