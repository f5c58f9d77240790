// The JSON answers of every command. The generator writes `docs/cli.md` and the text of `--help` from them.
import type { TSchema } from 'typebox';
import { form, definitions as parts, refusal } from '../../view/shown.schema.ts';
import * as checks from './checks.schema.ts';
import * as driven from './driven.schema.ts';
import * as runs from './runs.schema.ts';
import * as why from './why.schema.ts';

/** The named shapes that answers refer to. */
export const definitions: Readonly<Record<string, TSchema>> = {
  ...parts,
  goal: why.goalSchema,
  ...runs.runDefinitions,
};

/** Every command may answer with this refusal. */
export const refused: TSchema = refusal;

/** The answers by command name. */
export const answers: Readonly<Record<string, readonly ReturnType<typeof form<TSchema>>[]>> = {
  init: [form(checks.initialized)],
  validate: [form(checks.validated)],
  explain: checks.explainForms,
  test: [form(checks.tested)],
  'dry-run': [form(checks.dryRun)],
  run: driven.drivenForms,
  pursue: driven.pursueForms,
  'plan review': [form(checks.planReview)],
  'plan run': driven.drivenForms,
  runs: [form(runs.runs)],
  show: runs.showForms,
  stats: [form(runs.stats)],
  why: why.whyForms,
  graph: [form(runs.graph)],
  budget: [form(runs.budget)],
  trace: runs.traceForms,
  gates: runs.gatesForms,
  review: driven.orderedForms,
  resume: driven.orderedForms,
  fork: driven.drivenForms,
  diff: [form(runs.diff)],
  replay: [form(runs.replay)],
  cancel: [form(driven.posted)],
  pause: [form(driven.posted)],
  'resolve-step': driven.orderedForms,
  'retry-step': driven.orderedForms,
  'raise-budget': driven.orderedForms,
  ui: [form(checks.inspector, 'one line, as soon as the page is served:')],
  capabilities: checks.capabilitiesForms,
  mcp: checks.mcpForms,
  'mcp tools': [form(checks.mcpTools)],
  lock: [form(checks.lock)],
  contract: [form(checks.contract)],
  lisp: checks.lispForms,
  schema: checks.schemaForms,
  completion: [form(checks.completion)],
  doctor: [form(checks.doctor)],
};
