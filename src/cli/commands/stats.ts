// stats: shows what the runs of a store have taught about capabilities, strategies and intents.
import { shownStats, statsOf, statsText } from '../../view/stats.ts';
import type { StatsAnswer } from '../answers/runs.schema.ts';
import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { readingRuns } from '../open-engine.ts';
import { storeFlag } from '../store-file.ts';

export const command: Command = {
  arguments: [],
  flags: [storeFlag, jsonFlag],
  examples: [{ command: 'reconverge stats', does: 'show how often plans and capabilities succeeded' }],

  run: (call) =>
    readingRuns(call, async (engine) => {
      const stats = statsOf(engine.lessons());
      if (call.given.has('json')) call.terminal.json(shownStats(stats) satisfies StatsAnswer);
      else call.terminal.print(statsText(stats));
      return exitCodes.done;
    }),
};
