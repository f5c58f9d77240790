// retry-step: restarts a step that has not ended, and continues the run.
import { orderCommand } from '../drive/drive-order.ts';
import { findStep } from '../find-step.ts';
import { refuse } from '../refuse.ts';
import { runArgument } from '../run-argument.ts';
import { stepArgument } from '../step-argument.ts';

export const command = orderCommand({
  arguments: [runArgument, stepArgument],
  flags: [],
  examples: [
    {
      command: 'reconverge retry-step latest fetch --why "it hangs"',
      does: 'abort the running attempt and start again',
    },
  ],
  async read(call, { state }) {
    const step = findStep(state, call.given.arguments[1] ?? '');
    return step.ok ? { order: { type: 'retry-step', step: step.value.id } } : refuse(call, step.error);
  },
});
