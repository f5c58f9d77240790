// Measures how well goals in words find the tools of public servers, by words alone or with an embeddings model.
import { parseArgs } from 'node:util';
import { judgeCases } from './cases.ts';
import { readSet, type ServerGoals, type SetName } from './data.ts';
import { embeddingsAt } from './embeddings.ts';
import { type AlikeOf, type Judged, judge, outcomesOf } from './judge.ts';
import { printCases, printMisses, printOutcomes, printReport } from './report.ts';

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
  printReport(`${name}, ${by}`, judged);
  printOutcomes(readSet(name).flatMap(outcomesOf));
  if (values.misses) printMisses(judged);
  if (name === 'held-out') printCases(judgeCases());
}

async function alikeFor({ declarations, goals }: ServerGoals): Promise<AlikeOf> {
  if (values.embeddings === undefined) return () => undefined;
  return embeddingsAt(values.embeddings, declarations, goals);
}
