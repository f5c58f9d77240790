// The list of commands, in the order in which a newcomer needs them. A command's file is loaded only when it is called.
import type { CommandEntry } from './command.ts';

export const commands: readonly CommandEntry[] = [
  { name: 'init', summary: 'Write a working template to begin with.', load: () => import('./commands/init.ts') },
  { name: 'validate', summary: 'Find what is wrong with templates.', load: () => import('./commands/validate.ts') },
  {
    name: 'explain',
    summary: 'Show what a template can do: its graph, its bound, where it asks people, what it grants.',
    load: () => import('./commands/explain.ts'),
  },
  {
    name: 'test',
    summary: 'Play the recorded scenarios of templates, and say what went otherwise.',
    load: () => import('./commands/test.ts'),
  },
  {
    name: 'dry-run',
    summary: 'Run a template with stubs in the place of the world, without any effect.',
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
    summary: 'Judge a plan against a planning step, without running anything.',
    load: () => import('./commands/plan-review.ts'),
  },
  {
    name: 'plan run',
    summary: 'Run a plan by itself.',
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
    summary: 'Show a run: its steps, how it ended, its results.',
    carries: ['store'],
    load: () => import('./commands/show.ts'),
  },
  {
    name: 'stats',
    summary: 'Say what runs have taught: of capabilities, strategies and intents.',
    carries: ['store'],
    load: () => import('./commands/stats.ts'),
  },
  {
    name: 'why',
    summary: 'Say why a step is there and what became of it.',
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
    summary: 'Show what a run has spent, reserved and left.',
    carries: ['store'],
    load: () => import('./commands/budget.ts'),
  },
  {
    name: 'trace',
    summary: 'Show how long everything in a run took, or export its trace to OpenTelemetry.',
    carries: ['store'],
    load: () => import('./commands/trace.ts'),
  },
  {
    name: 'gates',
    summary: 'List what people are asked.',
    carries: ['store'],
    load: () => import('./commands/gates.ts'),
  },
  {
    name: 'review',
    summary: 'Approve, reject, answer or edit at a gate, and go on with the run.',
    carries: ['store', 'replay'],
    load: () => import('./commands/review.ts'),
  },
  {
    name: 'resume',
    summary: 'Go on with a run that was interrupted or paused.',
    carries: ['store', 'replay'],
    load: () => import('./commands/resume.ts'),
  },
  {
    name: 'fork',
    summary: 'Start another run with what a run did up to a point, and go on differently from there.',
    carries: ['store'],
    load: () => import('./commands/fork.ts'),
  },
  {
    name: 'diff',
    summary: 'Show what two runs did differently: plans, steps, results, spend.',
    carries: ['store'],
    load: () => import('./commands/diff.ts'),
  },
  {
    name: 'replay',
    summary: 'Fold a run once more from its events, and check all that must hold.',
    carries: ['store'],
    load: () => import('./commands/replay.ts'),
  },
  {
    name: 'cancel',
    summary: 'End a run, also one that another terminal drives.',
    carries: ['store'],
    load: () => import('./commands/cancel.ts'),
  },
  {
    name: 'pause',
    summary: 'Let a run begin nothing new until it is resumed.',
    carries: ['store'],
    load: () => import('./commands/pause.ts'),
  },
  {
    name: 'resolve-step',
    summary: 'Give a step its result by hand.',
    carries: ['store', 'replay'],
    load: () => import('./commands/resolve-step.ts'),
  },
  {
    name: 'retry-step',
    summary: 'Begin a step again that is held, retrying or running.',
    carries: ['store', 'replay'],
    load: () => import('./commands/retry-step.ts'),
  },
  {
    name: 'raise-budget',
    summary: 'Raise limits of a run that goes on.',
    carries: ['store', 'replay'],
    load: () => import('./commands/raise-budget.ts'),
  },
  {
    name: 'ui',
    summary: 'Serve the inspector: a page in which runs are watched, understood and answered.',
    carries: ['store'],
    load: () => import('./commands/ui.ts'),
  },
  {
    name: 'capabilities',
    summary: 'Find which capability serves a goal; list and describe what may be called.',
    load: () => import('./commands/capabilities.ts'),
  },
  {
    name: 'mcp',
    summary: 'Serve templates as the tools of an MCP server.',
    carries: ['store'],
    load: () => import('./commands/mcp.ts'),
  },
  {
    name: 'mcp tools',
    summary: "List the tools of a template's MCP server, and propose what to say about them.",
    load: () => import('./commands/mcp-tools.ts'),
  },
  {
    name: 'lock',
    summary: 'Write down what servers say about their tools, so that runs notice when it changes.',
    load: () => import('./commands/lock.ts'),
  },
  {
    name: 'contract',
    summary: 'Check whether one contract satisfies another.',
    load: () => import('./commands/contract.ts'),
  },
  { name: 'lisp', summary: 'Evaluate expressions.', load: () => import('./commands/lisp.ts') },
  { name: 'schema', summary: 'Print the JSON Schema of a format.', load: () => import('./commands/schema.ts') },
  {
    name: 'completion',
    summary: 'Print what makes a shell complete commands and flags.',
    load: () => import('./commands/completion.ts'),
  },
  {
    name: 'doctor',
    summary: 'Check the installation and the store.',
    carries: ['store'],
    load: () => import('./commands/doctor.ts'),
  },
];

export interface FoundCommand {
  readonly entry: CommandEntry;
  /** The words after the command's name. */
  readonly rest: readonly string[];
}

export function findCommand(words: readonly string[]): FoundCommand | undefined {
  const found = [2, 1].flatMap((length) => {
    const name = words.slice(0, length).join(' ');
    const entry = commands.find((command) => command.name === name);
    return entry === undefined ? [] : [{ entry, rest: words.slice(length) }];
  });
  return found[0];
}
