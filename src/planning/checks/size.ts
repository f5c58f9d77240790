// Check 10: the fragment keeps its bounds: steps, chain length, attempts and time of each step.
import { counted } from '../../base/counted.ts';
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { type Duration, durationText } from '../../base/quantity.ts';
import { widthOf } from '../../template/check/budgets.ts';
import { eachStep, eachWork } from '../../template/check/paths.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Wiring } from '../wiring.ts';
import type { Check } from './check.ts';

/** Limits for one planned step; a template's author may exceed them. `attempts` also limits the proposals of a nested planner. */
export const mostOfPlanned = { attempts: 10, deliveries: 3, questions: 10, turns: 20 } as const;
const MAX_TIMEOUT: Duration = 60 * 60_000;

export const checkSize: Check = ({ fragment: { steps }, frame: { bounds }, wiring }) => [
  ...tooMany(steps.length, widthOf(steps), bounds.fragmentSteps),
  ...tooDeep(steps, wiring, bounds.fragmentDepth),
  ...eachStep({ steps }, (step, at) => tooWide(step, at, bounds.fanOut)),
  ...eachWork({ steps }, tooPatient),
];

function tooMany(count: number, width: number, most: number): readonly Issue[] {
  const all = count + width;
  if (all <= most) return [];
  const whole =
    width === 0 ? counted(count, 'step') : `${counted(count, 'step')} and fan-outs that may become ${width} more`;
  const narrower = width === 0 ? '' : 'make its fan-outs narrower with "max_width" and "batch_size", ';
  return [
    issue('FRAGMENT_TOO_MANY_STEPS', `the plan has ${whole}, and one fragment may have ${most}`, {
      path: ['steps'],
      hint: `leave out ${all - most}, ${narrower}or plan the rest in a nested planning step`,
    }),
  ];
}

function tooWide({ name, fanOut }: StepSpec, at: readonly PathPart[], most: number): readonly Issue[] {
  if (fanOut === undefined || fanOut.maxWidth <= most) return [];
  return [
    issue(
      'FRAGMENT_TOO_WIDE',
      `fan_out "${name}" may become ${counted(fanOut.maxWidth, 'step')} where ${counted(most, 'is', 'are')} allowed`,
      {
        path: [...at, 'max_width'],
        hint: `lower "max_width" to ${most}, and give each step several items with "batch_size"`,
      },
    ),
  ];
}

function tooDeep(steps: readonly StepSpec[], { depth }: Wiring, most: number): readonly Issue[] {
  const deepest = depth.values().reduce((most, each) => Math.max(most, each), 0);
  if (deepest <= most) return [];
  const last = steps.findIndex(({ name }) => depth.get(name) === deepest);
  return [
    issue(
      'FRAGMENT_TOO_DEEP',
      `a chain of ${counted(deepest, 'step')} leads to "${steps[last]?.name}" where ${most} in a row ${most === 1 ? 'is' : 'are'} allowed`,
      {
        path: ['steps', last, 'dependencies'],
        hint: `let only steps wait that need what comes before; where the chain is needed, end after ${counted(most, 'step')} with a nested planning step for the rest`,
      },
    ),
  ];
}

function tooPatient(step: StepSpec, path: readonly PathPart[]): readonly Issue[] {
  const { name, retry, timeout, maxDeliveries, planning, maxClarifications = 0, agent } = step;
  const limits = [
    { what: 'attempts', asked: retry.maxAttempts, most: mostOfPlanned.attempts, at: ['retry', 'max_attempts'] },
    { what: 'deliveries', asked: maxDeliveries, most: mostOfPlanned.deliveries, at: ['max_deliveries'] },
    { what: 'proposals', asked: planning?.maxAttempts ?? 0, most: mostOfPlanned.attempts, at: ['max_attempts'] },
    { what: 'turns', asked: agent?.own?.maxTurns ?? 0, most: mostOfPlanned.turns, at: ['agent'] },
    { what: 'questions', asked: maxClarifications, most: mostOfPlanned.questions, at: ['max_clarifications'] },
  ];
  const tooOften = limits
    .filter(({ asked, most }) => asked > most)
    .map(({ what, asked, most, at }) =>
      issue('FRAGMENT_TOO_MANY_ATTEMPTS', `step "${name}" asks for ${asked} ${what} where ${most} are allowed`, {
        path: [...path, ...at],
      }),
    );
  if (timeout <= MAX_TIMEOUT) return tooOften;
  const asked = durationText(timeout);
  return [
    ...tooOften,
    issue(
      'FRAGMENT_TIMEOUT_TOO_LONG',
      `step "${name}" asks for ${asked} where ${durationText(MAX_TIMEOUT)} are allowed`,
      {
        path: [...path, 'timeout'],
      },
    ),
  ];
}
