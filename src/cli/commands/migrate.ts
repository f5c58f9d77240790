// migrate: brings a PostgreSQL store up to date, and copies a SQLite store into it.
import { statSync } from 'node:fs';
import { counted } from '../../base/counted.ts';
import { issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import { isPostgresAddress, shownAddress } from '../../store/store-address.ts';
import { span } from '../../view/line.ts';
import type { MigrateAnswer } from '../answers/authoring.schema.ts';
import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { refuse } from '../refuse.ts';
import { storeFile } from '../store-file.ts';
import { UsageError } from '../usage-error.ts';

export const command: Command = {
  arguments: [],
  flags: [
    {
      name: '--store <store>',
      description: 'The PostgreSQL database (postgres://…); by default RECONVERGE_STORE.',
    },
    {
      name: '--from <file>',
      description:
        'A SQLite store whose runs are copied; it stays as it is. Runs that are there already are not copied again.',
    },
    jsonFlag,
  ],
  examples: [
    {
      command: 'reconverge migrate --store postgres://db.example/runs',
      does: 'make the tables, or bring those of an older version up to date',
    },
    {
      command: 'reconverge migrate --store postgres://db.example/runs --from .reconverge/runs.db',
      does: 'copy the runs of this folder into the database',
    },
  ],

  async run(call) {
    const { given, terminal } = call;
    const url = storeFile(given);
    if (!isPostgresAddress(url))
      throw new UsageError('migrate needs --store postgres://…: a SQLite store is migrated when it is opened');
    const from = given.text('from');
    if (from !== undefined && (statSync(from, { throwIfNoEntry: false })?.size ?? 0) === 0)
      return refuse(call, [
        issue('STORE_MISSING', `there is no store at ${from}`, {
          hint: 'name the SQLite file of the runs with --from',
        }),
      ]);
    const { migrateStore } = await import('../../postgres/migrate-store.ts');
    let done = 0;
    const migrated = await migrateStore(url, from, () => {
      done += 1;
      if (done % 100 === 0 && !given.has('json')) terminal.say([[span(`${counted(done, 'run')} copied …`, 'dim')]]);
    });
    if (!migrated.ok) {
      const { run, pid } = migrated.error;
      return refuse(call, [
        issue('RUN_DRIVEN', `process ${pid} drives run ${run} of ${from}`, {
          hint: 'stop it with Ctrl-C, and copy again: the run goes on from the database',
        }),
      ]);
    }
    const { migrations, copied } = migrated.value;
    const store = shownAddress(url);
    if (given.has('json')) {
      terminal.json({ store, migrations, ...defined({ copied }) } satisfies MigrateAnswer);
      return exitCodes.done;
    }
    const tables = migrations === 0 ? 'its tables are up to date' : `${counted(migrations, 'migration')} applied`;
    terminal.print([[span(store, 'strong'), span(`: ${tables}`)]]);
    if (copied !== undefined) {
      const { runs, events, known } = copied;
      const before = known === 0 ? '' : `; ${counted(known, 'run')} ${known === 1 ? 'was' : 'were'} there already`;
      terminal.print([[span(`${counted(runs, 'run')} with ${counted(events, 'event')} copied${before}`, 'good')]]);
    }
    return exitCodes.done;
  },
};
