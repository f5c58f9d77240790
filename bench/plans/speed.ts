// Measures the own path of `plan review` for a plan of five steps in a warm process: file, plan, frame, review, answer.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ParsedArguments } from '../../src/cli/command.ts';
import { command } from '../../src/cli/commands/plan-review.ts';
import { commands } from '../../src/cli/commands.ts';
import type { Terminal } from '../../src/cli/terminal.ts';

const ROUNDS = 15;
const CALLS = 40;

const graph = {
  task_steps: ['Step 1: count the words', 'Step 2: count them again'],
  task_nodes: [1, 2, 3, 4, 5].map((each) => ({ task: 'Text-Count', arguments: [`notes-${each}.txt`] })),
  task_links: [{ source: 'Text-Count', target: 'Text-Count' }],
};
const steps = [1, 2, 3, 4].map((each) => ({
  name: `count_${each}`,
  capability: 'text.count',
  input: { path: `notes-${each}.txt` },
}));
const own = {
  rationale: 'count, then add',
  steps: [...steps, { name: 'sum', type: 'compute', expr: '(get-in data/results ["count_1" "words"])' }],
};
const python = [1, 2, 3, 4, 5].map((each) => `notes_${each} = text.count(path="notes-${each}.txt")`).join('\n');
const yaml = [
  'steps:',
  ...[1, 2, 3, 4, 5].map((each) => `  - { name: c${each}, capability: text.count, input: { path: notes.txt } }`),
].join('\n');

const plans: Readonly<Record<string, string>> = {
  'plan.json': JSON.stringify(own, undefined, 2),
  'graph.json': JSON.stringify(graph, undefined, 2),
  'calls.py': python,
  'plan.yaml': yaml,
};

const nothing = (): void => undefined;
let answers = 0;
const terminal: Terminal = {
  ...{ print: nothing, write: nothing, jsonLine: nothing, say: nothing },
  json: (value) => {
    answers += JSON.stringify(value).length;
  },
  ...{ columns: Number.POSITIVE_INFINITY, screen: undefined, paintScreen: () => '' },
};

function given(file: string): ParsedArguments {
  return { commands, arguments: [file], text: () => undefined, all: () => [], has: (flag) => flag === 'json' };
}

const folder = mkdtempSync(join(tmpdir(), 'reconverge-plans-'));
console.log('milliseconds of the processor for a call, median and least of the rounds');
for (const [name, text] of Object.entries(plans)) {
  const file = join(folder, name);
  writeFileSync(file, text);
  const times: number[] = [];
  for (let round = -5; round < ROUNDS; round++) {
    const from = process.cpuUsage();
    for (let call = 0; call < CALLS; call++) await command.run({ given: given(file), terminal });
    const { user, system } = process.cpuUsage(from);
    if (round >= 0) times.push((user + system) / 1000 / CALLS);
  }
  const sorted = times.toSorted((one, other) => one - other);
  const median = sorted[sorted.length >> 1] ?? 0;
  console.log(`${name.padEnd(12)} ${median.toFixed(2)}  ${(sorted[0] ?? 0).toFixed(2)}`);
}
if (answers === 0) throw new Error('no answers');
rmSync(folder, { recursive: true });
