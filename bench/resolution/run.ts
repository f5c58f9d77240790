// How well goals in words find the tools of public servers: by words alone, or together with an embeddings model.
import { parseArgs } from 'node:util';
import { printTable } from '../table.ts';
import { isUnserved, readSet, type ServerGoals, type SetName } from './data.ts';
import { embeddingsAt } from './embeddings.ts';
import { type AlikeOf, type Judged, judge, type Tally, tallyOf } from './judge.ts';

const usage = `scripts/dev exec node bench/resolution/run.ts [--set tuning|held-out] [--embeddings URL] [--misses]

--embeddings  asks the embeddings model at this address too, such as http://127.0.0.1:8080/v1
--misses      prints the goals that were not accepted rightly; for the tuning set only`;

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'tuning' },
    embeddings: { type: 'string' },
    misses: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const HEAD = [
  '',
  'served',
  'recall@1',
  '@5',
  '@8',
  '@12',
  'accepted right',
  'accepted wrong',
  'of them harm',
  'asked, right among 5',
  'asked, right absent',
  '"none" though served',
  'vetoed wrongly',
  'unserved accepted',
];

const set = setOf(values.set);

if (values.help || set === undefined) {
  console.log(usage);
  process.exitCode = values.help ? 0 : 2;
} else if (values.misses && set === 'held-out') {
  console.error('goals that only judge are not shown one by one: rules would be made to fit them');
  process.exitCode = 2;
} else {
  await run(set);
}

function setOf(text: string): SetName | undefined {
  return text === 'tuning' || text === 'held-out' ? text : undefined;
}

async function run(name: SetName): Promise<void> {
  const judged: Judged[] = [];
  for (const each of readSet(name)) judged.push(...judge(each, await alikeFor(each)));
  const by = values.embeddings === undefined ? 'by words' : 'by words and embeddings';
  const servers = Map.groupBy(judged, ({ server }) => server);
  const kinds = Map.groupBy(judged, ({ goal }) => goal.kind);
  const served = [...kinds].filter(([kind]) => !isUnserved(kind));
  console.log(`${name}: ${servers.size} servers, ${judged.length} goals, ${by}`);
  printTable('all, by kind of goal, by server', HEAD, [
    rowOf('**all**', tallyOf(judged)),
    ...served.map(([kind, some]) => rowOf(kind, tallyOf(some))),
    ...[...servers].map(([server, some]) => rowOf(`*${server}*`, tallyOf(some))),
  ]);
  const unserved = [...kinds].filter(([kind]) => isUnserved(kind));
  printTable(
    'goals that nothing serves',
    ['kind', 'goals', 'accepted', '"none"'],
    unserved.map(([kind, some]) => [
      kind,
      some.length,
      tallyOf(some).unservedAccepted,
      some.filter(({ match }) => match.verdict === 'none').length,
    ]),
  );
  if (values.misses) for (const each of judged) printMiss(each);
}

async function alikeFor({ declarations, goals }: ServerGoals): Promise<AlikeOf> {
  if (values.embeddings === undefined) return () => undefined;
  return embeddingsAt(values.embeddings, declarations, goals);
}

function rowOf(title: string, tally: Tally): readonly (string | number)[] {
  const { served, recall, right, offered, unserved, unservedAccepted } = tally;
  const share = (count: number): string => (served === 0 ? '–' : `${Math.round((100 * count) / served)} %`);
  return [
    title,
    served,
    share(recall[1]),
    share(recall[5]),
    share(recall[8]),
    share(recall[12]),
    `${right} (${share(right)})`,
    tally.wrong,
    tally.harm,
    `${offered} (${share(right + offered)} with those accepted)`,
    tally.absent,
    tally.none,
    tally.vetoed,
    unserved === 0 ? '–' : `${unservedAccepted} of ${unserved}`,
  ];
}

function printMiss({ server, goal, accepted, isRight, isHarm, rank, isVetoed, match }: Judged): void {
  if (isRight || (accepted === undefined && isUnserved(goal.kind))) return;
  const first = match.candidates.slice(0, 5).map(({ name, score, veto }) => `${name} ${score}${veto ? ' (veto)' : ''}`);
  const verdict = accepted === undefined ? match.verdict : `WRONG${isHarm ? ', HARM' : ''}: ${accepted}`;
  const where = goal.tools.length === 0 ? '' : `; right at ${rank}${isVetoed ? ', vetoed' : ''}`;
  console.log(`${server} [${goal.kind}] ${goal.text}`);
  console.log(`    wanted ${goal.tools.join(' | ') || 'nothing'}; ${verdict}${where}; ${first.join(', ')}`);
}
