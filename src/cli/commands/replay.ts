// replay: folds a run's events again and checks every invariant.

import { counted } from '../../base/counted.ts';
import { defined } from '../../base/json.ts';
import { checkRun } from '../../view/check-run.ts';
import { span } from '../../view/line.ts';
import type { ReplayAnswer } from '../answers/runs.schema.ts';
import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { withRun } from '../open-engine.ts';
import { runArgument } from '../run-argument.ts';
import { storeFlag } from '../store-file.ts';

export const command: Command = {
  arguments: [runArgument],
  flags: [storeFlag, jsonFlag],
  examples: [
    { command: 'reconverge replay latest', does: 'check the journal of the last run, without running anything' },
  ],

  run: (call) =>
    withRun(call, ({ state, events, template, blob, snapshot: last }) => {
      const snapshot = last();
      const { checked, values, broken } = checkRun(template, events, (digest) => blob(digest) !== undefined, snapshot);
      if (call.given.has('json')) {
        const compared = defined({ snapshot: snapshot === undefined ? undefined : snapshot.version });
        const answer = { run: state.id, events: events.length, checked, values, ...compared, broken };
        call.terminal.json(answer satisfies ReplayAnswer);
      } else {
        const what = `${counted(events.length, 'event')} folded, ${counted(values, 'value')} beside them`;
        const holds = broken.length === 0 ? `; all invariants hold after ${counted(checked, 'batch', 'batches')}` : '';
        call.terminal.print([
          [span(`run ${state.id}`, 'strong'), span(`  ${what}`), span(holds, 'good')],
          ...broken.map((line) => [span(line, 'bad')]),
        ]);
      }
      return broken.length === 0 ? exitCodes.done : exitCodes.issues;
    }),
};
