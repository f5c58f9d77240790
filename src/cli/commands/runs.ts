// runs: lists the runs of a store, newest first.
import { moneyText } from '../../base/quantity.ts';
import { microDollarsOf } from '../../budget/display-figures.ts';
import { copyable, type Line, span } from '../../view/line.ts';
import type { RunSummary } from '../../view/runs/run-summary.ts';
import { table } from '../../view/table.ts';
import type { RunsAnswer } from '../answers/runs.schema.ts';
import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { withEngine } from '../open-engine.ts';
import { commandLine, storeExists, storeFile, storeFlag } from '../store-file.ts';
import { UsageError } from '../usage-error.ts';

const SHOWN = '20';

export const command: Command = {
  arguments: [],
  flags: [{ name: '--limit <count>', description: `The most runs to list; by default ${SHOWN}.` }, storeFlag, jsonFlag],
  examples: [{ command: 'reconverge runs --limit 5', does: 'list the last five runs' }],

  async run(call) {
    const { given, terminal } = call;
    const limit = Number(given.text('limit') ?? SHOWN);
    if (!Number.isSafeInteger(limit) || limit < 1) throw new UsageError('--limit takes a number of runs, such as 5');
    const show = (all: readonly RunSummary[]): void => {
      const runs = all.slice(0, limit);
      if (given.has('json')) terminal.json({ runs } satisfies RunsAnswer);
      else if (runs.length === 0)
        terminal.say([
          [
            span(`there is no run in ${storeFile(given)} yet; start one: `),
            copyable(commandLine(given, 'run', 'TEMPLATE')),
          ],
        ]);
      else terminal.print(runTable(runs));
    };
    // Reading must not create a missing store.
    if (!storeExists(given)) {
      show([]);
      return exitCodes.done;
    }
    return withEngine(
      call,
      async (engine) => {
        show(engine.runs());
        return exitCodes.done;
      },
      'any',
    );
  },
};

function runTable(runs: readonly RunSummary[]): readonly Line[] {
  return table(
    [
      { title: 'run' },
      { title: 'status' },
      { title: 'started', whole: true },
      { title: 'steps', align: 'right' },
      { title: 'cost', align: 'right' },
      { title: 'template' },
    ],
    runs.map((run) => [
      span(run.id, 'strong'),
      span(
        statusOf(run),
        run.status === 'completed' && !run.partial ? 'good' : run.status === 'failed' ? 'bad' : 'warn',
      ),
      span(new Date(run.createdAt).toISOString().slice(0, 16).replace('T', ' ')),
      span(String(run.spent.steps ?? 0)),
      span(moneyText(microDollarsOf(run.spent.cost_usd ?? 0))),
      span(run.parent === undefined ? run.template : `${run.template}, for ${run.parent}`),
    ]),
  );
}

function statusOf({ status, partial }: RunSummary): string {
  return status === 'completed' && partial ? 'partial' : status;
}
