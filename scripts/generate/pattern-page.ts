// Fills the blocks of a page about a pattern: the output of the template's run, its graph and its costs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunRecord } from '../../src/runtime/api/run-record.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { budgetText, budgetTree } from '../../src/view/budget/budget-tree.ts';
import { graphOfRun } from '../../src/view/graph/export.ts';
import { mermaid } from '../../src/view/graph/mermaid.ts';
import { historyOf } from '../../src/view/history.ts';
import { type Line, plainText } from '../../src/view/line.ts';
import { runTree } from '../../src/view/run-tree.ts';
import { summaryOf, summaryText } from '../../src/view/summary.ts';
import { treeText } from '../../src/view/tree-text.ts';

/** `<!-- run reconcile-payments threshold=0.25: tree graph budget -->` up to `<!-- end -->`. */
const BLOCK = /<!-- run (?<template>[\w-]+)(?<input>(?: [\w.]+=\S+)*): (?<parts>[\w ]+) -->\n[\s\S]*?<!-- end -->/g;

export async function patternPage(root: string, path: string): Promise<string> {
  const page = readFileSync(join(root, path), 'utf8');
  const filled = await Promise.all(
    [...page.matchAll(BLOCK)].map(async ({ 0: block, groups = {} }) => {
      const { template = '', input = '', parts = '' } = groups;
      const record = await runOf(root, template, inputOf(input));
      const shown = parts.split(' ').map((part) => partOf(part, record));
      return { block, text: `${block.split('\n', 1)[0]}\n${shown.join('\n\n')}\n<!-- end -->` };
    }),
  );
  return filled.reduce((text, { block, text: current }) => text.replace(block, () => current), page);
}

/** The clock stands still and steps run one at a time, so that the page is the same on every machine. */
async function runOf(root: string, template: string, input: Record<string, string | number>): Promise<RunRecord> {
  const clock = { now: () => Date.UTC(2026, 0, 1), wake: () => () => undefined };
  const engine = createEngine({ folder: root, journal: openMemoryJournal(), clock });
  const loaded = await engine.load(join(root, 'templates', `${template}.yaml`));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const oneByOne = { ...loaded.value, concurrency: { ...loaded.value.concurrency, max: 1 } };
  const run = await engine.start(oneByOne, { input });
  if (!run.ok) throw new Error(JSON.stringify(run.error));
  await run.value.done;
  const record = engine.read(run.value.id);
  if (!record.ok) throw new Error(JSON.stringify(record.error));
  return record.value;
}

function inputOf(text: string): Record<string, string | number> {
  const pairs = text.split(' ').filter((pair) => pair !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [key = '', value = ''] = pair.split('=');
      return [key, Number.isNaN(Number(value)) ? value : Number(value)];
    }),
  );
}

function partOf(part: string, { state, events }: RunRecord): string {
  const history = historyOf(events);
  switch (part) {
    case 'tree': {
      const tree = treeText(runTree(state, history, state.at), { columns: 110 });
      return fenced([...tree, ...summaryText(summaryOf(state))].map(timeless));
    }
    case 'budget':
      return fenced(budgetText(budgetTree(state, history)).map(plainText));
    case 'graph':
      return `\`\`\`mermaid\n${mermaid(graphOfRun(state))}\`\`\``;
    default:
      throw new Error(`a page shows tree, graph or budget of a run, not ${part}`);
  }
}

/** Times are meaningless with a stopped clock. */
function timeless(line: Line): string {
  return plainText(line)
    .replace(/ {2}0ms\b/g, '')
    .replace(/ in 0ms$/, '');
}

function fenced(lines: readonly string[]): string {
  return ['```text', ...lines.map((line) => line.trimEnd()), '```'].join('\n');
}
