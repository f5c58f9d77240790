// Judges a planner's reply: reads its fragment, reviews the fragment in its frame, and prepares the graft.
import { type Issue, issue } from '../base/issue.ts';
import type { Json } from '../base/json.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { Amount } from '../budget/amount.ts';
import type { Declaration } from '../contract/declaration.ts';
import type { Need } from '../template/step-spec.ts';
import { newCapabilities } from './checks/own-capabilities.ts';
import type { Fragment } from './fragment.ts';
import type { Frame } from './frame.ts';
import { type Graft, graftOf } from './prepare-graft.ts';
import { readFragment } from './read-fragment.ts';
import { review, reviewUnread, type Verdict } from './review.ts';

/** A plan that the review accepted, ready to be grafted. */
export interface AcceptedPlan {
  readonly fragment: Fragment;
  readonly frame: Frame;
  readonly verdict: Verdict;
  readonly graft: Graft;
  /** The plan's own capabilities that no person has approved yet. */
  readonly newCapabilities: readonly Declaration[];
}

export interface RefusedPlan {
  readonly issues: readonly Issue[];
  /** The worst-case cost of the plan; absent for an unreadable plan. */
  readonly estimate?: Amount;
}

export type JudgedReply =
  | { readonly kind: 'accepted'; readonly plan: AcceptedPlan }
  | { readonly kind: 'refused'; readonly plan: RefusedPlan }
  /** The planner must see these results first. */
  | { readonly kind: 'needs'; readonly needs: readonly Need[] }
  /** A question to a person, as the planner wrote it. */
  | { readonly kind: 'question'; readonly question: Json }
  | { readonly kind: 'impossible'; readonly reason: string };

export interface ReplyContext {
  readonly frame: Frame;
  /** The known capabilities. */
  readonly declarations: Readonly<Record<string, Declaration>>;
  /** The goal as the planner read it, with references filled in. */
  readonly goal: Json | undefined;
  /** The planner has already been shown the results that it needed, which happens once. */
  readonly isServed: boolean;
}

export function judgeReply(reply: Json, { frame, declarations, goal, isServed }: ReplyContext): JudgedReply {
  const read = readFragment(reply, declarations, frame.stepTimeout);
  if (!read.ok) {
    return { kind: 'refused', plan: { issues: reviewUnread(read.error, withGoal(frame, goal, read.error.rest)) } };
  }
  if ('impossible' in read.value) return { kind: 'impossible', reason: read.value.impossible };
  if ('asks' in read.value) return { kind: 'question', question: read.value.asks };
  const fragment = read.value;
  const { needs, steps } = fragment;
  if (needs.length > 0 && !isServed) return { kind: 'needs', needs };
  if (needs.length > 0 && steps.length === 0) return { kind: 'refused', plan: { issues: [servedBefore('error')] } };
  const judged = reviewed(fragment, withGoal(frame, goal, fragment), needs.length > 0 ? [servedBefore('warning')] : []);
  return judged.ok ? { kind: 'accepted', plan: judged.value } : { kind: 'refused', plan: judged.error };
}

/** Judges a plan that must bring steps, such as one that a person has edited. */
export function judgePlan(
  plan: Json,
  { frame, declarations }: Pick<ReplyContext, 'frame' | 'declarations'>,
): Result<AcceptedPlan, RefusedPlan> {
  const read = readFragment(plan, declarations, frame.stepTimeout);
  if (!read.ok) return bad({ issues: reviewUnread(read.error, frame) });
  return 'steps' in read.value ? reviewed(read.value, frame, []) : bad({ issues: [noSteps] });
}

function reviewed(fragment: Fragment, frame: Frame, warnings: readonly Issue[]): Result<AcceptedPlan, RefusedPlan> {
  const found = review(fragment, frame);
  const verdict = { ...found, issues: [...found.issues, ...warnings] };
  if (!verdict.accepted) return bad({ issues: verdict.issues, estimate: verdict.estimate });
  return good({
    fragment,
    frame,
    verdict,
    graft: graftOf(fragment, frame),
    newCapabilities: newCapabilities(fragment, frame),
  });
}

/** Adds the goal with references filled in to the goals that a nested plan may not repeat. */
function withGoal(frame: Frame, goal: Json | undefined, fragment: Fragment | undefined): Frame {
  const read = goal ?? fragment?.intents?.goal;
  return typeof read === 'string' ? { ...frame, goals: [read, ...(frame.goals ?? [])] } : frame;
}

function servedBefore(severity: 'error' | 'warning'): Issue {
  return issue('NEEDS_SERVED', 'what the planner needs is shown once, and that has been done', {
    path: ['needs'],
    hint: 'plan with what the packet shows; steps can refer to any result in its index',
    severity,
  });
}

const noSteps = issue('FRAGMENT_UNREADABLE', 'it brings no steps', {
  hint: 'reject the plan instead, with the reason',
});
