// Reads plans from files of public data sets: JSON, JSON lines, and records with a goal and a plan.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { type ListedTool, toolsIn } from './tools.ts';

export interface RecordedPlan {
  /** The file, and the number of the record in it. */
  readonly from: string;
  readonly goal?: string;
  readonly plan: Json;
}

export interface PlanSet {
  readonly plans: readonly RecordedPlan[];
  readonly tools: readonly ListedTool[];
}

const GOALS = ['user_request', 'instruction', 'input', 'query', 'question', 'goal'];
const PLANS = ['result', 'output', 'plan', 'prediction', 'generated_text', 'answer', 'ground_truth'];
const OWN_PLANS = ['task_nodes', 'tool_nodes', 'nodes', 'steps', 'tasks'];

/** Reads all `.json` and `.jsonl` files below the paths; a file that lists tools gives the tools. */
export function readSet(paths: readonly string[]): PlanSet {
  const plans: RecordedPlan[] = [];
  const tools: ListedTool[] = [];
  for (const file of paths.flatMap(filesBelow)) {
    const values = valuesIn(readFileSync(file, 'utf8'));
    const [only, another] = values;
    const listed = toolsIn(another === undefined && only !== undefined ? only : values);
    if (listed !== undefined) {
      tools.push(...listed);
      continue;
    }
    const records = another === undefined && isJsonArray(only) && !isSequence(only) ? only : values;
    records.forEach((record, index) => {
      plans.push({ from: `${file}#${index + 1}`, ...planIn(record) });
    });
  }
  return { plans, tools };
}

function filesBelow(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .toSorted()
    .flatMap((name) => filesBelow(join(path, name)))
    .filter((file) => ['.json', '.jsonl'].includes(extname(file)));
}

/** One JSON value, or one in each line. */
function valuesIn(text: string): readonly Json[] {
  const whole = parse(text);
  if (whole !== undefined) return [whole];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => parse(line) ?? line);
}

function parse(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** A list whose entries are the calls of one plan, and not records. */
function isSequence(list: readonly Json[]): boolean {
  return list.every(
    (each) => isJsonObject(each) && [...GOALS.slice(0, 2), ...PLANS, ...OWN_PLANS].every((key) => !(key in each)),
  );
}

function planIn(record: Json): Omit<RecordedPlan, 'from'> {
  if (!isJsonObject(record)) return { plan: record };
  const key = GOALS.find((each) => typeof record[each] === 'string');
  const said = key === undefined ? undefined : record[key];
  const goal = typeof said === 'string' ? { goal: said } : {};
  const holder = OWN_PLANS.some((each) => each in record) ? undefined : PLANS.find((each) => each in record);
  return { ...goal, plan: holder === undefined ? parsedParts(record) : inOneList(inText(record[holder] ?? null)) };
}

/** BFCL lists the calls of each turn of a conversation: together they are one plan. */
function inOneList(plan: Json): Json {
  return isJsonArray(plan) && plan.every(isJsonArray) ? plan.flat() : plan;
}

/** Some data sets keep nodes and links as JSON in texts. */
function parsedParts(record: JsonObject): Json {
  return Object.fromEntries(
    Object.entries(record).map(
      ([key, value]) => [key, /_(?:nodes|links|steps)$/.test(key) ? inText(value) : value] as const,
    ),
  );
}

function inText(value: Json): Json {
  return typeof value === 'string' ? (parse(value) ?? value) : value;
}

/** The tools that the plans name, for data sets without a list of tools. */
export function namedTools(plans: readonly RecordedPlan[]): readonly ListedTool[] {
  const names = new Set<string>();
  const look = (value: Json): void => {
    // Calls in Python name their tools before their brackets.
    if (typeof value === 'string')
      for (const [, tool = ''] of value.matchAll(/(?<![\w."'-])([A-Za-z_][\w.]*)\(/g)) names.add(tool);
    if (isJsonArray(value)) value.forEach(look);
    if (!isJsonObject(value)) return;
    const isCall = ['arguments', 'args', 'parameters', 'input'].some((key) => key in value);
    const name = value.task ?? value.tool ?? value.capability ?? value.api_name ?? value.name;
    if (typeof name === 'string' && (isCall || 'task' in value)) names.add(name);
    Object.values(value).forEach(look);
  };
  for (const { plan } of plans) look(plan);
  names.delete('var_result');
  return [...names].map((name) => ({ name, description: name }));
}
