// The state of a step as a sign, a word and a tone, so that neither color nor shape alone carries it.

import type { RunView } from '../engine/state/run-view.ts';
import type { Step, StepStatus } from '../engine/state/state.ts';
import { wasCutOff } from '../engine/state/step-tally.ts';
import type { Tone } from './line.ts';

export interface StatusMark {
  readonly sign: string;
  readonly tone: Tone;
}

const marks: Readonly<Record<StepStatus, StatusMark>> = {
  waiting: { sign: '·', tone: 'dim' },
  ready: { sign: '○', tone: 'dim' },
  running: { sign: '●', tone: 'busy' },
  retrying: { sign: '↻', tone: 'warn' },
  held: { sign: '?', tone: 'warn' },
  completed: { sign: '✓', tone: 'good' },
  resolved: { sign: '✓', tone: 'warn' },
  failed: { sign: '✗', tone: 'bad' },
  skipped: { sign: '–', tone: 'warn' },
  cancelled: { sign: '■', tone: 'warn' },
  superseded: { sign: '⊘', tone: 'dim' },
};

export function statusMark(status: StepStatus): StatusMark {
  return marks[status];
}

const worstFirst: readonly StepStatus[] = ['failed', 'held', 'retrying', 'running', 'ready', 'waiting'];

/** The status that stands for several steps together. */
export function worstOf(statuses: readonly StepStatus[]): StepStatus {
  return worstFirst.find((status) => statuses.includes(status)) ?? statuses[0] ?? 'waiting';
}

/** `completed`, `skipped (budget)`, `aborted (budget)` */
export function statusText(step: Pick<Step, 'status' | 'skipped' | 'failure'>): string {
  const { status, skipped } = step;
  if (wasCutOff(step)) return 'aborted (budget)';
  return skipped === undefined ? status : `${status} (${skipped})`;
}

/** `statusText` with the reason for waiting: `held: g1 approval`, `superseded by plan~2`. */
export function standingText(state: RunView, step: Step): string {
  const gate = state.gates.get(step.people?.gate ?? '');
  if (gate !== undefined) return `held: ${gate.id} ${gate.kind}`;
  if (step.status === 'superseded' && step.root !== undefined) return `superseded by ${step.root}`;
  // A repair waits for the cooldown after the last one.
  if (step.status === 'retrying' && step.attempt === 0) return 'cooling down';
  if (step.status === 'waiting' && step.expanded !== undefined) return 'waits for its items';
  return statusText(step);
}

/** `9 completed, 2 failed`, in the order of first appearance. */
export function countsText(statuses: Iterable<StepStatus>): string {
  const counts = new Map<StepStatus, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
}

/** `repairs a, b`: the failed steps that a repair mends. */
export function repairsText(failing: readonly string[]): string {
  return `repairs ${failing.length === 0 ? 'the whole phase' : failing.map(localName).join(', ')}`;
}

/** `sniff_orders` of `plan_recon.1/sniff_orders` */
export function localName(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}
