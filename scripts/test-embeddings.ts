// Holds the targets of goals in words with a real sentence model, all-MiniLM-L6-v2 of PyPI, served on loopback.
import { readSet, type SetName } from '../bench/resolution/data.ts';
import { embeddingsAt } from '../bench/resolution/embeddings.ts';
import { type Judged, judge, tallyOf } from '../bench/resolution/judge.ts';
import { printReport } from '../bench/resolution/report.ts';
import { install, serving } from './test-embeddings/serve.ts';

const set: SetName = 'held-out';

const installed = install();
const served = installed.ok ? await serving(judgeAll) : installed;
if (!served.ok) console.log(`test:embeddings did not run: ${served.why}`);
else hold(served.value);

async function judgeAll(baseUrl: string): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const each of readSet(set)) {
    judged.push(...judge(each, await embeddingsAt(baseUrl, each.declarations, each.goals)));
  }
  return judged;
}

function hold(judged: readonly Judged[]): void {
  printReport(`${set}, by words and embeddings`, judged);
  const { goals, served, recall, right, offered, wrong, harm, unservedAccepted } = tallyOf(judged);
  const targets: readonly (readonly [what: string, count: number, of: number, holds: boolean])[] = [
    ['among the first eight', recall[8], served, recall[8] / served >= 0.8],
    ['accepted rightly, or among the five asked', right + offered, served, (right + offered) / served >= 0.7],
    ['accepted wrongly (at most 1 %)', wrong, goals, wrong / goals <= 0.01],
    ['of them destroying (none)', harm, goals, harm === 0],
    ['unserved, but accepted (none)', unservedAccepted, goals - served, unservedAccepted === 0],
  ];
  console.log('');
  for (const [what, count, of, holds] of targets) {
    console.log(`${holds ? 'met   ' : 'missed'}  ${what}: ${count} of ${of} (${((100 * count) / of).toFixed(1)} %)`);
  }
  const missed = targets.filter(([, , , holds]) => !holds).length;
  console.log(`\n${targets.length - missed} passed, ${missed} failed`);
  if (missed > 0) process.exitCode = 1;
}
