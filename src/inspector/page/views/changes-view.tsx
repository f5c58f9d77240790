// The changes view: plans and their repairs, plans that people edited, and a comparison with another run.
import { repairBriefOf } from '../../../view/why/why-repair.ts';
import { PlanDiffList } from '../parts/plan-diff-list.tsx';
import { StepLink } from '../parts/step-link.tsx';
import { shown } from '../state/run.ts';
import { EditedPlans } from './edited-plans.tsx';
import { RunComparison } from './run-comparison.tsx';

export function ChangesView() {
  const moment = shown.value;
  if (moment === undefined) return null;
  const { state } = moment;
  const repairs = [...state.steps.values()].filter((step) => step.repairs !== undefined);
  return (
    <div class="changes">
      <h3>plans that repair others</h3>
      {repairs.length === 0 && <p class="dim">None: no plan of this run was planned anew.</p>}
      {repairs.map((step) => {
        const told = repairBriefOf(state, step);
        return (
          <section key={step.id}>
            <p>
              <StepLink id={step.id} />{' '}
              {told?.planner === undefined ? (
                'repairs a step of the template'
              ) : (
                <>
                  in the place of <StepLink id={told.planner} />
                </>
              )}
              , trial {told?.trial}
              {state.phases.get(step.id) !== undefined && (
                <span class="dim">: {state.phases.get(step.id)?.rationale}</span>
              )}
            </p>
            {told?.diff === undefined ? <p class="dim">It has not planned yet.</p> : <PlanDiffList diff={told.diff} />}
          </section>
        );
      })}
      <EditedPlans moment={moment} />
      <RunComparison moment={moment} />
    </div>
  );
}
