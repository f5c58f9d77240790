// Follows a person's decision about a plan: it is grafted as it stands or as edited, or goes back to its planner.
import { type Issue, issue } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { readFragment } from '../../planning/fragment.ts';
import { issueText } from '../../planning/issue-text.ts';
import { review, reviewUnread } from '../../planning/review.ts';
import type { GateDecision } from '../gates/gate-answers.ts';
import { frameOf } from '../packet/frame-of.ts';
import { valueIn } from '../record/stored-value.ts';
import type { Batch } from '../state/batch.ts';
import { type Gate, type Step, stepOf } from '../state/state.ts';
import { heardBefore } from './ask-critic.ts';
import type { Proposed } from './plan-gate.ts';
import { accept, reject } from './settle-plan.ts';

/** The reason why an edited plan is not acceptable. Writes nothing. */
export function refusePlan(batch: Batch, gate: Gate, { verdict, value }: GateDecision): Issue | undefined {
  if (verdict !== 'edit' || value === undefined) return undefined;
  const judged = judge(batch, stepOf(batch.state, gate.step), value);
  if (judged.ok) return undefined;
  const errors = judged.error.filter(({ severity }) => severity === 'error');
  const told = errors.map((each) => issueText(each, value));
  return issue('PLAN_EDIT_INVALID', `gate ${gate.id} does not take this plan: ${told.join('; ')}`, {
    path: errors[0]?.path ?? [],
    hint: errors[0]?.hint,
  });
}

/** Reviews the plan once more, since the run has gone on: a plan that no longer fits goes back with the issues. */
export function settlePlanReview(batch: Batch, gate: Gate, { verdict, value, by, why }: GateDecision): void {
  const step = stepOf(batch.state, gate.step);
  if (verdict === 'reject') {
    const said = issue('PLAN_REJECTED', `${by} rejected the plan${why === undefined ? '' : `: ${why}`}`);
    return reject(batch, step, [said], {}, null);
  }
  const kept = step.proposal === undefined ? undefined : valueIn(step.proposal, batch.values);
  const plan = value ?? kept ?? null;
  const judged = judge(batch, step, plan);
  if (judged.ok) accept(batch, step, value === undefined ? heard(batch, step, judged.value) : judged.value, {});
  else reject(batch, step, judged.error, {}, plan);
}

/** Adds the remarks that the model critic made about this plan. */
function heard(batch: Batch, step: Step, proposed: Proposed): Proposed {
  return { ...proposed, verdict: heardBefore(batch, step, proposed) };
}

/** Reviews the plan without the model critic: its remarks were shown before the decision. */
function judge(batch: Batch, step: Step, plan: Json): Result<Proposed> {
  const read = readFragment(plan, batch.state.template.capabilities);
  const frame = { ...frameOf(batch, step), isAgreed: true as const };
  if (!read.ok) return bad(reviewUnread(read.error, frame));
  if (!('steps' in read.value)) return bad([noPlan]);
  const verdict = review(read.value, frame);
  if (!verdict.accepted) return bad(verdict.issues);
  return good({ fragment: read.value, frame, verdict });
}

const noPlan = issue('FRAGMENT_UNREADABLE', 'it brings no steps', { hint: 'reject the plan instead, with the reason' });
