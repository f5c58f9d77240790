// What follows from the events of a batch: steps that can never run, targets to judge, accounts to cut.
import { unreachable } from '../base/fault.ts';
import { type Batch, emit } from './batch.ts';
import type { Consequence } from './consequences.ts';
import { convergeEarly } from './converge/converge-early.ts';
import { judgeTarget } from './converge/judge-target.ts';
import { gatherEarly } from './fan-out/fan-out.ts';
import { halt } from './run/halt.ts';
import { cut } from './spend/cut.ts';
import { isTerminal, stepOf } from './state.ts';

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
