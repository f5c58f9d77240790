// The flags for a goal without a template, and the pursuit that they describe.
import { dirname, isAbsolute, join, sep } from 'node:path';
import { defined, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { Pursuit } from '../../runtime/api/pursuit.ts';
import { type TaskKinds, workPatterns } from '../../template/keys/pattern.ts';
import type { Flag, ParsedArguments } from '../command.ts';
import { jsonOf, readBudget } from '../run-input.ts';
import { UsageError } from '../usage-error.ts';
import { readPlan } from './read-plan.ts';

export const pursuitFlags: readonly Flag[] = [
  {
    name: '--attach <ref>',
    description: 'An address or a path that the goal is about; tasks that mention it get it, or else all tasks.',
    repeats: true,
  },
  {
    name: '--kinds <value>',
    description:
      'The performer of each kind of task, as JSON or a file: {"unit_test": {"agent": "tester", "matches": ["unit test"]}}.',
  },
  {
    name: '--sequential',
    description:
      'Run tasks one after another; each gets a short summary of the earlier ones. A failure does not stop the rest.',
  },
  {
    name: '--pattern <name>',
    description: 'Work in the phases of this pattern; auto chooses the pattern that fits the goal.',
    choices: ['auto', ...workPatterns],
  },
  {
    name: '--capabilities <module>',
    description: 'A module with further capabilities, beside the catalog.',
    repeats: true,
  },
  {
    name: '--template <file>',
    description: 'Use the models, agents, capabilities, budget and other settings of this template, without its steps.',
  },
  { name: '--budget <key=value>', description: 'A limit, as in a template: max_cost_budget=$1.', repeats: true },
];

/** @throws UsageError */
export async function readPursuit(given: ParsedArguments): Promise<Result<Pursuit>> {
  const lent = given.text('template');
  const frame = lent === undefined ? good<JsonObject>({}) : await lentFrame(lent);
  if (!frame.ok) return frame;
  const kinds = await readKinds(given.text('kinds'));
  if (!kinds.ok) return bad(kinds.error);
  const modules = given.all('capabilities').map(asModule);
  const granted = frame.value.capabilities ?? ['catalog'];
  const budget = readBudget(given.all('budget'));
  const pattern = given.text('pattern');
  const base = pattern === undefined ? frame.value : { ...frame.value, pattern };
  return good({
    attachments: given.all('attach'),
    sequential: given.has('sequential'),
    frame: modules.length === 0 ? base : { ...base, capabilities: [...listOf(granted), ...modules] },
    budget: Object.fromEntries(Object.entries(budget).map(([key, text]) => [key, limitIn(text)] as const)),
    ...defined({ kinds: kinds.value }),
  });
}

function listOf(value: Json): readonly Json[] {
  return isJsonArray(value) ? value : [value];
}

/** Turns a path into a relative path, so that it is not taken for the name of a package. */
export function asModule(path: string): string {
  return /^[./]/.test(path) ? path : `./${path}`;
}

/** Counts are numbers; amounts of money and times are texts. */
function limitIn(text: string): Json {
  return /^\d+$/.test(text) ? Number(text) : text;
}

async function readKinds(written: string | undefined): Promise<Result<TaskKinds | undefined>> {
  if (written === undefined) return good(undefined);
  const value = written.trimStart().startsWith('{') ? parsed(written) : await fromFile(written);
  if ('ok' in value) return value;
  if (!isJsonObject(value.kinds)) throw new UsageError('--kinds is not a map of kinds');
  // The schema checks the contents together with the rest of the frame.
  return good(value.kinds as TaskKinds);
}

function parsed(text: string): { readonly kinds: Json } {
  return { kinds: jsonOf(text, '--kinds') };
}

async function fromFile(file: string): Promise<{ readonly kinds: Json } | Result<never>> {
  const read = await readPlan(file, '--kinds ');
  return read.ok ? { kinds: read.value.value as Json } : bad(read.error);
}

/** Keys that describe the template itself: its identity, its steps and its input. */
const templateOnly = new Set([
  'reconverge',
  'name',
  'version',
  'description',
  'metadata',
  'input',
  'input_schema',
  'output',
  'steps',
]);

/** Everything in a template except its own steps. Paths to modules are rewritten, because they are relative to the template. @throws UsageError when the file cannot be read */
async function lentFrame(file: string): Promise<Result<JsonObject>> {
  const read = await readPlan(file, '--template ');
  if (!read.ok) return bad(read.error);
  const { value } = read.value;
  if (!isJsonObject(value)) throw new UsageError(`--template ${file} is not a template`);
  const beside = dirname(file);
  const frame = Object.entries(value).filter(([key]) => !templateOnly.has(key));
  return good(
    Object.fromEntries(frame.map(([key, each]) => [key, key === 'capabilities' ? withPaths(each, beside) : each])),
  );
}

function withPaths(capabilities: Json, beside: string): Json {
  if (!isJsonArray(capabilities)) return capabilities;
  return capabilities.map((each) =>
    typeof each === 'string' && /^\.{1,2}\//.test(each) ? besideOf(beside, each) : each,
  );
}

function besideOf(folder: string, path: string): string {
  const joined = join(folder, path);
  // Windows takes slashes too, and templates are written with them.
  const written = joined.split(sep).join('/');
  return written.startsWith('.') || isAbsolute(joined) ? written : `./${written}`;
}
