// What a call takes of the tasks before it: answers of people, and results, item by item where they bring a list.
import { defined, type Json, type JsonObject } from '../../base/json.ts';
import { propertiesOf, type Schema, schemaOf } from '../../contract/schema.ts';
import { mapArguments } from '../arguments/map-arguments.ts';
import { type Source, type Wire, wireDependencies } from '../arguments/wire.ts';
import { askingIn } from '../split/asking.ts';
import type { Task } from '../split/task.ts';
import type { Earlier } from './around.ts';
import { itemsMeant, type Meant } from './items-meant.ts';

interface Answered {
  readonly input: JsonObject;
  /** What questions must be answered with, by the names of their steps: contracts. */
  readonly takes: ReadonlyMap<string, JsonObject>;
}

/** What people were asked before goes to the property that they were asked about, required or not. */
export function answersFor(contract: JsonObject, taken: ReadonlySet<string>, earlier: readonly Earlier[]): Answered {
  const sources = earlier.flatMap(({ name, task }): readonly Source[] => {
    const asking = task.kind === 'clarification' ? askingIn(task.description) : undefined;
    return asking?.wants === 'answer' ? [{ name, description: asking.about, isAnswer: true }] : [];
  });
  const { wires } = wireDependencies(sources, contract, taken);
  return {
    input: Object.fromEntries(wires.map(({ property, from }) => [property, reference(`results.${from}`, [])])),
    takes: new Map(wires.map(({ property, from }) => [from, schemaOf(propertiesOf(contract)[property])])),
  };
}

/** Where things are: said once, it is so for the calls that follow. */
export const PLACE =
  /^(?:repo|repository|owner|org|organi[sz]ation|project|workspace|team|account|database|calendar|board|namespace|cluster|region|bucket)(?:_?(?:id|name|key))?$/i;

/** Of what a call lacks, the places that a call before it was given, by these names or by others; the last one goes first. */
export function placesFor(missing: readonly string[], contract: JsonObject, earlier: readonly Earlier[]): JsonObject {
  const wanted = missing.filter((property) => PLACE.test(property));
  const found = earlier.toReversed().map(({ input = {} }) => {
    const given = Object.entries(input).filter(([name, value]) => PLACE.test(name) && !isReference(value));
    return mapArguments(Object.fromEntries(given), contract).input;
  });
  return Object.fromEntries(
    wanted.flatMap((property) => {
      const value = found.find((each) => Object.hasOwn(each, property))?.[property];
      return value === undefined ? [] : [[property, value] as const];
    }),
  );
}

function isReference(value: Json): boolean {
  return typeof value !== 'string' || value.includes('{{');
}

interface Feeds {
  readonly input: JsonObject;
  readonly notes: readonly string[];
  /** The call, or a fan-out of it where it goes through a list. */
  around(call: JsonObject): JsonObject;
  /** All items of the list would be more than the goal says. */
  readonly why?: string;
}

/** `missing`: what must be fed, or a person is asked. Of what nobody has described, only what comes right before is taken. */
export function feedsFor(
  { description, only }: Task,
  missing: readonly string[],
  contract: JsonObject,
  taken: ReadonlySet<string>,
  earlier: readonly Earlier[],
  widest?: number,
): Feeds {
  const sources = earlier.flatMap(({ name, task, direct, output }): readonly Source[] => {
    if (task.kind === 'clarification' || !(direct || output !== undefined)) return [];
    return [{ name, description: task.description, isFar: !direct, ...defined({ output }) }];
  });
  const { wires } = wireDependencies(sources, contract, taken, {
    required: missing,
    ...defined({ widest }),
  });
  const list = wires.find(({ each }) => each !== undefined);
  const fanOuts = new Set(earlier.filter(({ isFanOut }) => isFanOut === true).map(({ name }) => name));
  const whole = ({ from, path }: Wire): Json =>
    fanOuts.has(from) ? { $lisp: valuesOf(from) } : reference(`results.${from}`, path);
  const takenBy = (wire: Wire): Json => {
    if (wire.isSearched === true) return { $lisp: onlyListIn(wire.from) };
    return wire.each === undefined ? whole(wire) : reference('item', wire.each.path);
  };
  const input = Object.fromEntries(wires.map((wire) => [wire.property, takenBy(wire)]));
  if (list === undefined) return { input, notes: [], around: (call) => call };
  const most = Math.max(1, list.each?.atMost ?? 1);
  const meant = fanOuts.has(list.from) ? undefined : itemsMeant(description, itemsOf(list, sources));
  if (only !== undefined && meant === undefined) {
    const why = `"${description}" is about some items of a list, and nothing in ${[list.from, ...list.path].join('.')} tells which are meant by "${only}"`;
    return { input, notes: [], around: (call) => call, why };
  }
  const among = meant === undefined ? '' : `, where ${meant.property} is ${meant.value}`;
  return {
    input,
    notes: [
      `${list.property} is each of what ${[list.from, ...list.path].join('.')} lists${among}, in ${most} calls at most`,
    ],
    around: (call) => ({
      type: 'fan_out',
      for_each: meant === undefined ? whole(list) : { $lisp: onlyThose(list, meant) },
      max_width: most,
      do: call,
    }),
  };
}

function itemsOf({ from, path }: Wire, sources: readonly Source[]): Schema {
  const output = sources.find(({ name }) => name === from)?.output ?? {};
  return schemaOf(path.reduce((schema, key) => schemaOf(propertiesOf(schema)[key]), output).items);
}

function onlyThose({ from, path }: Wire, { property, value }: Meant): string {
  const at = [from, ...path].map((key) => JSON.stringify(key)).join(' ');
  return `(filterv #(= ${JSON.stringify(value)} (get % ${JSON.stringify(property)})) (get-in data/results [${at}]))`;
}

/** Of a fan-out, what came of the items that came to something. */
function valuesOf(from: string): string {
  return `(for [each (:${from} data/results) :when (= "completed" (:status each))] (:value each))`;
}

/** Itself, or its list where it is a map with one. */
function onlyListIn(from: string): string {
  return `(let [found (:${from} data/results) lists (if (map? found) (filter vector? (vals found)) [])] (if (= 1 (count lists)) (first lists) found))`;
}

function reference(root: string, path: readonly string[]): string {
  return `{{ ${[root, ...path].join('.')} }}`;
}
