// diff: shows the differences between two runs.

import { isSame, runDiff, shownDifference } from '../../view/diff/run-diff.ts';
import { runDiffText } from '../../view/diff/run-diff-text.ts';
import { span } from '../../view/line.ts';
import type { DiffAnswer } from '../answers/runs.schema.ts';
import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { readingRuns } from '../open-engine.ts';
import { refuse } from '../refuse.ts';
import { storeFlag } from '../store-file.ts';

export const command: Command = {
  arguments: [
    { name: 'RUN', description: 'The first run: its id, a unique beginning of it, or latest.' },
    { name: 'OTHER', description: 'The run to compare it with.' },
  ],
  flags: [storeFlag, jsonFlag],
  examples: [{ command: 'reconverge diff k2m9 latest', does: 'compare the last run with k2m9…' }],

  run: (call) =>
    readingRuns(call, async (engine) => {
      const [first = '', second = ''] = call.given.arguments;
      const [left, right] = [engine.read(first), engine.read(second)];
      if (!left.ok) return refuse(call, left.error);
      if (!right.ok) return refuse(call, right.error);
      const difference = runDiff(left.value, right.value);
      if (call.given.has('json')) call.terminal.json(shownDifference(difference) satisfies DiffAnswer);
      else if (isSame(difference)) call.terminal.print([[span('no difference', 'good')]]);
      else call.terminal.print(runDiffText(difference));
      return exitCodes.done;
    }),
};
