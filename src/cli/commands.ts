// The list of commands, in the order in which a newcomer needs them. A command's file is loaded only when it is called.
import type { CommandEntry } from './command.ts';

export const commands: readonly CommandEntry[] = [
  { name: 'init', summary: 'Write a working template as a start.', load: () => import('./commands/init.ts') },
  { name: 'validate', summary: 'Check templates and list their errors.', load: () => import('./commands/validate.ts') },
  {
    name: 'explain',
    summary: 'Show what a template can do: its graph, its bound, where it asks people, what it grants.',
    load: () => import('./commands/explain.ts'),
  },
  {
    name: 'test',
    summary: 'Play the scenarios of templates, and report differences.',
    load: () => import('./commands/test.ts'),
  },
  {
    name: 'dry-run',
    summary: 'Run a template with canned answers; nothing outside is called.',
    load: () => import('./commands/dry-run.ts'),
  },
  { name: 'run', summary: 'Run a template.', carries: ['store'], load: () => import('./commands/run.ts') },
  {
    name: 'pursue',
    summary: 'Work towards a goal without a template: text, links and attachments.',
    carries: ['store'],
    load: () => import('./commands/pursue.ts'),
  },
  {
    name: 'plan review',
    summary: 'Review a plan against a planning step, without running anything.',
    load: () => import('./commands/plan-review.ts'),
  },
  {
    name: 'plan run',
    summary: 'Run a plan without a template.',
    carries: ['store'],
    load: () => import('./commands/plan-run.ts'),
  },
  {
    name: 'runs',
    summary: 'List runs, the newest first.',
    carries: ['store'],
    load: () => import('./commands/runs.ts'),
  },
  {
    name: 'show',
    summary: 'Show a run: its steps, its end, its results.',
    carries: ['store'],
    load: () => import('./commands/show.ts'),
  },
  {
    name: 'stats',
    summary: 'Show how well capabilities, strategies and intents did in past runs.',
    carries: ['store'],
    load: () => import('./commands/stats.ts'),
  },
  {
    name: 'why',
    summary: 'Explain why a step exists, and how it ended.',
    carries: ['store'],
    load: () => import('./commands/why.ts'),
  },
  {
    name: 'graph',
    summary: 'Draw the graph of a run or a template.',
    carries: ['store'],
    load: () => import('./commands/graph.ts'),
  },
  {
    name: 'budget',
    summary: 'Show the spent, reserved and remaining budget of a run.',
    carries: ['store'],
    load: () => import('./commands/budget.ts'),
  },
  {
    name: 'trace',
    summary: 'Show the time of each part of a run, or export its trace to OpenTelemetry.',
    carries: ['store'],
    load: () => import('./commands/trace.ts'),
  },
  {
    name: 'gates',
    summary: 'List the open questions to people.',
    carries: ['store'],
    load: () => import('./commands/gates.ts'),
  },
  {
    name: 'review',
    summary: 'Approve, reject, answer or edit at a gate, and continue the run.',
    carries: ['store', 'replay'],
    load: () => import('./commands/review.ts'),
  },
  {
    name: 'resume',
    summary: 'Continue a run that was interrupted or paused.',
    carries: ['store', 'replay'],
    load: () => import('./commands/resume.ts'),
  },
  {
    name: 'fork',
    summary: 'Start a new run from an event of another run, and continue differently.',
    carries: ['store'],
    load: () => import('./commands/fork.ts'),
  },
  {
    name: 'diff',
    summary: 'Compare two runs: plans, steps, results, spending.',
    carries: ['store'],
    load: () => import('./commands/diff.ts'),
  },
  {
    name: 'replay',
    summary: 'Rebuild a run from its journal and check that it is consistent. Runs nothing.',
    carries: ['store'],
    load: () => import('./commands/replay.ts'),
  },
  {
    name: 'cancel',
    summary: 'Cancel a run, even one that another terminal drives.',
    carries: ['store'],
    load: () => import('./commands/cancel.ts'),
  },
  {
    name: 'pause',
    summary: 'Keep a run from starting new steps until it is resumed.',
    carries: ['store'],
    load: () => import('./commands/pause.ts'),
  },
  {
    name: 'resolve-step',
    summary: 'Give a step its result by hand, and continue the run.',
    carries: ['store', 'replay'],
    load: () => import('./commands/resolve-step.ts'),
  },
  {
    name: 'retry-step',
    summary: 'Restart a step that is held, retrying or running.',
    carries: ['store', 'replay'],
    load: () => import('./commands/retry-step.ts'),
  },
  {
    name: 'raise-budget',
    summary: 'Raise the limits of a run, and continue it.',
    carries: ['store', 'replay'],
    load: () => import('./commands/raise-budget.ts'),
  },
  {
    name: 'ui',
    summary: 'Serve the inspector: a page to watch runs and to answer their questions.',
    carries: ['store'],
    load: () => import('./commands/ui.ts'),
  },
  {
    name: 'capabilities',
    summary: 'Find the capability that serves a goal; list or describe capabilities.',
    load: () => import('./commands/capabilities.ts'),
  },
  {
    name: 'lsp',
    summary: 'Serve an editor: errors while you type, completion, hover, renaming.',
    load: () => import('./commands/lsp.ts'),
  },
  {
    name: 'mcp',
    summary: 'Serve templates as tools of an MCP server.',
    carries: ['store'],
    load: () => import('./commands/mcp.ts'),
  },
  {
    name: 'mcp tools',
    summary: "List the tools of a template's MCP server, and propose declarations for them.",
    load: () => import('./commands/mcp-tools.ts'),
  },
  {
    name: 'lock',
    summary: 'Lock the tools of MCP servers and the models, so that runs notice changes.',
    load: () => import('./commands/lock.ts'),
  },
  {
    name: 'contract',
    summary: 'Check whether one contract satisfies another.',
    load: () => import('./commands/contract.ts'),
  },
  { name: 'lisp', summary: 'Evaluate expressions of the Lisp in templates.', load: () => import('./commands/lisp.ts') },
  { name: 'schema', summary: 'Print the JSON Schema of a format.', load: () => import('./commands/schema.ts') },
  {
    name: 'completion',
    summary: 'Print a script with which a shell completes commands and flags.',
    load: () => import('./commands/completion.ts'),
  },
  {
    name: 'prune',
    summary: 'Remove runs that ended long ago.',
    carries: ['store'],
    load: () => import('./commands/prune.ts'),
  },
  {
    name: 'migrate',
    summary: 'Bring a PostgreSQL store up to date, or copy a SQLite store into it.',
    carries: ['store'],
    load: () => import('./commands/migrate.ts'),
  },
  {
    name: 'doctor',
    summary: 'Check the installation and the store, or ask models what they can do.',
    carries: ['store'],
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'docs',
    summary: 'Print a page of the documentation, or explain a code.',
    load: () => import('./commands/docs.ts'),
  },
];

export interface CommandCall {
  readonly entry: CommandEntry;
  /** The words after the command's name. */
  readonly rest: readonly string[];
}

export function findCommand(words: readonly string[]): CommandCall | undefined {
  const found = [2, 1].flatMap((length) => {
    const name = words.slice(0, length).join(' ');
    const entry = commands.find((command) => command.name === name);
    return entry === undefined ? [] : [{ entry, rest: words.slice(length) }];
  });
  return found[0];
}
