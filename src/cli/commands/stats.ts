// stats: what the runs of a store have taught, of capabilities, strategies and intents.
import { shownStats, statsOf, statsText } from '../../view/stats.ts';
import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { readingRuns } from '../open-engine.ts';
import { storeFlag } from '../store-file.ts';

export const command: Command = {
  arguments: [],
  flags: [storeFlag, jsonFlag],
  examples: [{ command: 'reconverge stats', does: 'how often what was planned went well' }],
  json: {
    runs: 'how many runs have taught something',
    capabilities:
      '[{ of: capability | agent, name, tries, succeeded, attempts, invalid, seconds, cost_usd, codes: { code: number } }]; sums, cost_usd in dollars',
    strategies: '[{ of: strategy, name, shape, … }]: by shape of the goal',
    intents: '[{ of, name, shape, … }]: who has served intents of a shape',
  },
  run: (call) =>
    readingRuns(call, async (engine) => {
      const stats = statsOf(engine.lessons());
      if (call.given.has('json')) call.terminal.json(shownStats(stats));
      else call.terminal.print(statsText(stats));
      return exitCodes.done;
    }),
};
