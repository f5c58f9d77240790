// prune: removes runs that ended long ago.
import { counted } from '../../base/counted.ts';
import { durationText, readDuration } from '../../base/quantity.ts';
import { span } from '../../view/line.ts';
import type { PruneAnswer } from '../answers/authoring.schema.ts';
import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { withRuns } from '../open-engine.ts';
import { storeFlag, storeName } from '../store-file.ts';
import { UsageError } from '../usage-error.ts';

export const command: Command = {
  arguments: [],
  flags: [
    {
      name: '--older-than <time>',
      description: 'Remove the runs that ended longer ago than this, such as 30d; with their child runs.',
    },
    { name: '--dry', description: 'Only list the runs.' },
    storeFlag,
    jsonFlag,
  ],
  examples: [
    { command: 'reconverge prune --older-than 30d --dry', does: 'list what would be removed' },
    { command: 'reconverge prune --older-than 30d', does: 'remove the runs that ended more than 30 days ago' },
  ],

  run: (call) => {
    const { given, terminal } = call;
    const said = given.text('older-than');
    if (said === undefined) throw new UsageError('prune needs --older-than TIME, such as --older-than 30d');
    const age = readDuration(said);
    if (!age.ok) throw new UsageError(`--older-than takes a time such as 30d, 12h or 90m, not "${said}"`);
    return withRuns(call, async (engine) => {
      const dry = given.has('dry');
      const { runs, values } = engine.prune({
        before: Date.now() - age.value,
        dry,
        onRemoved(removed, all) {
          if (removed < all && !given.has('json'))
            terminal.say([[span(`${removed} of ${counted(all, 'run')} removed …`, 'dim')]]);
        },
      });
      if (given.has('json')) {
        terminal.json({ runs: runs.map(({ id }) => id), values, dry } satisfies PruneAnswer);
        return exitCodes.done;
      }
      if (dry) for (const { id, template, status } of runs) terminal.print([[span(`${id}  ${status}  ${template}`)]]);
      const old = `ended more than ${durationText(age.value)} ago`;
      const what = dry ? `${counted(runs.length, 'run')} ${old}` : `${counted(runs.length, 'run')} that ${old} removed`;
      const also = values === 0 ? '' : `, with ${counted(values, 'value')} that no other run has`;
      terminal.print([[span(`${storeName(given)}: ${what}${also}`, 'strong')]]);
      return exitCodes.done;
    });
  },
};
