// Runs the shipped templates against a real model, and reports the rates of valid plans, valid predicates and successful repairs.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { moneyText } from '../src/base/quantity.ts';
import { createEngine } from '../src/runtime/create-engine.ts';
import { plainText, span } from '../src/view/line.ts';
import { type Column, table } from '../src/view/table.ts';
import { type Rate, together } from './test-llm/rates.ts';
import { type Trial, tryTemplate } from './test-llm/trial.ts';
import { tried } from './test-llm/trials.ts';

const usage = `npm run test:llm -- [--times N] [--json] [WORD...]

Runs the templates whose names hold one of the words, or all of them. Set OPENAI_API_KEY, or OPENAI_BASE_URL for another
server, and RECONVERGE_MODEL for another model. Each run stays within the budget of its template.`;

const root = join(import.meta.dirname, '..');
const store = process.env.RECONVERGE_STORE ?? join('.reconverge', 'test-llm.db');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const times = Number(values.times);
const isSet = (name: string): boolean => (process.env[name] ?? '').trim() !== '';

if (values.help || !Number.isInteger(times) || times < 1) {
  console.log(usage);
  process.exitCode = values.help ? 0 : 2;
} else if (!isSet('OPENAI_API_KEY') && !isSet('OPENAI_BASE_URL')) {
  console.log('test:llm did not run: set OPENAI_API_KEY, or OPENAI_BASE_URL for another server, to try a real model.');
} else {
  const trials = await tryAll();
  if (values.json) console.log(JSON.stringify(trials, null, 2));
  else tell(trials);
  // A model that plans badly is a finding; a model that never replies is an error.
  if (!trials.some(({ rates }) => rates !== undefined && rates.fragments.of > 0)) {
    console.error('no planner has had an answer: see why above');
    process.exitCode = 1;
  }
}

async function tryAll(): Promise<readonly Trial[]> {
  const engine = createEngine({ folder: root, store: resolve(root, store) });
  const named = tried.filter(({ file }) => positionals.length === 0 || positionals.some((word) => file.includes(word)));
  const trials: Trial[] = [];
  try {
    for (const { file, environment, input } of named) {
      const template = await engine.load(join('templates', file), environment === undefined ? {} : { environment });
      if (!template.ok) throw new Error(JSON.stringify(template.error, null, 2));
      if (trials.length === 0 && !values.json) {
        const { model } = template.value.models.default ?? { model: 'a model' };
        console.log(
          `asking ${model} at ${process.env.OPENAI_BASE_URL ?? 'OpenAI'}, each run within its template's budget`,
        );
      }
      for (let time = 0; time < times; time++) {
        const trial = await tryTemplate(engine, template.value, input);
        if (!values.json)
          console.log(`  ${trial.template}: ${trial.status}${trial.why === undefined ? '' : `, ${trial.why}`}`);
        trials.push(trial);
      }
    }
  } finally {
    await engine.close();
  }
  return trials;
}

function tell(trials: readonly Trial[]): void {
  const columns: readonly Column[] = [
    { title: 'template' },
    { title: 'run' },
    { title: 'status' },
    { title: 'valid fragments', align: 'right' },
    { title: 'valid predicates', align: 'right' },
    { title: 'repairs', align: 'right' },
    { title: 'steps planned', align: 'right' },
    { title: 'calls', align: 'right' },
    { title: 'cost', align: 'right' },
  ];
  const rowOf = ({
    template,
    run = '-',
    status,
    rates,
    calls,
    microDollars,
  }: Omit<Trial, 'status'> & { readonly status: string }) => [
    span(template),
    span(run),
    span(status),
    span(rateText(rates?.fragments)),
    span(rateText(rates?.predicates)),
    span(rateText(rates?.repairs)),
    span(String(rates?.steps ?? 0)),
    span(String(calls)),
    span(moneyText(microDollars)),
  ];
  const completed = trials.filter(({ status }) => status === 'completed').length;
  const all = {
    template: 'all',
    status: `${completed} of ${trials.length} completed`,
    rates: together(trials.flatMap(({ rates }) => (rates === undefined ? [] : [rates]))),
    calls: trials.reduce((sum, { calls }) => sum + calls, 0),
    microDollars: trials.reduce((sum, each) => sum + each.microDollars, 0),
  };
  for (const line of table(columns, [...trials, all].map(rowOf))) console.log(plainText(line).trimEnd());
  console.log(`to look at one: scripts/dev exec reconverge show --store ${store} RUN`);
}

function rateText(rate: Rate | undefined): string {
  if (rate === undefined || rate.of === 0) return '-';
  return `${rate.good} of ${rate.of} (${Math.round((100 * rate.good) / rate.of)} %)`;
}
