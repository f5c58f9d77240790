// The failures of a run with their reasons, their attempts, and the steps that did not run because of them.
import { counted } from '../../base/counted.ts';
import { defined } from '../../base/json.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import { stepOf } from '../../engine/state/state.ts';
import { type Line, span } from '../line.ts';
import { repairOutcomeText } from '../repair-outcome.ts';
import { localName } from '../status.ts';
import { type RootCause, type SkippedStep, shortfallsOf } from '../summary.ts';
import { type FailureGroup, failureGroups } from './failure-groups.ts';

/** A step that failed, or that a spent budget cut off. */
interface StepFailure extends Omit<RootCause, 'behind'> {
  readonly attempts: number;
  /** The steps that depend on it ran all the same. */
  readonly tolerated?: true;
  /** The steps that did not run because of it. */
  readonly notRun: readonly string[];
}

interface CauseGroup {
  /** The words that the messages share. */
  readonly cause: string;
  readonly repaired: boolean;
  /** At least one. */
  readonly steps: readonly string[];
}

export interface FailureList {
  readonly failures: readonly StepFailure[];
  /** The failures by their cause; while there are few, each is a group of its own. */
  readonly groups: readonly CauseGroup[];
  /** Steps that did not run for another reason, such as a spent budget. */
  readonly others: readonly SkippedStep[];
}

export function failuresOf(state: RunView): FailureList {
  const shortfalls = shortfallsOf(state);
  const { failed, tolerated, skipped } = shortfalls;
  const behind = Map.groupBy(skipped, ({ root }) => root);
  const failureOf = (cause: RootCause, isTolerated: boolean): StepFailure => {
    const { behind: _number, ...rest } = cause;
    return {
      ...rest,
      attempts: stepOf(state, cause.step).attempt,
      ...defined({ tolerated: isTolerated ? (true as const) : undefined }),
      notRun: (behind.get(cause.step) ?? []).map(({ step }) => step),
    };
  };
  const failures = [
    ...failed.map((cause) => failureOf(cause, false)),
    ...tolerated.map((cause) => failureOf(cause, true)),
  ];
  const roots = new Set(failures.map(({ step }) => step));
  return {
    failures,
    groups: failureGroups(shortfalls).map(({ cause, repaired, steps }: FailureGroup) => ({ cause, repaired, steps })),
    others: skipped.filter(({ reason, root }) => !isPlanned(reason) && !roots.has(root ?? '')),
  };
}

/** The template itself leaves these steps out. */
function isPlanned(reason: SkippedStep['reason']): boolean {
  return reason === 'when_false' || reason === 'not_chosen';
}

/** A group, or a list of names, shows this many and the number of the others. */
const FEW = 5;

/** @param opener the option that shows all failures of a group; undefined: all are shown */
export function failureLines(list: FailureList, opener: string | undefined): readonly Line[] {
  const byStep = new Map(list.failures.map((failure) => [failure.step, failure]));
  const lines = list.groups.flatMap(({ cause, repaired, steps }) => {
    const failures = steps.flatMap((step) => byStep.get(step) ?? []);
    const [first] = failures;
    if (first === undefined) return [];
    if (failures.length === 1) return singleLines(first, opener);
    const codes = new Set(failures.map(({ code }) => code));
    const shown = opener === undefined || failures.length <= FEW + 1 ? failures : failures.slice(0, FEW);
    const more = failures.length - shown.length;
    return [
      [
        span(`${failures.length} × ${cause}`, repaired ? 'warn' : 'bad'),
        span(`  ${[...codes].join(', ')}${repaired ? ', repaired' : ''}`, 'dim'),
      ],
      ...shown.map((failure) => memberLine(failure, opener)),
      ...(more > 0 ? [[span(`    … ${more} more (${opener})`, 'dim')]] : []),
    ];
  });
  return [...lines, ...otherLines(list.others, opener)];
}

function singleLines(failure: StepFailure, opener: string | undefined): readonly Line[] {
  const { step, code, message, task } = failure;
  const facts = factsOf(failure, opener);
  return [
    [span('✗ ', toneOf(failure)), span(step, toneOf(failure)), span(`  ${code}: ${message}`)],
    ...(task === undefined ? [] : [[span(`    ${task}`, 'dim')]]),
    ...(facts.length === 0 ? [] : [[span(`    ${facts.join('; ')}`, 'dim')]]),
  ];
}

function memberLine(failure: StepFailure, opener: string | undefined): Line {
  return [
    span('    '),
    span(failure.step, toneOf(failure)),
    span(`  ${failure.message}`),
    ...factsOf(failure, opener).map((fact) => span(`; ${fact}`, 'dim')),
  ];
}

function factsOf(failure: StepFailure, opener: string | undefined): readonly string[] {
  const { attempts, takenUp, tolerated, notRun } = failure;
  return [
    ...(attempts > 0 ? [`after ${counted(attempts, 'attempt')}`] : []),
    ...(takenUp === undefined ? [] : [repairOutcomeText(takenUp)]),
    ...(tolerated === undefined ? [] : ['tolerated: the steps that depend on it ran']),
    ...(notRun.length === 0 ? [] : [`not run because of it: ${namesText(notRun, opener)}`]),
  ];
}

function otherLines(others: readonly SkippedStep[], opener: string | undefined): readonly Line[] {
  const byReason = Map.groupBy(others, ({ reason, root }) =>
    root === undefined ? reason : `${reason}, because of ${root}`,
  );
  return [...byReason].map(([reason, steps]) => [
    span(`– ${counted(steps.length, 'step')} did not run (${reason}): `, 'warn'),
    span(
      namesText(
        steps.map(({ step }) => step),
        opener,
      ),
    ),
  ]);
}

function namesText(steps: readonly string[], opener: string | undefined): string {
  const shown = opener === undefined || steps.length <= FEW + 1 ? steps : steps.slice(0, FEW);
  const more = steps.length - shown.length;
  return `${shown.map(localName).join(', ')}${more > 0 ? ` and ${more} more (${opener})` : ''}`;
}

function toneOf({ takenUp, tolerated }: StepFailure): 'bad' | 'warn' {
  const isMended = tolerated === true || (takenUp !== undefined && takenUp.outcome !== 'failed');
  return isMended ? 'warn' : 'bad';
}

/** `4 steps failed, 1 of them repaired; 4 steps did not run because of them` */
export function failureCountText({ failures }: FailureList): string {
  const repaired = failures.filter(({ takenUp }) => takenUp?.outcome === 'repaired').length;
  const tolerated = failures.filter((failure) => failure.tolerated === true).length;
  const notRun = failures.reduce((sum, failure) => sum + failure.notRun.length, 0);
  return [
    [
      `${counted(failures.length, 'step')} failed`,
      ...(repaired > 0 ? [`${repaired} of them repaired`] : []),
      ...(tolerated > 0 ? [`${tolerated} of them tolerated`] : []),
    ].join(', '),
    ...(notRun > 0
      ? [`${counted(notRun, 'step')} did not run because of ${failures.length === 1 ? 'it' : 'them'}`]
      : []),
  ].join('; ');
}
