// Explains a step: the way from the run's goal to the step, the steps it waits for, and its outcome.
import { useState } from 'preact/hooks';
import { amountText } from '../../../view/amount-text.ts';
import { instantText } from '../../../view/instant-text.ts';
import type { Why } from '../../../view/why/why.ts';
import { whyGateText } from '../../../view/why/why-gate-text.ts';
import type { RepairExplanation } from '../../../view/why/why-repair.ts';
import { Issues } from '../parts/issues.tsx';
import { PlanDiffList } from '../parts/plan-diff-list.tsx';
import { StepLink } from '../parts/step-link.tsx';
import { go } from '../state/place.ts';

export function WhyTab({ explanation }: { readonly explanation: Why }) {
  const { purpose, description, origins, repair, gates, orders, adopted } = explanation;
  const bill = explanation.attempts.reduce<Record<string, number>>((sum, { bill: each = {} }) => {
    for (const [name, count] of Object.entries(each)) sum[name] = (sum[name] ?? 0) + count;
    return sum;
  }, {});
  return (
    <div class="why">
      {description !== undefined && <p>{description}</p>}
      <ol class="origins">
        <li>
          <span class="label">goal of the run</span>
          <p>{purpose ?? explanation.template}</p>
        </li>
        {origins.map(({ planner, goal, rationale, target }) => (
          <li key={planner}>
            <span class="label">
              grafted by <StepLink id={planner} />, before <StepLink id={target} />
            </span>
            {goal !== undefined && <p>{goal}</p>}
            {rationale !== '' && <p class="rationale">{rationale}</p>}
          </li>
        ))}
        <li class="itself">
          <span class="label">{origins.length === 0 ? 'written in the template' : 'this step'}</span>
          {explanation.item !== undefined && (
            <p>
              item {explanation.item.index} of <StepLink id={explanation.item.of} />: {explanation.item.size}
            </p>
          )}
        </li>
      </ol>
      {repair !== undefined && <Repair repair={repair} />}
      {explanation.grew !== undefined && (
        <Steps
          title={explanation.items === undefined ? 'grew' : `items: ${explanation.items}`}
          steps={explanation.grew.map((step) => ({ step, note: '' }))}
        />
      )}
      {explanation.convergence !== undefined && <Converged convergence={explanation.convergence} />}
      {adopted !== undefined && (
        <p>
          took over the finished work of{' '}
          {adopted.run === undefined ? <StepLink id={adopted.from} /> : `${adopted.from} of run ${adopted.run}`}
        </p>
      )}
      {gates.length > 0 && <h3>people</h3>}
      {gates.map((gate) => (
        <button key={gate.gate} type="button" class="row" onClick={() => go({ gate: gate.gate })}>
          {whyGateText(gate).join(' · ')}
        </button>
      ))}
      {orders.map(({ order, by, why: reason, at }) => (
        <p key={at}>
          {order} by {by}, {instantText(at)}
          {reason === undefined ? '' : `: ${reason}`}
        </p>
      ))}
      {(explanation.verified || explanation.coerced.length > 0) && (
        <p class="dim">
          {explanation.verified ? 'verified: its predicate passed. ' : ''}
          {explanation.coerced.length > 0 ? `mended without loss: ${explanation.coerced.join(', ')}` : ''}
        </p>
      )}
      {explanation.score !== undefined && <p>the critic gives its plan {explanation.score} of 10</p>}
      {explanation.warnings.length > 0 && <Issues issues={explanation.warnings} />}
      <p class="dim">cost: {amountText(bill) || 'nothing'}</p>
    </div>
  );
}

interface ListedStep {
  readonly step: string;
  readonly note: string;
}

const SHOWN = 12;

function Steps({ title, steps }: { readonly title: string; readonly steps: readonly ListedStep[] }) {
  const [isWhole, setWhole] = useState(false);
  if (steps.length === 0) return null;
  const shown = isWhole ? steps : steps.slice(0, SHOWN);
  return (
    <>
      <h3>{title}</h3>
      <ul class="step-links">
        {shown.map(({ step, note }) => (
          <li key={step}>
            <StepLink id={step} /> <span class="dim">{note}</span>
          </li>
        ))}
        {shown.length < steps.length && (
          <li>
            <button type="button" class="link" onClick={() => setWhole(true)}>
              {steps.length - shown.length} more
            </button>
          </li>
        )}
      </ul>
    </>
  );
}

function Converged({ convergence }: { readonly convergence: NonNullable<Why['convergence']> }) {
  const { satisfied, succeeded, expected, partial, reason, failed, tolerated = [], skipped } = convergence;
  return (
    <>
      <h3>converged</h3>
      <p>
        {satisfied ? (partial ? 'partial' : 'fired') : 'failed'}: {succeeded} of {expected} branches succeeded ({reason}
        )
      </p>
      <ul class="step-links">
        {failed.map(({ step, code, message }) => (
          <li key={step}>
            <StepLink id={step} /> failed: <code>{code}</code> {message}
          </li>
        ))}
        {tolerated.map(({ step, code, message }) => (
          <li key={step}>
            <StepLink id={step} /> tolerated: <code>{code}</code> {message}
          </li>
        ))}
        {skipped.map(({ step, reason: why }) => (
          <li key={step}>
            <StepLink id={step} /> skipped: {why}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The failure that a repair mends, the earlier trials, and the differences of the new plan. */
function Repair({ repair }: { readonly repair: RepairExplanation }) {
  const { planner, scope, trial, failing, trials, diff } = repair;
  return (
    <div class="repair">
      <h3>repairs</h3>
      <p>
        {planner === undefined ? 'a step of the template' : <StepLink id={planner} />}, the {scope}, trial {trial}
      </p>
      <ul class="step-links">
        {failing.map(({ step, code, message }) => (
          <li key={step}>
            <StepLink id={step} /> failed: <code>{code}</code> {message}
          </li>
        ))}
      </ul>
      {diff !== undefined && <PlanDiffList diff={diff} />}
      {trials.length > 1 && <h3>tried before</h3>}
      {trials.map((tried) => (
        <p key={tried.planner}>
          <StepLink id={tried.planner} /> <span class="dim">{tried.rationale}</span>
        </p>
      ))}
    </div>
  );
}
