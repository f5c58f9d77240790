// Reads steps that are written as calls: `{task, args, dep}`, `{name, arguments, label}`, `{function: {…}}`, nested calls.
import type { Issue, PathPart } from '../../base/issue.ts';
import { defined, isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { type NamesOfCalls, readCallReferences } from './call-references.ts';
import { lispOfResult } from './lisp-of-result.ts';
import type { WrittenStep } from './phase.ts';
import { acceptableName, freeName } from './step-names.ts';

/** A call in terms of its own keys. */
interface WrittenCall {
  readonly tool: string;
  /** The number or label of the call; absent when it has none. */
  readonly id?: string;
  readonly rest: JsonObject;
}

export interface CallSteps {
  readonly steps: readonly WrittenStep[];
  /** For each written step the name of its step; undefined for what is no call. */
  readonly names: readonly (string | undefined)[];
  readonly notes: readonly string[];
  readonly issues: readonly Issue[];
}

const ARGUMENTS = ['arguments', 'args', 'parameters', 'params', 'action_input', 'tool_input', 'input', 'inputs'];
/** Keys of our own language, and of plans in words, that tell who does a step. */
const PERFORMERS = [
  'handler',
  'capability',
  'tool',
  'agent',
  'agent_id',
  'agent_name',
  'assigned_to',
  'assignee',
  'expr',
];
/** Keys of calls in the formats of other systems. */
const TOOLS = ['action', 'tool_name', 'api_name', 'function'];
/** The step with which call sequences say what their result is. */
const RESULT = 'var_result';

/** `isGraph`: the steps are nodes of a graph, whose `task` is a tool. Steps that are no calls stay as they are. */
export function readCalls(written: readonly WrittenStep[], isGraph = false): CallSteps {
  const calls = written.map(({ value }) => callIn(value, isGraph));
  if (calls.every((call) => call === undefined)) {
    return { steps: written, names: calls.map(() => undefined), notes: [], issues: [] };
  }
  const notes = new Set<string>();
  const issues: Issue[] = [];
  const taken = new Set(
    written.flatMap(({ value }, index) => {
      const call = calls[index];
      return call === undefined ? ownNames(value) : (call.id ?? []);
    }),
  );
  const names = calls.map((call) => (call === undefined ? undefined : (call.id ?? nameFor(call.tool, taken))));
  const reading = { names: namesOf(calls, names), notes, issues };
  const steps = written.flatMap((step, index): readonly WrittenStep[] => {
    const call = calls[index];
    const name = names[index];
    if (call === undefined || name === undefined) return [step];
    notes.add('calls of tools as steps');
    const before: WrittenStep[] = [];
    const entries = Object.entries(call.rest).map(([key, value]): [string, Json] => {
      if (!ARGUMENTS.includes(key)) return [key, value];
      const flat = withoutNested(value, [...step.at, key], { before, taken, notes });
      return [key, readCallReferences(flat, [...step.at, key], { ...reading, own: name })];
    });
    const rest = Object.fromEntries(entries);
    const inner = before.map((each) => ({ ...each, value: withReferencesIn(each, reading) }));
    return [
      ...inner,
      { value: stepOf(name, call.tool, rest, notes), at: step.at, written: step.written ?? step.value },
    ];
  });
  return { steps, names, notes: [...notes], issues };
}

function withReferencesIn({ value, at }: WrittenStep, reading: Parameters<typeof readCallReferences>[2]): Json {
  if (!isJsonObject(value)) return value;
  return { ...value, arguments: readCallReferences(value.arguments ?? {}, [...at, 'arguments'], reading) };
}

function stepOf(name: string, tool: string, rest: JsonObject, notes: Set<string>): JsonObject {
  const key = ARGUMENTS.find((each) => Object.hasOwn(rest, each));
  if (tool === RESULT && key !== undefined && isJsonObject(rest[key])) {
    const { [key]: result, ...others } = rest;
    notes.add(`"${RESULT}" as the result of the plan`);
    return { name, type: 'compute', expr: lispOfResult(result ?? null), ...others };
  }
  return { name, capability: tool, ...rest };
}

function callIn(value: Json, isGraph: boolean): WrittenCall | undefined {
  if (!isJsonObject(value) || PERFORMERS.some((key) => (value[key] ?? null) !== null)) return undefined;
  const { function: inner, ...outer } = value;
  if (isJsonObject(inner) && typeof inner.name === 'string') {
    const { name: tool, ...rest } = inner;
    const { type, ...others } = outer;
    return identified(tool, { ...others, ...defined({ type: type === 'function' ? undefined : type }), ...rest });
  }
  const hasArguments = ARGUMENTS.some((key) => Object.hasOwn(value, key));
  const { task, ...besideTask } = value;
  if (
    typeof task === 'string' &&
    (isGraph || hasArguments || Object.hasOwn(value, 'dep')) &&
    value.type === undefined
  ) {
    return identified(task, besideTask);
  }
  const key = TOOLS.find((each) => typeof value[each] === 'string');
  const tool = key === undefined ? undefined : value[key];
  if (key !== undefined && typeof tool === 'string') {
    const isOwn = ['name', 'id', 'task_id', 'step_id'].some((each) => Object.hasOwn(value, each));
    if (isOwn && key !== 'api_name') return undefined;
    return identified(tool, Object.fromEntries(Object.entries(value).filter(([each]) => each !== key)));
  }
  const { name, ...besideName } = value;
  const isCall = ['arguments', 'parameters', 'label'].some((each) => Object.hasOwn(value, each));
  return typeof name === 'string' && isCall && value.type === undefined ? identified(name, besideName) : undefined;
}

/** Takes the call's label or number out of its keys. */
function identified(tool: string, keys: JsonObject): WrittenCall {
  const key = ['label', 'id', 'name', 'task_id', 'step_id'].find((each) => isName(keys[each]));
  const { [key ?? '']: id, dep, ...others } = keys;
  const rest = { ...others, ...defined({ dep: dep === undefined ? undefined : awaited(dep) }) };
  return key === undefined ? { tool, rest } : { tool, id: String(id).replace(/^\$|\$$/g, ''), rest };
}

function isName(value: Json | undefined): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}

/** `-1` stands for no dependency. */
function awaited(dep: Json): Json {
  return (isJsonArray(dep) ? dep : [dep]).filter((each) => each !== -1 && each !== '-1');
}

function ownNames(value: Json): readonly string[] {
  const name = ownProperty(value, 'name');
  return typeof name === 'string' ? [acceptableName(name)] : [];
}

function nameFor(tool: string, taken: Set<string>): string {
  const name = freeName(acceptableName(tool), taken);
  taken.add(name);
  return name;
}

function namesOf(calls: readonly (WrittenCall | undefined)[], names: readonly (string | undefined)[]): NamesOfCalls {
  const isNumbered = calls.some((call) => call?.id !== undefined);
  const labels = new Map(names.flatMap((name) => (name === undefined ? [] : [[label(name), name] as const])));
  return {
    byNumber: (number) => {
      if (!isNumbered) return names[number];
      return names.find(
        (name) => name !== undefined && [`${number}`, `node-${number}`, `node_${number}`].includes(name),
      );
    },
    byLabel: (spelled) => labels.get(label(spelled)),
    byTool: (tool) => {
      const [only, another] = calls.flatMap((call, index) => (label(call?.tool ?? '') === label(tool) ? [index] : []));
      return only === undefined || another !== undefined ? undefined : names[only];
    },
  };
}

/** `var1` and `var_1` are one label. */
function label(name: string): string {
  return acceptableName(name).replaceAll('_', '');
}

interface Unnesting {
  /** Receives the nested calls, the innermost first. */
  readonly before: WrittenStep[];
  readonly taken: Set<string>;
  readonly notes: Set<string>;
}

/** Replaces calls in the arguments of a call by references to steps of their own. */
function withoutNested(value: Json, at: readonly PathPart[], unnesting: Unnesting): Json {
  if (isJsonArray(value)) return value.map((each, index) => withoutNested(each, [...at, index], unnesting));
  if (!isJsonObject(value)) return value;
  const tool = nestedTool(value);
  const entries = Object.entries(value).map(
    ([key, each]) => [key, withoutNested(each, [...at, key], unnesting)] as const,
  );
  const flat = Object.fromEntries(entries);
  if (tool === undefined) return flat;
  const name = nameFor(tool, unnesting.taken);
  const given = flat.arguments ?? flat.parameters ?? flat.args ?? {};
  unnesting.notes.add(`the nested call of "${tool}" as step "${name}"`);
  unnesting.before.push({ value: { name, capability: tool, arguments: given }, at, written: value });
  return `{{ results.${name} }}`;
}

function nestedTool(value: JsonObject): string | undefined {
  const keys = Object.keys(value);
  const name = ['name', 'function', 'tool', 'api_name', 'task'].find((key) => typeof value[key] === 'string');
  const given = ['arguments', 'parameters', 'args'].find((key) => Object.hasOwn(value, key));
  const tool = name === undefined ? undefined : value[name];
  return keys.length === 2 && given !== undefined && typeof tool === 'string' ? tool : undefined;
}
