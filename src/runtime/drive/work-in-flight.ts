// The work that a driver has handed to its performer. The calls of one answer of an agent may be in flight together.

import type { Work } from '../ports/work.ts';

export interface WorkInFlight {
  readonly work: Work;
  readonly controller: AbortController;
  cancelTimer: () => void;
  timedOut: boolean;
  /** False while the work waits for a concurrency limit. */
  hasBegun: boolean;
}

export interface InFlight {
  add(work: Work): WorkInFlight;
  /** False if the work was taken out before. */
  take(one: WorkInFlight): boolean;
  takeAll(step: string): readonly WorkInFlight[];
  has(step: string): boolean;
  steps(): readonly string[];
  all(): readonly WorkInFlight[];
}

export function workInFlight(): InFlight {
  const byStep = new Map<string, readonly WorkInFlight[]>();
  const of = (step: string): readonly WorkInFlight[] => byStep.get(step) ?? [];
  return {
    add(work) {
      const controller = new AbortController();
      const one: WorkInFlight = { work, controller, cancelTimer: () => {}, timedOut: false, hasBegun: false };
      byStep.set(work.step, [...of(work.step), one]);
      return one;
    },
    take(one) {
      const { step } = one.work;
      const all = of(step);
      const left = all.filter((each) => each !== one);
      if (left.length === 0) byStep.delete(step);
      else byStep.set(step, left);
      return left.length < all.length;
    },
    takeAll(step) {
      const all = of(step);
      byStep.delete(step);
      return all;
    },
    has: (step) => byStep.has(step),
    steps: () => [...byStep.keys()],
    all: () => [...byStep.values()].flat(),
  };
}
