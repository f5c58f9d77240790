// Prints why a step exists.

import { counted, shareOf } from '../../base/counted.ts';
import type { Failure } from '../../base/failure.ts';
import { type Issue, pathText } from '../../base/issue.ts';
import { durationText } from '../../base/quantity.ts';
import type { Intent } from '../../goals/intent.ts';
import { amountText } from '../amount-text.ts';
import { instantText } from '../instant-text.ts';
import { hanging, type Line, span } from '../line.ts';
import { repairOutcomeText } from '../repair-outcome.ts';
import { callText } from './call-text.ts';
import { performerText } from './performer-text.ts';
import type { Origin, Why, WhyAttempt } from './why.ts';
import { whyGateText } from './why-gate-text.ts';
import type { RepairExplanation } from './why-repair.ts';

export function whyText(why: Why): readonly Line[] {
  return [
    [
      span(why.step, 'strong'),
      span(`  ${why.capability ?? (why.agent === undefined ? why.type : `agent ${why.agent}`)}  ${why.status}`),
    ],
    ...(why.description === undefined ? [] : [[hanging(why.description)]]),
    [span('')],
    ...field('run', `${why.run} of ${why.template}${why.purpose === undefined ? '' : `: ${why.purpose}`}`),
    ...(why.origins.length === 0 ? field('origin', rootText(why)) : why.origins.flatMap(originLines)),
    ...placeLines(why),
    ...why.dependencies.flatMap(({ step, status, implied }) =>
      field('waits for', `${step}  ${status}${implied ? '  (implied by a reference)' : ''}`),
    ),
    ...Object.entries(why.references).flatMap(([name, step]) =>
      name === step ? [] : field('reference', `${name} means ${step}`),
    ),
    ...why.neededBy.flatMap((step) => field('needed by', step)),
    ...why.attempts.flatMap(attemptLines),
    ...(why.attempts.length === 0 ? field('attempts', 'none') : []),
    ...peopleLines(why),
    ...endLines(why),
  ];
}

const LABEL = 12;

function field(label: string, text: string): Line[] {
  return [[span(label.padEnd(LABEL), 'dim'), hanging(text)]];
}

function originLines(origin: Origin): Line[] {
  const { planner, goal, rationale, fragment, target, depth, repair, intent } = origin;
  return [
    ...field('planned by', `${planner}${depth > 1 ? ` (planning ${depth} deep)` : ''}`),
    ...(goal === undefined ? [] : field('  goal', goal)),
    ...strategyLines(origin),
    ...(rationale === '' ? [] : field('  because', rationale)),
    ...(intent === undefined ? [] : intentLines(intent)),
    ...field('  fragment', `${fragment}, converges at ${target}`),
    ...(repair === undefined ? [] : repairLines('  repairs', repair)),
  ];
}

function strategyLines({ strategy, order, tried = [] }: Origin): Line[] {
  return [
    ...tried.flatMap((each) => field('  not by', `${each.strategy}: ${each.why}`)),
    ...(strategy === undefined ? [] : field('  by', `${strategy}${order === undefined ? '' : `, ${order}`}`)),
  ];
}

function intentLines({ says, chosen }: Intent): Line[] {
  if (chosen === undefined) return field('  intent', says);
  const { candidates = [], learned } = chosen;
  const scores = candidates
    .map(({ name, score, alike }) => `${name} ${score}${alike === undefined ? '' : ` (alike ${alike})`}`)
    .join(', ');
  return [
    ...field('  intent', says),
    ...field('  served by', performerText(chosen)),
    ...(scores === '' ? [] : field('  scores', scores)),
    ...(learned === undefined ? [] : field('  learned', learned)),
  ];
}

function repairLines(label: string, repair: RepairExplanation): Line[] {
  const { planner, scope, trial, failing, trials, fragment, diff } = repair;
  const whose = planner === undefined ? 'the template' : `the plan of ${planner}`;
  return [
    ...field(label, `${whose}, ${failing.length === 0 ? 'the whole phase' : scope}, trial ${trial}`),
    ...failing.flatMap(failingLine),
    ...(fragment === undefined ? [] : field('', `the plan that failed is ${fragment}`)),
    ...(diff === undefined ? [] : field('', `the new plan: ${diffText(diff)}`)),
    ...trials.flatMap((tried) => [
      ...field('', `before it ${tried.planner}: ${tried.rationale}`),
      ...tried.failed.flatMap(failingLine),
    ]),
  ];
}

/** `changed labels (input); added shelf_c; left out shelf_b; kept shelf_a` */
function diffText({ added, removed, changed, same }: NonNullable<RepairExplanation['diff']>): string {
  const parts = [
    { what: 'changed', steps: changed.map(({ step, keys }) => `${step} (${keys.join(', ')})`) },
    { what: 'added', steps: added },
    { what: 'left out', steps: removed },
    { what: 'kept', steps: same },
  ];
  const told = parts.filter(({ steps }) => steps.length > 0).map(({ what, steps }) => `${what} ${steps.join(', ')}`);
  return told.length === 0 ? 'nothing' : told.join('; ');
}

function failingLine({ step, code, message }: RepairExplanation['failing'][number]): Line[] {
  return field('', `${step} failed: ${code}: ${message}`);
}

function rootText({ repair }: Why): string {
  return repair === undefined ? 'written in the template' : 'a repair that the engine started';
}

function placeLines({ item, repair, supersededBy }: Why): Line[] {
  return [
    ...(item === undefined ? [] : field('item', `${item.index} of ${item.of}: ${item.size}`)),
    ...(repair === undefined ? [] : repairLines('repairs', repair)),
    ...(supersededBy === undefined ? [] : field('superseded', `by ${supersededBy}, which plans it again`)),
  ];
}

function peopleLines({ gates, orders }: Why): Line[] {
  return [
    ...gates.flatMap((gate) => whyGateText(gate).flatMap((text, index) => field(index === 0 ? 'gate' : '', text))),
    ...orders.flatMap(({ order, by, why: reason, at }) =>
      field(order, `by ${by}, ${instantText(at)}${reason === undefined ? '' : `: ${reason}`}`),
    ),
  ];
}

function attemptLines(attempt: WhyAttempt): Line[] {
  const { startedAt, endedAt, end = 'running', delivery, failure, diagnosis, issues = [], calls } = attempt;
  const took = endedAt === undefined ? '' : ` after ${durationText(endedAt - startedAt)}`;
  const again = delivery > 1 ? `, delivery ${delivery}` : '';
  const child = attempt.child === undefined ? '' : `, run ${attempt.child}`;
  return [
    ...field('attempt', `${attempt.attempt}${again}: ${end}${took}${costText(attempt)}${child}`),
    ...calls.flatMap((each) => field(`  call ${attempt.attempt}.${each.call}`, callText(each, calls))),
    ...(failure === undefined ? [] : field('', failureText(failure))),
    ...(diagnosis === undefined || diagnosis === failure?.message ? [] : field('', `verification: ${diagnosis}`)),
    ...issues.flatMap(issueLines),
  ];
}

function costText({ bill, assumed }: WhyAttempt): string {
  const share = assumed === undefined ? '' : ` (assumed: ${amountText(assumed)})`;
  return bill === undefined ? '' : `, ${amountText(bill)}${share}`;
}

function failureText({ code, message, hint }: Failure): string {
  return `${code}: ${message}${hint === undefined ? '' : ` (${hint})`}`;
}

function issueLines({ code, path, message, hint }: Issue): Line[] {
  const where = path.length === 0 ? '' : ` at ${pathText(path)}`;
  return field('', `${code}${where}: ${message}${hint === undefined ? '' : ` (${hint})`}`);
}

function endLines(why: Why): Line[] {
  const { attempts, adopted, failure, takenUp, root, verified, coerced, warnings, score, understood, grew, items } =
    why;
  const { convergence, rationale } = why;
  const last = attempts.at(-1)?.failure;
  const isSaid = last !== undefined && last.code === failure?.code && last.message === failure.message;
  return [
    ...(adopted === undefined ? [] : adoptedLines(adopted, why.capability)),
    ...(verified ? field('verified', 'its predicate passed') : []),
    ...(coerced.length === 0 ? [] : field('coerced', coerced.join(', '))),
    ...(grew === undefined ? [] : field('grew', grewText(grew, items))),
    ...(rationale === undefined ? [] : field('rationale', rationale)),
    ...(score === undefined ? [] : field('critic', `${score} of 10`)),
    ...understood.flatMap((note, index) => field(index === 0 ? 'understood' : '', note)),
    ...(warnings.length === 0 ? [] : [...field('warnings', ''), ...warnings.flatMap(issueLines)]),
    ...(failure === undefined || isSaid ? [] : field('failure', failureText(failure))),
    ...(takenUp === undefined ? [] : field('taken up', repairOutcomeText(takenUp))),
    ...(root === undefined
      ? []
      : field(
          'root cause',
          `${root.step}  ${root.failure === undefined ? root.status : `${root.failure.code}: ${root.failure.message}`}`,
        )),
    ...(convergence === undefined ? [] : convergenceLines(convergence)),
  ];
}

function grewText(grew: readonly string[], items: string | undefined): string {
  if (items !== undefined) return grew.length === 0 ? counted(0, 'item') : `${counted(grew.length, 'item')}: ${items}`;
  return grew.length === 0 ? 'nothing' : grew.join(', ');
}

function adoptedLines({ from, run, input }: NonNullable<Why['adopted']>, capability: string | undefined): Line[] {
  const same = `the same call of ${capability ?? 'nothing'} with the same contract and the same input`;
  return [
    ...field('adopted', `from ${from}${run === undefined ? '' : ` of run ${run}`}`),
    ...field('', `${same}, ${input}`),
  ];
}

function convergenceLines(convergence: NonNullable<Why['convergence']>): Line[] {
  const { satisfied, succeeded, expected, partial, reason, failed, tolerated = [], skipped, by_phase } = convergence;
  const word = satisfied ? (partial ? 'partial' : 'fired') : 'failed';
  const phases = Object.entries(by_phase);
  return [
    ...field('converged', `${word}: ${shareOf(succeeded, expected, 'branch', 'branches')} succeeded (${reason})`),
    ...(phases.length < 2
      ? []
      : phases.flatMap(([phase, tally]) => field('', `${phase}: ${tally.succeeded} of ${tally.expected}`))),
    ...failed.flatMap(({ step, root, code, message }) =>
      field('', `${step} failed: ${code}: ${message}${root === step ? '' : ` (in ${root})`}`),
    ),
    ...tolerated.flatMap(({ step, code, message }) => field('', `${step} tolerated: ${code}: ${message}`)),
    ...skipped.flatMap(({ step, reason: skip }) => field('', `${step} skipped: ${skip}`)),
  ];
}
