// What a person has said to a plan: it is grafted as it stands or as they edited it, or goes back to its planner.
import { type Issue, issue } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import { readFragment } from '../../planning/fragment.ts';
import { issueText } from '../../planning/issue-text.ts';
import { review, reviewUnread } from '../../planning/review.ts';
import type { GateDecision } from '../account/gate-answers.ts';
import { frameOf } from '../packet/frame-of.ts';
import { valueIn } from '../record/kept.ts';
import type { Batch } from '../state/batch.ts';
import { type Gate, type Step, stepOf } from '../state/state.ts';
import { heardBefore } from './hear-critic.ts';
import type { Proposed } from './plan-review.ts';
import { accept, reject } from './settle-plan.ts';

/** An edit must be acceptable like every plan. Nothing has been written yet. */
export function refusePlan(batch: Batch, gate: Gate, { verdict, value }: GateDecision): Issue | undefined {
  if (verdict !== 'edit' || value === undefined) return undefined;
  const judged = judge(batch, stepOf(batch.state, gate.step), value);
  if (judged.ok) return undefined;
  const errors = judged.issues.filter(({ severity }) => severity === 'error');
  const told = errors.map((each) => issueText(each, value));
  return issue('PLAN_EDIT_INVALID', `gate ${gate.id} does not take this plan: ${told.join('; ')}`, {
    path: errors[0]?.path ?? [],
    hint: errors[0]?.hint,
  });
}

/** The run has gone on since the plan was proposed: what does not fit it any more goes back with the reasons. */
export function settlePlanReview(batch: Batch, gate: Gate, { verdict, value, by, why }: GateDecision): void {
  const step = stepOf(batch.state, gate.step);
  if (verdict === 'reject') {
    const said = issue('PLAN_REJECTED', `${by} rejected the plan${why === undefined ? '' : `: ${why}`}`);
    return reject(batch, step, [said], {}, null);
  }
  const kept = step.proposal === undefined ? undefined : valueIn(step.proposal, batch.values);
  const plan = value ?? kept ?? null;
  const judged = judge(batch, step, plan);
  if (judged.ok) accept(batch, step, value === undefined ? heard(batch, step, judged.proposed) : judged.proposed, {});
  else reject(batch, step, judged.issues, {}, plan);
}

/** What a model has said of this very plan stays on record with it. */
function heard(batch: Batch, step: Step, proposed: Proposed): Proposed {
  return { ...proposed, verdict: heardBefore(batch, step, proposed) };
}

type Judged =
  | { readonly ok: true; readonly proposed: Proposed }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** What the critic says was shown before the decision. */
function judge(batch: Batch, step: Step, plan: Json): Judged {
  const read = readFragment(plan, batch.state.template.capabilities);
  const frame = { ...frameOf(batch, step), isAgreed: true as const };
  if (!read.ok) return { ok: false, issues: reviewUnread(read.error, frame) };
  if (!('steps' in read.value)) return { ok: false, issues: [noPlan] };
  const verdict = review(read.value, frame);
  if (!verdict.accepted) return { ok: false, issues: verdict.issues };
  return { ok: true, proposed: { fragment: read.value, frame, verdict } };
}

const noPlan = issue('FRAGMENT_UNREADABLE', 'it brings no steps', { hint: 'reject the plan instead, with the reason' });
