// The head of a run: its goal, its state, its budget, and its open gates.
import { durationText } from '../../../base/quantity.ts';
import type { OrderOutcome } from '../../../engine/record/run-events.schema.ts';
import { openGatesOf } from '../../../view/open-gates.ts';
import { type RootCause, type SkippedStep, summaryOf } from '../../../view/summary.ts';
import { RunOrders } from '../orders/run-orders.tsx';
import { BudgetBar } from '../parts/budget-bar.tsx';
import { RunLink } from '../parts/run-link.tsx';
import { RunStatus } from '../parts/status.tsx';
import { StepLink } from '../parts/step-link.tsx';
import { budget } from '../state/budget.ts';
import { go, whereAsked } from '../state/place.ts';
import { isReadOnly, type Moment, shown, summary } from '../state/run.ts';

export function RunHead() {
  const moment = shown.value;
  if (moment === undefined) return null;
  const { state } = moment;
  const run = summaryOf(state, moment.isLatest && summary.value?.status === 'interrupted');
  return (
    <div class="run-head">
      <div class="run-title">
        <h1>
          {run.template}
          {run.environment !== undefined && <span class="dim"> ({run.environment})</span>}
        </h1>
        <RunStatus status={run.status} partial={run.partial} />
        <span class="dim">
          <code>{run.run}</code>
          {run.parent !== undefined && (
            <>
              {' '}
              for <RunLink run={run.parent.run} step={run.parent.step} />
            </>
          )}{' '}
          · {stepsText(run.steps)} · {durationText(run.elapsed)}
        </span>
        <span class="spacer" />
        {moment.isLatest && !isReadOnly.value && <RunOrders key={moment.run} run={moment.run} status={run.status} />}
      </div>
      {state.template.description !== undefined && <p class="purpose">{state.template.description}</p>}
      {run.stop !== undefined && <p class="notice text-bad">{run.stop}</p>}
      <Orders orders={run.orders ?? []} />
      <Steps heading="failed" tone="text-bad" steps={run.failed} />
      <Steps heading="tolerated" tone="text-warn" steps={run.tolerated} />
      <Steps heading="skipped" tone="text-warn" steps={run.skipped.filter(isMissed)} />
      <Asked moment={moment} />
      <div class="bars">
        {budget.value?.run.rows
          .filter(({ limit }) => limit !== undefined)
          .map((row) => (
            <BudgetBar key={row.resource} row={row} />
          ))}
      </div>
    </div>
  );
}

/** A listed step with the code of its failure, or with the reason it was skipped. */
type ListedStep = Pick<RootCause, 'step' | 'code' | 'takenUp'> | SkippedStep;

/** Steps that the template itself leaves out are not worth listing. */
function isMissed({ reason }: SkippedStep): boolean {
  return reason !== 'when_false' && reason !== 'not_chosen';
}

const FEW = 3;

function Steps({
  heading,
  tone,
  steps,
}: {
  readonly heading: string;
  readonly tone: string;
  readonly steps: readonly ListedStep[];
}) {
  if (steps.length === 0) return null;
  return (
    <p class="notice" data-outcome={heading}>
      <span class={tone}>{heading}:</span>{' '}
      {steps.slice(0, FEW).map((each) => (
        <span key={each.step} class="cause">
          <StepLink id={each.step} /> <code>{'code' in each ? each.code : each.reason}</code>
          {'takenUp' in each && each.takenUp !== undefined ? ` (${each.takenUp.outcome})` : ''}
        </span>
      ))}
      {steps.length > FEW && <span class="dim"> and {steps.length - FEW} more</span>}
    </p>
  );
}

/** The orders of a goal that nothing did; the summary line names how many were done. */
function Orders({ orders }: { readonly orders: readonly OrderOutcome[] }) {
  if (orders.length === 0) return null;
  const left = orders.filter(({ outcome }) => outcome === 'not_done');
  return (
    <div class="notice" data-outcome="orders">
      <details open={left.length > 0}>
        <summary class={left.length > 0 ? 'text-warn' : 'dim'}>
          {orders.length - left.length} of {orders.length} orders of the goal done
        </summary>
        {orders.map(({ says, outcome, steps, why }, index) => (
          <p key={`${index} ${says}`} class={outcome === 'not_done' ? 'text-bad' : ''} data-order={outcome}>
            {outcome.replaceAll('_', ' ')}: {says}{' '}
            {steps.map(({ step }) => (
              <span key={step} class="cause">
                <StepLink id={step} />
              </span>
            ))}
            {why !== undefined && <span class="dim"> {why}</span>}
          </p>
        ))}
      </details>
    </div>
  );
}

function stepsText(counts: Readonly<Partial<Record<string, number>>>): string {
  const all = Object.values(counts).reduce<number>((sum, count) => sum + (count ?? 0), 0);
  return `${counts.completed ?? 0} of ${all} steps completed`;
}

function Asked({ moment }: { readonly moment: Moment }) {
  const open = openGatesOf(moment.state);
  if (open.length === 0) return null;
  return (
    <div class="asked">
      {open.map(({ gate, kind, run, step, prompt }) => (
        <button key={gate} type="button" data-gate={gate} onClick={() => go(whereAsked(gate, run))}>
          <span class="what">
            <strong>? {kind.replaceAll('_', ' ')}</strong> of {step}
            {run === undefined ? '' : ` in run ${run}`}:
          </span>
          <span>{prompt.trim().split('\n')[0]}</span>
          <span class="call">{moment.isLatest && !isReadOnly.value ? 'answer' : 'look'}</span>
        </button>
      ))}
    </div>
  );
}
