// Prints the verdicts as tables, and lists the goals without a right acceptance.
import { printTable } from '../table.ts';
import type { Cases } from './cases.ts';
import { type Goal, isUnserved } from './data.ts';
import { type Judged, type Outcome, type Tally, tallyOf } from './judge.ts';

export function printReport(title: string, judged: readonly Judged[]): void {
  const servers = Map.groupBy(judged, ({ server }) => server);
  const kinds = Map.groupBy(judged, ({ goal }) => goal.kind);
  const served = [...kinds].filter(([kind]) => !isUnserved(kind));
  printTable(`${title}: ${servers.size} servers, ${judged.length} goals`, HEAD, [
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
}

/** Without a model, work for an agent fails with MODEL_NOT_CONFIGURED. */
export function printOutcomes(outcomes: readonly (readonly [Goal, Outcome])[]): void {
  const groups = Map.groupBy(outcomes, ([{ kind }]) => (isUnserved(kind) ? 'unserved' : 'served'));
  const kinds: readonly Outcome[] = ['called rightly', 'called wrongly', 'left to an agent', 'asked', 'no plan'];
  printTable(
    'what a run without a model does, by its planner "pattern"',
    ['goals', 'in all', ...kinds],
    [...groups].map(([group, some]) => [
      group,
      some.length,
      ...kinds.map((kind) => some.filter(([, outcome]) => outcome === kind).length),
    ]),
  );
}

export function printCases(cases: readonly Cases[]): void {
  printTable(
    'what comes after a tool is chosen',
    ['cases', 'right', 'of'],
    cases.map(({ kind, right, of }) => [TITLES[kind] ?? kind, right, of]),
  );
}

const TITLES: Readonly<Record<string, string>> = {
  names: 'arguments under other names',
  coercions: 'values of other types',
  arguments: 'what a goal says for a call',
  wirings: "a result fed to the next call's argument",
  dependencies: 'goals of several orders',
};

export function printMisses(judged: readonly Judged[]): void {
  for (const each of judged) printMiss(each);
}

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
