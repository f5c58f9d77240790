// Turns Python's statements into calls in their order: variables become references, calls in calls become calls of their own.
import { issue, type PathPart } from '../../../base/issue.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { didYouMean } from '../../../base/nearest.ts';
import { referenceText } from '../../../template/references.ts';
import { type CallReading, readCallReferences } from '../call-references.ts';
import { acceptableName } from '../step-names.ts';
import { PythonFault } from './fault.ts';
import type { Expression, FilledText, NamedValue, PathStep, PythonCall, Span, Statement } from './syntax.ts';

export interface EvaluatedCall {
  /** The name of its step. */
  readonly name: string;
  readonly call: PythonCall;
  /** Where the variable stands to which the call is assigned. */
  readonly targetAt: Span | undefined;
  /** By name; a list for calls with arguments by position. */
  readonly given: Json;
}

export interface EvaluatedPython {
  readonly calls: readonly EvaluatedCall[];
  readonly faults: readonly PythonFault[];
}

type Value =
  | { readonly kind: 'result'; readonly step: string; readonly path: readonly string[] }
  | { readonly kind: 'plain'; readonly value: string | number | boolean | null }
  | { readonly kind: 'text'; readonly parts: readonly TextPart[] }
  | { readonly kind: 'list'; readonly items: readonly Value[]; readonly depth: number }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, Value>; readonly depth: number }
  | { readonly kind: 'unread' };

type TextPart = string | (Value & { readonly kind: 'result' });

/** Variables and calls of one plan; the plan may come in several texts. */
export interface Evaluation {
  readonly variables: Map<string, Value>;
  readonly taken: Set<string>;
  /** Names of variables, for the steps that they name first. */
  readonly reserved: Set<string>;
  /** The last number that was added to a name. */
  readonly numbers: Map<string, number>;
  /** The names of the steps so far with their tools. */
  readonly steps: { readonly name: string; readonly tool: string }[];
  readonly notes: Set<string>;
  /** Values that may still be written, because a short text can repeat a value very often. */
  left: number;
  /** The calls of the statement that is being read. */
  calls: EvaluatedCall[];
  /** The faults of the statement that is being read. */
  faults: PythonFault[];
}

const LEAST_VALUES = 100_000;
const VALUES_EACH = 10;
const MOST_DEPTH = 100;

export function newEvaluation(statements: readonly Statement[], characters: number, notes: Set<string>): Evaluation {
  const targets = statements.flatMap(({ target }) => (target === undefined ? [] : [acceptableName(target)]));
  return {
    variables: new Map(),
    reserved: new Set(targets),
    ...{ taken: new Set(), numbers: new Map() },
    ...{ steps: [], notes, calls: [], faults: [] },
    left: LEAST_VALUES + VALUES_EACH * characters,
  };
}

/** The calls of one statement. Never throws. */
export function evaluateStatement(statement: Statement, e: Evaluation): EvaluatedPython {
  e.calls = [];
  e.faults = [];
  const { target, targetAt, value } = statement;
  try {
    if (target === undefined) callOnly(value, e);
    else e.variables.set(target, evaluate(value, e, { name: target, at: targetAt }));
  } catch (thrown) {
    if (!(thrown instanceof PythonFault)) throw thrown;
    e.faults.push(thrown);
    if (target !== undefined) e.variables.set(target, { kind: 'unread' });
  }
  return { calls: e.calls, faults: e.faults };
}

/** A line without a variable: a call, a list of calls, or `print(…)` around calls. */
function callOnly(value: Expression, e: Evaluation): void {
  if (value.kind === 'list' && value.items.length > 0) {
    for (const item of value.items) callOnly(item, e);
  } else if (value.kind !== 'call') {
    throw new PythonFault('this calls nothing', value, 'remove it, or write it as a comment: # …');
  } else if (value.tool === 'print' && value.path.length === 0) {
    for (const { value: printed } of value.given) evaluate(printed, e);
    e.notes.add(e.calls.length > 0 ? '"print(…)" as the calls in it' : '"print(…)" as no step');
  } else evaluate(value, e);
}

interface Target {
  readonly name: string;
  readonly at: Span | undefined;
}

function evaluate(expression: Expression, e: Evaluation, target?: Target): Value {
  switch (expression.kind) {
    case 'value': {
      const { value } = expression;
      return { kind: 'plain', value: typeof value === 'string' ? textOf(value, expression, e) : value };
    }
    case 'text':
      return filledText(expression, e);
    case 'list': {
      const items = expression.items.map((item) => evaluate(item, e));
      return { kind: 'list', items, depth: depthOver(items, expression) };
    }
    case 'map': {
      const entries = new Map(expression.entries.map(({ key, value }) => [key, evaluate(value, e)] as const));
      return { kind: 'map', entries, depth: depthOver([...entries.values()], expression) };
    }
    case 'name':
      return partOf(variable(expression, e), expression.path, e);
    case 'call':
      return partOf(resultOf(expression, e, target), expression.path, e);
  }
}

function depthOver(values: readonly Value[], at: Span): number {
  const depth = 1 + values.reduce((most, each) => Math.max(most, 'depth' in each ? each.depth : 0), 0);
  if (depth <= MOST_DEPTH) return depth;
  const message = `lists and maps nest more than ${MOST_DEPTH} levels deep`;
  throw new PythonFault(message, at, 'write flatter values', 'SOURCE_TOO_DEEP');
}

/** A text that refers to a result in another spelling becomes a reference of ours, or a fault and an empty text. */
function textOf(text: string, at: Span, e: Evaluation): string {
  const names: CallReading['names'] = {
    byNumber: (number) => e.steps[number]?.name,
    byLabel: (label) => {
      const value = e.variables.get(label);
      return value?.kind === 'result' && value.path.length === 0 ? value.step : undefined;
    },
    byTool: (tool) => {
      const [only, another] = e.steps.filter((step) => acceptableName(step.tool) === acceptableName(tool));
      return another === undefined ? only?.name : undefined;
    },
  };
  const reading: CallReading = { names, notes: e.notes, issues: [] };
  const read = readCallReferences(text, [], reading);
  for (const { code, message } of reading.issues) {
    e.faults.push(new PythonFault(message, at, 'write the variable of the call without quotes', code));
  }
  return typeof read === 'string' && reading.issues.length === 0 ? read : '';
}

function filledText(expression: FilledText, e: Evaluation): Value {
  const parts: TextPart[] = [];
  const add = (part: TextPart): void => {
    const last = parts.at(-1);
    spend(e, typeof part === 'string' ? part.length : 1, expression);
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
    else parts.push(part);
  };
  for (const part of expression.parts) {
    const value = typeof part === 'string' ? textOf(part, expression, e) : evaluate(part, e);
    if (typeof value === 'string' || value.kind === 'result') add(value);
    else if (value.kind === 'text') for (const each of value.parts) add(each);
    else if (value.kind === 'unread') add('');
    else if (value.kind === 'plain' && typeof value.value !== 'boolean' && value.value !== null)
      add(String(value.value));
    else {
      const at = typeof part === 'string' ? expression : part;
      throw new PythonFault('only texts, numbers and results fit into a text', at, 'pass it as an argument of its own');
    }
  }
  spend(e, parts.length, expression);
  const [only = '', another] = parts;
  if (another !== undefined) return { kind: 'text', parts };
  return typeof only === 'string' ? { kind: 'plain', value: only } : { kind: 'text', parts };
}

function variable({ name, path, from }: NamedValue, e: Evaluation): Value {
  const value = e.variables.get(name);
  if (value !== undefined) return value;
  const written = [name, ...path.map(({ key }) => (typeof key === 'object' ? key.name : key))].join('.');
  const hint = didYouMean(name, [...e.variables.keys()]) ?? `quote it to write a text: "${written}"`;
  throw new PythonFault(
    `no line before this gives "${name}" a value`,
    { from, to: from + name.length },
    hint,
    'CALL_NAME_UNKNOWN',
  );
}

function partOf(value: Value, path: readonly PathStep[], e: Evaluation): Value {
  return path.reduce((holder, step) => {
    const key = keyOf(step, e);
    if (holder.kind === 'unread') return holder;
    if (holder.kind === 'result') {
      if (holder.path.length < MOST_DEPTH) return within(holder, pathKey(key, step));
      const message = `a part of a result lies more than ${MOST_DEPTH} levels deep`;
      throw new PythonFault(message, step, 'pass the whole result', 'SOURCE_TOO_DEEP');
    }
    const part =
      holder.kind === 'list' && typeof key === 'number'
        ? holder.items.at(key)
        : holder.kind === 'map' && typeof key === 'string'
          ? holder.entries.get(key)
          : undefined;
    if (part === undefined) throw new PythonFault('the value has no such part', step, 'write the value itself');
    return part;
  }, value);
}

function within({ step, path }: Value & { readonly kind: 'result' }, key: string): Value {
  return { kind: 'result', step, path: [...path, key] };
}

function keyOf({ key, ...at }: PathStep, e: Evaluation): string | number {
  if (typeof key !== 'object') return key;
  const value = evaluate(key, e);
  if (value.kind === 'plain' && (typeof value.value === 'string' || Number.isInteger(value.value))) {
    return typeof value.value === 'number' ? value.value : String(value.value);
  }
  const hint = 'write a text or a whole number: result["price"], result[0]';
  throw new PythonFault('a result cannot name a part of another', at, hint);
}

function pathKey(key: string | number, at: Span): string {
  if (typeof key === 'number' && key < 0) {
    throw new PythonFault('a result is not counted from its end', at, 'count from the front: result[0]');
  }
  if (key === '' || /["{}\n]/.test(String(key))) {
    throw new PythonFault('a reference cannot name this part', at, 'pass the whole result');
  }
  return String(key);
}

function resultOf(call: PythonCall, e: Evaluation, target: Target | undefined): Value {
  const root = call.tool.split('.', 1)[0] ?? '';
  if (root !== call.tool && e.variables.has(root)) {
    const hint = call.tool.endsWith('.get')
      ? `write the part in brackets: ${root}["…"]`
      : `call a capability, and pass the result: tool(${root})`;
    throw new PythonFault(`"${root}" is a result, and has no methods here`, call.toolAt, hint);
  }
  const given = givenOf(call, e);
  const own = target === undefined || call.path.length > 0 ? undefined : acceptableName(target.name);
  const wished = own ?? acceptableName(call.tool);
  const name = stepName(/^[a-z]/.test(wished) ? wished : 'step', own !== undefined, e);
  e.steps.push({ name, tool: call.tool });
  e.calls.push({ name, call, targetAt: own === undefined ? undefined : target?.at, given });
  return { kind: 'result', step: name, path: [] };
}

function stepName(wished: string, isVariable: boolean, e: Evaluation): string {
  if (isVariable) e.reserved.delete(wished);
  const nameAt = (number: number) => (number === 1 ? wished : `${wished}_${number}`);
  let number = e.numbers.get(wished) ?? 1;
  while (e.taken.has(nameAt(number)) || e.reserved.has(nameAt(number))) number += 1;
  e.numbers.set(wished, number);
  e.taken.add(nameAt(number));
  return nameAt(number);
}

function givenOf(call: PythonCall, e: Evaluation): Json {
  const values = call.given.map(({ name, value }) => ({ name, value, json: json(evaluate(value, e), e, value) }));
  if (values.every(({ name }) => name !== undefined)) {
    return Object.fromEntries(values.map(({ name = '', json: each }) => [name, each] as const));
  }
  return values.map(({ name, value, json: each }): Json => {
    if (name !== undefined) return { name, value: each };
    if (isPair(each)) {
      const hint = 'give the argument its name: key={…}';
      throw new PythonFault('a map with "name" and "value" cannot stand without a name', value, hint);
    }
    return each;
  });
}

/** Lists of arguments have pairs for arguments with names. */
function isPair(value: Json): boolean {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  return keys.length === 2 && keys.includes('name') && keys.includes('value');
}

function json(value: Value, e: Evaluation, at: Span): Json {
  spend(e, 1, at);
  switch (value.kind) {
    case 'plain':
      if (typeof value.value === 'string') spend(e, value.value.length, at);
      return value.value;
    case 'unread':
      return null;
    case 'result':
      return reference(value);
    case 'text': {
      const written = value.parts.map((part) => (typeof part === 'string' ? part : reference(part))).join('');
      spend(e, written.length, at);
      return written;
    }
    case 'list':
      return value.items.map((item) => json(item, e, at));
    case 'map': {
      const object: JsonObject = Object.fromEntries([...value.entries].map(([key, each]) => [key, json(each, e, at)]));
      return object;
    }
  }
}

function reference({ step, path }: Value & { readonly kind: 'result' }): string {
  return `{{ ${referenceText({ root: 'results', path: [step, ...path] })} }}`;
}

function spend(e: Evaluation, count: number, at: Span): void {
  e.left -= count;
  if (e.left >= 0) return;
  const hint = 'repeat values less often';
  throw new PythonFault('the values of this plan are too large together', at, hint, 'SOURCE_TOO_LARGE');
}

/** The issue of a fault; its place is found later. */
export function faultIssue({ code, message, hint }: PythonFault, path: readonly PathPart[]) {
  return issue(code, message, { path, hint });
}
