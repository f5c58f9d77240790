// The JSON answers of every command. The generator writes the reference of the command line and the text of `--help` from them.
import type { TSchema } from 'typebox';
import { form, definitions as parts, refusal } from '../../view/shown.schema.ts';
import * as authoring from './authoring.schema.ts';
import { docsForms } from './docs.schema.ts';
import { doctorForms } from './doctor.schema.ts';
import * as control from './run-control.schema.ts';
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
  init: authoring.initForms,
  validate: [form(authoring.validated)],
  explain: authoring.explainForms,
  test: [form(authoring.tested)],
  'dry-run': [form(authoring.dryRun)],
  run: [...control.drivenForms, form(why.packet, 'with `--show-packet`, in the place of the last line:')],
  pursue: control.pursueForms,
  'plan review': [form(authoring.planReview)],
  'plan run': control.drivenForms,
  runs: [form(runs.runs)],
  show: runs.showForms,
  stats: [form(runs.stats)],
  why: why.whyForms,
  graph: [form(runs.graph)],
  budget: [form(runs.budget)],
  trace: runs.traceForms,
  gates: runs.gatesForms,
  review: control.orderedForms,
  resume: control.orderedForms,
  fork: control.drivenForms,
  diff: [form(runs.diff)],
  replay: [form(runs.replay)],
  cancel: [form(control.posted)],
  pause: [form(control.posted)],
  'resolve-step': control.orderedForms,
  'retry-step': control.orderedForms,
  'raise-budget': control.orderedForms,
  prune: [form(authoring.prune)],
  migrate: [form(authoring.migrate)],
  ui: [form(authoring.inspector, 'one line, as soon as the page is served:')],
  capabilities: authoring.capabilitiesForms,
  mcp: authoring.mcpForms,
  'mcp tools': [form(authoring.mcpTools)],
  lock: [form(authoring.lock)],
  contract: [form(authoring.contract)],
  lisp: authoring.lispForms,
  schema: authoring.schemaForms,
  completion: [form(authoring.completion)],
  doctor: doctorForms,
  docs: docsForms,
};
