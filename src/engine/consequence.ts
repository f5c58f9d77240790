// Follows the events of a batch: skips steps that can never run, judges targets, cuts accounts.
import { unreachable } from '../base/fault.ts';
import { gatherEarly } from './attempt/fan-out.ts';
import { halt } from './order/fail-fast.ts';
import type { Consequence } from './record/consequences.ts';
import { convergeEarly } from './repair/converge-early.ts';
import { cut } from './repair/cut-spent-account.ts';
import { judgeTarget } from './repair/judge-target.ts';
import { type Batch, emit } from './state/batch.ts';
import { isTerminal, stepOf } from './state/state.ts';

export function follow(batch: Batch, consequence: Consequence): void {
  const { state } = batch;
  switch (consequence.type) {
    case 'skip': {
      const { step, reason, root, cause } = consequence;
      if (!isTerminal(stepOf(state, step))) emit(batch, cause, { type: 'step.skipped', step, reason, root });
      return;
    }
    case 'judge':
      return judgeTarget(batch, stepOf(state, consequence.step), consequence.cause);
    case 'converge-early':
      return convergeEarly(batch, stepOf(state, consequence.step), consequence.cause);
    case 'cut':
      return cut(batch, consequence.account, consequence.cause);
    case 'gather-early':
      return gatherEarly(batch, stepOf(state, consequence.step), consequence.cause);
    case 'halt':
      return halt(batch);
    default:
      return unreachable(consequence);
  }
}
