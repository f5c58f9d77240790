// resolve-step: gives a step a result by hand, and continues the run.

import { orderCommand } from '../drive/drive-order.ts';
import { findStep } from '../find-step.ts';
import { readAnswer } from '../gate/answer-input.ts';
import { refuse } from '../refuse.ts';
import { runArgument } from '../run-argument.ts';
import { stepArgument } from '../step-argument.ts';
import { UsageError } from '../usage-error.ts';

export const command = orderCommand({
  arguments: [runArgument, stepArgument],
  flags: [
    {
      name: '--value <value>',
      description: 'The result: JSON, key=value, @file.json, or plain words if the contract is a text.',
      repeats: true,
    },
  ],
  examples: [
    {
      command: 'reconverge resolve-step latest fetch --value @page.json --why "the server is down"',
      does: 'continue with a page that was fetched by hand',
    },
  ],
  async read(call, { state }) {
    const words = call.given.all('value');
    if (words.length === 0) throw new UsageError('give the result with --value');
    const step = findStep(state, call.given.arguments[1] ?? '');
    if (!step.ok) return refuse(call, step.error);
    const { id, spec } = step.value;
    return { order: { type: 'resolve-step', step: id, value: readAnswer(words, '--value', spec.output) } };
  },
});
