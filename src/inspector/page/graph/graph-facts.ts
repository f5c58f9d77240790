// The facts that cards and headers of the graph tell about steps and phases at a moment.
import type { Instant } from '../../../base/quantity.ts';
import { durationText } from '../../../base/quantity.ts';
import type { GraphFacts, PhaseFacts, StepFacts } from '../../../view/graph/map/shown-graph.ts';
import type { ShownPhase } from '../../../view/phases/phase-tree.ts';
import { countStatuses, shownStatusOf } from '../../../view/phases/shown-status.ts';
import { localName } from '../../../view/status.ts';
import type { StepTimes } from '../../../view/times/step-times.ts';
import type { Moment } from '../state/run.ts';

export function createFacts({ state, times, isLatest }: Moment): GraphFacts {
  const now = isLatest ? Math.max(state.at, times.last) : state.at;
  const kept = new Set<string>();
  for (const { takenUp } of state.steps.values()) {
    const by = state.steps.get(takenUp ?? '');
    if (by !== undefined && by.repairs === undefined) kept.add(by.id);
  }
  const phases = new Map<string, PhaseFacts>();

  function stepFacts(id: string): StepFacts {
    const step = state.steps.get(id);
    const name = step?.item === undefined ? localName(id) : `${localName(step.item.of)} ${localName(id)}`;
    if (step === undefined) return { name, status: undefined, tries: 0 };
    const own = times.steps.get(id);
    const began = own?.began;
    const cost = costUntil(own, now);
    return {
      name,
      status: shownStatusOf(state, step),
      tries: step.attempt,
      ...(began === undefined || began > now ? {} : { time: shortTime(Math.min(own?.ended ?? now, now) - began) }),
      ...(cost > 0 ? { cost: centsText(cost) } : {}),
      ...(kept.has(id) ? { kept: true as const } : {}),
    };
  }

  function phaseFacts(phase: ShownPhase): PhaseFacts {
    const known = phases.get(phase.planner);
    if (known !== undefined) return known;
    let [from, to, cost] = [Number.POSITIVE_INFINITY, 0, 0];
    for (const id of phase.all) {
      const own = times.steps.get(id);
      if (own?.began === undefined || own.began > now) continue;
      from = Math.min(from, own.began);
      to = Math.max(to, Math.min(own.ended ?? now, now));
      cost += costUntil(own, now);
    }
    const facts: PhaseFacts = {
      counts: countStatuses(state, phase.all),
      ...(from <= to ? { time: shortTime(to - from) } : {}),
      ...(cost > 0 ? { cost: centsText(cost) } : {}),
    };
    phases.set(phase.planner, facts);
    return facts;
  }

  return { stepFacts, phaseFacts };
}

function costUntil(times: StepTimes | undefined, now: Instant): number {
  let cost = 0;
  for (const attempt of times?.attempts ?? []) {
    if (attempt.ended !== undefined && attempt.ended <= now) cost += attempt.cost ?? 0;
    else for (const call of attempt.calls) if (call.ended !== undefined && call.ended <= now) cost += call.cost ?? 0;
  }
  return cost;
}

/** `320ms`, `1.4s`, `2m 5s` */
function shortTime(time: number): string {
  if (time < 1_000) return `${Math.round(time)}ms`;
  if (time < 60_000) return `${(time / 1_000).toFixed(1)}s`;
  return durationText(Math.round(time / 1_000) * 1_000);
}

/** `0.3¢`, `$1.20`: steps often cost less than a cent. */
function centsText(cost: number): string {
  const cents = cost / 10_000;
  if (cents >= 10) return `$${(cents / 100).toFixed(2)}`;
  return `${cents < 0.1 ? cents.toFixed(2) : cents.toFixed(1)}¢`;
}
