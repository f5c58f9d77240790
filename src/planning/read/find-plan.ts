// Finds the plan in a reply, under any usual name and nesting.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, nameOfKind } from '../../base/json.ts';
import { readCalls } from './calls.ts';
import { nodesKeyOf, readGraph } from './graph.ts';
import { isPhase, readPhase, readSteps, type StepHolder, type WrittenPhase, type WrittenStep } from './phase.ts';
import { areCallTexts, type PythonPlan, readPython } from './python/python-plan.ts';

const LIST_NAMES = ['steps', 'tasks', 'workflow', 'plan', 'phases', 'tool_calls', 'function_calls'];
const MAX_WRAPPERS = 3;

export interface Plan {
  /** Phases in order; a plan without phases has one unnamed phase. */
  readonly phases: readonly WrittenPhase[];
  /** The keys beside the steps. */
  readonly rest: JsonObject;
  readonly notes: readonly string[];
  /** The steps are the calls of a program, which makes them one after the other. */
  readonly inOrder?: true;
}

/** The wrappers passed on the way down to the steps. */
interface PlanWrapping extends Omit<Plan, 'phases' | 'inOrder'> {
  readonly path: readonly PathPart[];
}

/**
 * Finds `{steps: […]}`, another name for it, a bare list, or one of these in a wrapper. The list may also be a list or map
 * of phases, or a map of steps.
 */
export function findPlan(reply: Json): Plan | Issue {
  return find(reply, { path: [], rest: {}, notes: [] }) ?? noPlan(reply);
}

export function stepsOf({ phases }: Plan): readonly WrittenStep[] {
  return phases.flatMap(({ steps }) => steps);
}

function find(at: Json, passed: PlanWrapping): Plan | Issue | undefined {
  const { path, notes } = passed;
  if (isJsonArray(at)) {
    const found = path.length > 0 ? passed : { ...passed, notes: ['a list without "steps" around it'] };
    if (areCallTexts(at)) {
      return inPython(readPython(at.map((each, index) => ({ text: String(each), at: [...path, index] }))), found);
    }
    return at.length > 0 && at.every(isPhase) ? inPhases(at, found) : inSteps(at, found);
  }
  if (typeof at === 'string' && path.length > 0) return inText(at, passed);
  if (!isJsonObject(at) || path.length >= MAX_WRAPPERS) return undefined;
  const names = LIST_NAMES.filter((name) => Object.hasOwn(at, name));
  const [name, second] = names;
  const nodes = nodesKeyOf(at);
  if (nodes !== undefined) return name === undefined ? inGraph(at, nodes, passed) : twoPlans([...names, nodes]);
  if (second !== undefined) return twoPlans(names);
  if (name === undefined) return mapped(at, passed) ?? oneCall(at, passed);
  const { [name]: inner = null, ...others } = at;
  const again = Object.keys(others).find((key) => Object.hasOwn(passed.rest, key));
  if (again !== undefined) return saidTwice(again, [...path, again]);
  const isOwnName = name === 'steps' || name === 'phases';
  const below: PlanWrapping = {
    path: [...path, name],
    rest: { ...passed.rest, ...others },
    notes: isOwnName ? notes : [...notes, `"${name}" for "steps"`],
  };
  if (name !== 'phases') return find(inner, below);
  return isJsonArray(inner) || isJsonObject(inner) ? inPhases(inner, below) : undefined;
}

/** Calls in Python under the name of a list. */
function inText(text: string, passed: PlanWrapping): Plan | undefined {
  const python = readPython([{ text, at: passed.path }]);
  return python.steps.length === 0 ? undefined : inPython(python, passed);
}

/** The plan of calls in Python, with the keys that stand beside them. */
export function inPython(
  { steps, issues, notes }: PythonPlan,
  { rest, notes: before }: Pick<PlanWrapping, 'rest' | 'notes'> = { rest: {}, notes: [] },
): Plan {
  return { phases: [{ steps, issues }], rest, notes: [...before, ...notes], inOrder: true };
}

/** Reads a map of phases, or below `steps` and `tasks` a map of steps; elsewhere a map of steps would be a guess. */
function mapped(at: JsonObject, passed: PlanWrapping): Plan | undefined {
  const values = Object.values(at);
  if (values.length > 0 && values.every(isPhase)) return inPhases(at, passed);
  const holder = passed.path.at(-1);
  if (holder !== 'steps' && holder !== 'tasks') return undefined;
  return inSteps(at, { ...passed, notes: [...passed.notes, 'a map of steps by their names'] });
}

/** A single call in place of a list. */
function oneCall(at: JsonObject, { path, rest, notes }: PlanWrapping): Plan | undefined {
  const { steps, names, notes: found, issues } = readCalls([{ value: at, at: path }]);
  return names[0] === undefined ? undefined : { phases: [{ steps, issues }], rest, notes: [...notes, ...found] };
}

function inGraph(at: JsonObject, nodes: string, { path, rest, notes }: PlanWrapping): Plan | Issue {
  const graph = readGraph(at, nodes, path);
  const again = Object.keys(graph.rest).find((key) => Object.hasOwn(rest, key));
  if (again !== undefined) return saidTwice(again, [...path, again]);
  return { phases: [graph.phase], rest: { ...rest, ...graph.rest }, notes: [...notes, ...graph.notes] };
}

function inSteps(holder: StepHolder, { path, rest, notes }: PlanWrapping): Plan {
  const found = new Set(notes);
  return { phases: [withCalls(readSteps(holder, path), found)], rest, notes: [...found] };
}

function withCalls<Phase extends WrittenPhase>(phase: Phase, notes: Set<string>): Phase {
  const calls = readCalls(phase.steps);
  for (const note of calls.notes) notes.add(note);
  return { ...phase, steps: calls.steps, issues: [...phase.issues, ...calls.issues] };
}

function inPhases(holder: StepHolder, { path, rest, notes }: PlanWrapping): Plan {
  const written = isJsonArray(holder)
    ? holder.map((value, index) => readPhase(`phase_${index + 1}`, value, [...path, index]))
    : Object.entries(holder).map(([name, value]) => readPhase(name, value, [...path, name]));
  const found = new Set(notes);
  const phases = written.map((phase) => withCalls(phase, found));
  const reasons = phases.flatMap(({ name, rationale }) => (rationale === undefined ? [] : [`${name}: ${rationale}`]));
  const whole = typeof rest.rationale === 'string' ? [rest.rationale] : [];
  return {
    phases,
    rest: reasons.length === 0 ? rest : { ...rest, rationale: [...whole, ...reasons].join('\n') },
    notes: [...found, `phases ${phases.map(({ name }) => `"${name}"`).join(', ')}`],
  };
}

function twoPlans(names: readonly string[]): Issue {
  return issue('FRAGMENT_UNREADABLE', `the reply has ${names.map((name) => `"${name}"`).join(' and ')}`, {
    hint: 'answer with one list, under "steps"',
  });
}

function saidTwice(key: string, path: readonly PathPart[]): Issue {
  return issue('FRAGMENT_UNREADABLE', `"${key}" stands beside the plan and in it`, { path, hint: 'keep one of both' });
}

function noPlan(reply: Json): Issue {
  return issue('FRAGMENT_UNREADABLE', `the reply is a ${nameOfKind(reply)} without a list of steps`, {
    hint: 'answer with {"rationale": "…", "steps": [{"name": "…", "capability": "…", "input": {…}}]}',
  });
}
