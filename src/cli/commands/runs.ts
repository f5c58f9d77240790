// runs: lists, filters and sorts the runs of a store.
import { counted } from '../../base/counted.ts';
import type { Engine, ListRunsOptions } from '../../runtime/api/engine.ts';
import { copyable, span } from '../../view/line.ts';
import { type LineageRow, lineageRows } from '../../view/runs/lineage.ts';
import {
  type FilterName,
  type FilterWords,
  filterNames,
  type ListedRuns,
  readFilter,
} from '../../view/runs/read-filter.ts';
import { filterStatuses, matchesFilter, needsFigures, sortedRuns, sortKeys } from '../../view/runs/run-filter.ts';
import { runTable } from '../../view/runs/run-table.ts';
import type { RunsAnswer } from '../answers/runs.schema.ts';
import type { Call, Command, Flag, ParsedArguments } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { withEngine } from '../open-engine.ts';
import { commandLine, shellWord, storeExists, storeFlag, storeName } from '../store-file.ts';
import { UsageError } from '../usage-error.ts';

const SHOWN = 20;

const filterFlags: readonly Flag[] = [
  {
    name: '--status <statuses>',
    description: `Only runs with one of these statuses, separated by commas: ${filterStatuses.join(', ')}. \`completed\` includes \`partial\`; \`waiting\` includes running runs that ask a person.`,
  },
  {
    name: '--template <names>',
    description: 'Only runs of these templates, separated by commas; * stands for any letters.',
  },
  {
    name: '--since <moment>',
    description: 'Only runs started since: 2d or 90m ago, a date such as 2026-11-20 (UTC), today.',
  },
  {
    name: '--until <moment>',
    description: 'Only runs started until then, in the same forms; a date includes its whole day.',
  },
  { name: '--cost <bound>', description: "Only runs that cost so many dollars: '>1', '<=0.50' or 0.10..2." },
  { name: '--took <bound>', description: "Only runs that worked so long: '>10m', '<=30s' or 1m..1h." },
  {
    name: '--search <words>',
    description:
      'Only runs with all these words in id, template, status, question, failure or the run that they came from.',
  },
  { name: '--with-failures', description: 'Only runs in which a step failed, however they ended.' },
  { name: '--forks', description: 'Only forks, and runs that were forked.' },
  { name: '--sort <key>', description: `Sort by ${sortKeys.join(', ')}; by default started, the newest first.` },
  { name: '--reverse', description: 'Sort the other way: the oldest, shortest or cheapest first.' },
];

export const command: Command = {
  arguments: [],
  flags: [
    ...filterFlags,
    { name: '--limit <count>', description: `The most runs to list; by default ${SHOWN}.` },
    storeFlag,
    jsonFlag,
  ],
  examples: [
    { command: 'reconverge runs --limit 5', does: 'list the last five runs' },
    {
      command: 'reconverge runs --status failed,waiting --since 2d',
      does: 'list what needs somebody since two days ago',
    },
    { command: "reconverge runs --template demo --cost '>1' --sort cost", does: 'list the dearest runs of a template' },
    { command: "reconverge runs --took '>10m' --sort duration --json", does: 'list slow runs for a script' },
  ],

  async run(call) {
    const { given } = call;
    const limit = Number(given.text('limit') ?? SHOWN);
    if (!Number.isSafeInteger(limit) || limit < 1) throw new UsageError('--limit takes a number of runs, such as 5');
    const now = Date.now();
    const listed = readFilter(wordsOf(given), now);
    if (!listed.ok)
      throw new UsageError(listed.error.map(({ filter, message }) => `--${filter} ${message}`).join('; '));
    // Reading must not create a missing store.
    if (!storeExists(given)) {
      answer(call, { rows: [], matching: 0, all: 0 }, now);
      return exitCodes.done;
    }
    return withEngine(
      call,
      async (engine) => {
        answer(call, chosen(engine, listed.value, { call, limit, now }), now);
        return exitCodes.done;
      },
      'any',
    );
  },
};

function wordsOf(given: ParsedArguments): FilterWords {
  const word = (name: FilterName): string | undefined => given.text(name) ?? (given.has(name) ? 'yes' : undefined);
  return Object.fromEntries(filterNames.flatMap((name) => (word(name) === undefined ? [] : [[name, word(name)]])));
}

interface ChosenRuns {
  readonly rows: readonly LineageRow[];
  /** The number of runs that match. */
  readonly matching: number;
  /** The number of runs in the store. */
  readonly all: number;
}

interface Choice {
  readonly call: Call;
  readonly limit: number;
  readonly now: number;
}

function chosen(engine: Engine, { filter, ordering }: ListedRuns, { call, limit, now }: Choice): ChosenRuns {
  const runs = engine.runs(needsFigures(filter, ordering) ? completing(call) : {});
  const matching = sortedRuns(
    runs.filter((run) => matchesFilter(filter, run, now)),
    ordering,
    now,
  );
  // Programs get the newest run first, people get families together.
  const rows =
    ordering.by === 'started' && !call.given.has('json')
      ? lineageRows(matching)
      : matching.map((run): LineageRow => ({ run, depth: 0 }));
  return { rows: rows.slice(0, limit), matching: matching.length, all: runs.length };
}

const MANY = 200;

/** Reading the runs of an earlier version may take a while, but happens once. */
function completing({ terminal }: Call): ListRunsOptions {
  return {
    patience: Number.POSITIVE_INFINITY,
    onCompleted: (done, all) => {
      if (done !== 1 || all < MANY) return;
      terminal.say([[span(`reading ${all} runs that an earlier version wrote; this happens once …`, 'dim')]]);
    },
  };
}

function answer({ given, terminal }: Call, { rows, matching, all }: ChosenRuns, now: number): void {
  const more = matching - rows.length;
  if (given.has('json')) {
    terminal.json({ runs: rows.map(({ run }) => run), ...(more > 0 ? { more } : {}) } satisfies RunsAnswer);
    return;
  }
  if (all === 0) {
    const start = copyable(commandLine(given, 'run', 'TEMPLATE'));
    return terminal.say([[span(`there is no run in ${storeName(given)} yet; start one: `), start]]);
  }
  if (rows.length === 0) {
    const list = copyable(commandLine(given, 'runs'));
    return terminal.say([
      [span(`none of the ${counted(all, 'run')} in ${storeName(given)} matches; list all: `), list],
    ]);
  }
  terminal.print(runTable(rows, now));
  if (more > 0) {
    const words = filterNames.flatMap((name) => flagWords(given, name));
    const list = commandLine(given, 'runs', ...words, '--limit', String(matching));
    terminal.say([[span(`${more} more: `, 'dim'), copyable(list, 'dim')]]);
  }
}

function flagWords(given: ParsedArguments, name: FilterName): readonly string[] {
  const text = given.text(name);
  if (text !== undefined) return [`--${name}`, shellWord(text)];
  return given.has(name) ? [`--${name}`] : [];
}
