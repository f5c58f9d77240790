// Reads, reviews and runs plans that models made, in the formats of public data sets, and prints what came of them.
import { parseArgs } from 'node:util';
import { hasErrors, type Issue } from '../../src/base/issue.ts';
import { frameBeforeRun } from '../../src/engine/packet/frame-before-run.ts';
import type { Frame } from '../../src/planning/frame.ts';
import { readFragment } from '../../src/planning/read-fragment.ts';
import { review, reviewUnread } from '../../src/planning/review.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { executePlan } from '../../src/runtime/mission/execute-plan.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { missionTemplate } from '../../src/template/mission.ts';
import { namedTools, type RecordedPlan, readSet } from './records.ts';
import { capabilitiesOf } from './tools.ts';

const usage = `scripts/dev exec node bench/plans/run.ts FILE|FOLDER… [--run 100] [--half 0|1] [--show CODE]

Reads .json and .jsonl files. A file that lists tools, such as tool_desc.json of TaskBench or a spec of NESTFUL, gives the
tools; without one, every tool that a plan names is there and takes anything. Tools answer with examples of their contracts.

--half 0|1   takes every second plan, to develop with one half and to report on the other
--run N      runs the first N accepted plans (100 by default)
--show CODE  prints the plans with this fault`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: 'string' },
    run: { type: 'string', default: '100' },
    show: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help || positionals.length === 0) {
  console.log(usage);
  process.exitCode = values.help ? 0 : 2;
} else {
  await judge();
}

async function judge(): Promise<void> {
  const set = readSet(positionals);
  const { tools } = set;
  const plans = set.plans.filter((_, index) => values.half === undefined || index % 2 === Number(values.half));
  const listed = tools.length === 0 ? namedTools(plans) : tools;
  const engine = createEngine({ journal: openMemoryJournal() });
  const capabilities = capabilitiesOf(listed);
  const frame = { capabilities: [] };
  const sketch = missionTemplate({ planner: { kind: 'fixed', fragment: { steps: [] } }, frame });
  const loaded = await engine.load(sketch, { capabilities });
  if (!loaded.ok) throw new Error(loaded.error.map(({ message }) => message).join('\n'));
  const before = frameBeforeRun(loaded.value, 'plan');
  if (before === undefined) throw new Error('the mission has no planning step');
  console.log(`${plans.length} plans, ${listed.length} tools${tools.length === 0 ? ' that they name' : ''}`);
  const accepted: RecordedPlan[] = [];
  const faults = new Map<string, number>();
  const times: number[] = [];
  let understood = 0;
  for (const recorded of plans) {
    const from = performance.now();
    const { issues, isRead } = issuesOf(recorded, before);
    times.push(performance.now() - from);
    if (isRead) understood += 1;
    const errors = issues.filter(({ severity }) => severity === 'error');
    for (const code of new Set(errors.map((each) => each.code))) faults.set(code, (faults.get(code) ?? 0) + 1);
    const shown = errors.filter(({ code }) => code === values.show);
    for (const { path, message, hint } of shown.slice(0, 3))
      console.log(`${recorded.from} ${path.join('.')}: ${message}${hint === undefined ? '' : ` (${hint})`}`);
    if (!hasErrors(issues)) accepted.push(recorded);
  }
  const share = (count: number) => `${count} (${plans.length === 0 ? 0 : Math.round((100 * count) / plans.length)} %)`;
  console.log(`understood  ${share(understood)}`);
  console.log(`accepted    ${share(accepted.length)}`);
  for (const [code, count] of [...faults].toSorted(([, one], [, other]) => other - one))
    console.log(`  ${code}  ${count}`);
  const outcomes = new Map<string, number>();
  for (const { plan, goal } of accepted.slice(0, Number(values.run))) {
    const outcome = await executePlan(engine, plan, {
      frame,
      capabilities,
      ...(goal === undefined ? {} : { mission: goal }),
    });
    const word = outcome.ok ? outcome.value.status : `refused: ${outcome.error[0]?.code}`;
    outcomes.set(word, (outcomes.get(word) ?? 0) + 1);
  }
  for (const [word, count] of outcomes) console.log(`run, ${word}  ${count}`);
  const median = times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
  console.log(`read and reviewed in ${median.toFixed(2)} ms (median)`);
  await engine.close();
}

/** A plan is understood when its steps, calls, links and arguments are read, whatever the review says of them. */
function issuesOf(
  { plan, goal }: RecordedPlan,
  before: Frame,
): { readonly issues: readonly Issue[]; readonly isRead: boolean } {
  const frame = goal === undefined ? before : { ...before, goal };
  const read = readFragment(plan, frame.declarations);
  if (!read.ok) return { issues: reviewUnread(read.error, frame), isRead: false };
  if (!('steps' in read.value)) return { issues: [], isRead: false };
  return { issues: [...read.warnings, ...review(read.value, frame).issues], isRead: true };
}
