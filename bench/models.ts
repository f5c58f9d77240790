// Plans by a small real model: rates of valid plans and of completed runs, with tokens and seconds, over many tries.
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { install, LICENSE_NOTE } from '../scripts/test-llm-local/install.ts';
import { serve } from '../scripts/test-llm-local/serve.ts';
import { plainText, span } from '../src/view/line.ts';
import { type Column, table } from '../src/view/table.ts';
import { type ModelAddress, tasks } from './models/tasks.ts';
import { type PlanTrial, tryPlan } from './models/trial.ts';

const usage = `node bench/models.ts [--times N] [--json] [TASK...]

Has Gemma 3 270M plan each task N times (20), each with another seed, and runs the plans. The model is fetched and served as
by npm run test:llm:local. RECONVERGE_LOCAL_URL and RECONVERGE_MODEL name a server and a model of your own instead.`;

const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const times = Number(values.times);
const url = process.env.RECONVERGE_LOCAL_URL ?? '';

if (values.help || !Number.isInteger(times) || times < 1) {
  console.log(usage);
  process.exitCode = values.help ? 0 : 2;
} else if (url !== '') {
  await tryAll({ baseUrl: url, model: process.env.RECONVERGE_MODEL ?? 'gemma-3-270m' });
} else await fetchAndTry();

async function fetchAndTry(): Promise<void> {
  console.error(LICENSE_NOTE);
  const installed = await install(console.error);
  const served = installed.ok ? await serve(installed.value) : installed;
  if (!served.ok) {
    console.error(`the bench did not run: ${served.error}`);
    process.exitCode = 1;
    return;
  }
  await using server = served.value;
  await tryAll(server);
}

async function tryAll({ baseUrl, model }: Omit<ModelAddress, 'seed'>): Promise<void> {
  console.error(
    `asking ${model} at ${baseUrl} on ${cpus().length} × ${cpus()[0]?.model}, Node ${process.versions.node}`,
  );
  const trials: PlanTrial[] = [];
  for (const task of tasks.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
    for (let seed = 1; seed <= times; seed++) {
      const tried = await tryPlan(task, { baseUrl, model, seed }, root);
      if (!tried.ok) throw new Error(`${task.name}: ${tried.error}`);
      const { status, plan, plannedSteps, code = '', seconds } = tried.value;
      console.error(
        `  ${task.name} ${seed}: ${status}, plan ${plan}, ${plannedSteps} steps, ${seconds} s ${code}`.trimEnd(),
      );
      trials.push(tried.value);
    }
  }
  if (values.json)
    console.log(
      JSON.stringify(
        trials.map(({ record: _, ...trial }) => trial),
        null,
        2,
      ),
    );
  else tell(trials);
}

function tell(trials: readonly PlanTrial[]): void {
  const titles = [
    'tries',
    'valid at first',
    'after mending',
    'completed',
    'with two steps',
    'plan calls',
    'calls',
    'tokens in',
    'tokens out',
    'seconds',
  ];
  const columns: readonly Column[] = [
    { title: 'task' },
    ...titles.map((title) => ({ title, align: 'right' as const })),
  ];
  const names = [...new Set(trials.map(({ task }) => task))];
  const rows = [
    ...names.map((name) =>
      rowOf(
        name,
        trials.filter(({ task }) => task === name),
      ),
    ),
    ...(names.length > 1 ? [rowOf('all', trials)] : []),
  ];
  for (const line of table(columns, rows)) console.log(plainText(line).trimEnd());
  const codes = new Map<string, number>();
  for (const { code } of trials) if (code !== undefined) codes.set(code, (codes.get(code) ?? 0) + 1);
  for (const [code, count] of [...codes].sort((one, other) => other[1] - one[1])) console.log(`${code} ended ${count}`);
}

/** Counts of tries, and medians of what one try took. */
function rowOf(name: string, trials: readonly PlanTrial[]) {
  const count = (isCounted: (trial: PlanTrial) => boolean): string => String(trials.filter(isCounted).length);
  const median = (of: (trial: PlanTrial) => number): string => {
    const sorted = trials.map(of).sort((one, other) => one - other);
    return String(Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0));
  };
  return [
    name,
    String(trials.length),
    count(({ plan }) => plan === 'first'),
    count(({ plan }) => plan === 'mended'),
    count(({ status }) => status === 'completed'),
    count(({ status, plannedSteps }) => status === 'completed' && plannedSteps >= 2),
    median(({ planCalls }) => planCalls),
    median(({ calls }) => calls),
    median(({ tokensIn }) => tokensIn),
    median(({ tokensOut }) => tokensOut),
    median(({ seconds }) => seconds),
  ].map((cell) => span(cell));
}
