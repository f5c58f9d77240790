// Checks the targets of goals in words with a real sentence model, all-MiniLM-L6-v2 from PyPI, served on loopback.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readSet } from '../bench/resolution/data.ts';
import { embeddingsAt } from '../bench/resolution/embeddings.ts';
import { type Judged, judge, tallyOf } from '../bench/resolution/judge.ts';
import { printReport } from '../bench/resolution/report.ts';
import { isJsonArray, type Json, ownProperty } from '../src/base/json.ts';
import { install, serving } from './test-embeddings/serve.ts';

interface Target {
  readonly title: string;
  readonly figure: string;
  readonly isMet: boolean;
}

const root = join(import.meta.dirname, '..');
const installed = install();
const served = installed.ok ? await serving(judgeAll) : installed;
if (!served.ok) console.log(`test:embeddings did not run: ${served.why}`);
else conclude(served.value);

async function judgeAll(baseUrl: string): Promise<readonly Target[]> {
  const judged: Judged[] = [];
  for (const each of readSet('held-out')) {
    judged.push(...judge(each, await embeddingsAt(baseUrl, each.declarations, each.goals)));
  }
  printReport('held-out, by words and embeddings', judged);
  return [...targetsOf(judged), searched(baseUrl)];
}

function targetsOf(judged: readonly Judged[]): readonly Target[] {
  const { goals, served, recall, right, offered, wrong, harm, unservedAccepted } = tallyOf(judged);
  const target = (title: string, count: number, of: number, isMet: boolean): Target => {
    return { title, figure: `${count} of ${of} (${((100 * count) / of).toFixed(1)} %)`, isMet };
  };
  return [
    target('among the first eight, 80 %', recall[8], served, recall[8] / served >= 0.8),
    target(
      'accepted rightly or among the five asked, 70 %',
      right + offered,
      served,
      (right + offered) / served >= 0.7,
    ),
    target('accepted wrongly, at most 1 %', wrong, goals, wrong / goals <= 0.01),
    target('destroying, and accepted wrongly: none', harm, goals, harm === 0),
    target('unserved, and accepted: none', unservedAccepted, goals - served, unservedAccepted === 0),
  ];
}

/** The command line asks the model at OPENAI_BASE_URL, as users set it, for a goal that shares no word with its tool. */
function searched(baseUrl: string): Target {
  const tools = join(root, 'bench/resolution/data/servers/memory.json');
  const goal = 'forget everything about Charles';
  const search = ['capabilities', 'search', goal, '--from', tools, '--embeddings', 'all-MiniLM-L6-v2', '--json'];
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'src/cli/main.ts'), ...search], {
    encoding: 'utf8',
    env: { ...process.env, OPENAI_BASE_URL: baseUrl },
  });
  const candidates = candidatesIn(stdout);
  const names = candidates
    .filter((each) => ownProperty(each, 'alike') !== undefined)
    .map((each) => ownProperty(each, 'name'));
  const figure = names.length === 0 ? stderr.trim() || 'nothing was compared' : names.join(', ');
  return {
    title: 'capabilities search --embeddings finds what shares no word',
    figure,
    isMet: names.includes('delete_entities'),
  };
}

function candidatesIn(text: string): readonly Json[] {
  const answer: Json = text.trim().startsWith('{') ? JSON.parse(text) : {};
  const candidates = ownProperty(answer, 'candidates');
  return isJsonArray(candidates) ? candidates : [];
}

function conclude(targets: readonly Target[]): void {
  console.log('');
  for (const { title, figure, isMet } of targets) console.log(`${isMet ? 'met   ' : 'missed'}  ${title}: ${figure}`);
  const missed = targets.filter(({ isMet }) => !isMet).length;
  console.log(`\n${targets.length - missed} passed, ${missed} failed`);
  if (missed > 0) process.exitCode = 1;
}
