// A repair: the failure, the earlier tries, and the differences in the new plan.
import type { RepairExplanation } from '../../../view/why/why-repair.ts';
import { PlanDiffList } from '../parts/plan-diff-list.tsx';
import { StepLink } from '../parts/step-link.tsx';

export function RepairOf({ repair }: { readonly repair: RepairExplanation }) {
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
