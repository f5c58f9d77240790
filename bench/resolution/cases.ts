// Judges the work after a tool is chosen: argument names and values, wired results, and goals of several orders.
import { isDeepStrictEqual } from 'node:util';
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../src/base/json.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import { mapArguments } from '../../src/goals/arguments/map-arguments.ts';
import { wireDependencies } from '../../src/goals/arguments/wire.ts';
import { decompose } from '../../src/goals/split/decompose.ts';
import { declarationsOf, ownName, readCases } from './data.ts';
import { planGoal } from './plan.ts';

export interface Cases {
  readonly kind: string;
  readonly right: number;
  readonly of: number;
  /** The outcomes of the cases that are not right. */
  readonly misses: readonly string[];
}

type Check = (each: JsonObject) => { readonly isRight: boolean; readonly got: unknown };

const checks: Readonly<Record<string, Check>> = {
  names: mapped,
  coercions: mapped,
  arguments: planned,
  wirings: wired,
  dependencies: apart,
};

export function judgeCases(): readonly Cases[] {
  return Object.entries(checks).map(([kind, check]) => {
    const cases = readCases(kind).filter(isJsonObject);
    const misses = cases.flatMap((each) => {
      const { isRight, got } = check(each);
      return isRight ? [] : [`${kind}: ${JSON.stringify(each)}\n    got ${JSON.stringify(got)}`];
    });
    return { kind, right: cases.length - misses.length, of: cases.length, misses };
  });
}

function toolOf(each: Json | undefined): Declaration {
  const server = textAt(each, 'server');
  const tool = textAt(each, 'tool');
  const found = declarationsOf(server).find((declaration) => ownName(declaration) === tool);
  if (found === undefined) throw new Error(`${server} has no tool ${tool}`);
  return found;
}

/** `{ server, tool, given, input }`: arguments under other names, and the expected input of the tool. */
function mapped(each: JsonObject): ReturnType<Check> {
  const { input } = mapArguments(mapAt(each, 'given'), toolOf(each).input ?? {});
  return { isRight: isDeepStrictEqual(input, mapAt(each, 'input')), got: input };
}

/** `{ server, tool, goal, input, may? }`: the planned call after a person has chosen the tool. */
function planned(each: JsonObject): ReturnType<Check> {
  const declaration = toolOf(each);
  const capabilities = declarationsOf(textAt(each, 'server'));
  const { steps, values } = planGoal(textAt(each, 'goal'), capabilities, declaration.name);
  const [step, another] = steps;
  const may = ownProperty(each, 'may') ?? [];
  const input = Object.fromEntries(
    Object.entries(mapAt(step, 'input')).filter(([name]) => !(isJsonArray(may) && may.includes(name))),
  );
  const isCalled = another === undefined && ownProperty(step, 'capability') === declaration.name;
  const isRight = isCalled && values === 0 && isDeepStrictEqual(input, mapAt(each, 'input'));
  return { isRight, got: { steps, values } };
}

/** `{ from, to, given, wires }`: the parts of the first result that the second call takes; `items[].id` for one of each item. */
function wired(each: JsonObject): ReturnType<Check> {
  const from = toolOf(ownProperty(each, 'from'));
  const to = toolOf(ownProperty(each, 'to'));
  const source = { name: 'first', description: from.description, ...(from.output ? { output: from.output } : {}) };
  const taken = new Set(Object.keys(mapAt(each, 'given')));
  const { wires } = wireDependencies([source], to.input ?? {}, taken);
  const got = Object.fromEntries(
    wires.map(({ property, path, each: item }) => [
      property,
      item === undefined ? path.join('.') : `${path.join('.')}[]${item.path.map((key) => `.${key}`).join('')}`,
    ]),
  );
  return { isRight: isDeepStrictEqual(got, mapAt(each, 'wires')), got };
}

/** `{ server, goal, parts, after }`, or `{ server, goal, abstains: true }`; `after` lists all parts that must come before, or is `any`. */
function apart(each: JsonObject): ReturnType<Check> {
  const capabilities = declarationsOf(textAt(each, 'server'));
  const { tasks, abstained } = decompose(textAt(each, 'goal'), { capabilities });
  const got = tasks.map(({ description, after }) => ({ description, after }));
  if (ownProperty(each, 'abstains') === true) return { isRight: abstained !== undefined, got };
  const parts = ownProperty(each, 'parts');
  const after = ownProperty(each, 'after');
  const isSplit =
    isJsonArray(parts) &&
    isDeepStrictEqual(
      parts.map(plain),
      got.map((task) => plain(task.description)),
    );
  const waits = tasks.map((_, at) => [...allBefore(tasks, at)].sort());
  const isOrdered =
    isJsonArray(after) && after.every((wanted, at) => wanted === 'any' || isDeepStrictEqual(wanted, waits[at]));
  return { isRight: isSplit && isOrdered, got: { abstained, got } };
}

function plain(text: Json): string {
  return typeof text === 'string' ? text.toLowerCase().replace(/[.,;:\s]+$/, '') : '';
}

function allBefore(tasks: readonly { readonly after: readonly number[] }[], at: number): ReadonlySet<number> {
  const direct = tasks[at]?.after ?? [];
  return new Set([...direct, ...direct.flatMap((each) => [...allBefore(tasks, each)])]);
}

function textAt(value: Json | undefined, key: string): string {
  const found = ownProperty(value, key);
  return typeof found === 'string' ? found : '';
}

function mapAt(value: Json | undefined, key: string): JsonObject {
  const found = ownProperty(value, key);
  return isJsonObject(found) ? found : {};
}
