// Wires a call to earlier tasks: to answers of people and to results, item by item for lists.
import { defined, type Json, type JsonObject } from '../../base/json.ts';
import { propertiesOf, type Schema, schemaOf } from '../../contract/schema.ts';
import { mapArguments } from '../arguments/map-arguments.ts';
import { type ResultSource, type Wire, wireDependencies } from '../arguments/wire.ts';
import { singularOf } from '../match/terms.ts';
import { personQuestionIn } from '../split/person-question.ts';
import type { Task } from '../split/task.ts';
import type { EarlierTask } from './task-context.ts';

interface AnswerWiring {
  readonly input: JsonObject;
  /** Schemas for the answers, by the names of the asking steps. */
  readonly takes: ReadonlyMap<string, JsonObject>;
}

/** Wires earlier answers to the properties they were asked for, required or not. */
export function answersFor(
  contract: JsonObject,
  taken: ReadonlySet<string>,
  earlier: readonly EarlierTask[],
): AnswerWiring {
  const sources = earlier.flatMap(({ name, task }): readonly ResultSource[] => {
    const asking = task.kind === 'clarification' ? personQuestionIn(task.description) : undefined;
    return asking?.wants === 'answer' ? [{ name, description: asking.about, isAnswer: true }] : [];
  });
  const { wires } = wireDependencies(sources, contract, taken);
  return {
    input: Object.fromEntries(wires.map(({ property, from }) => [property, reference(`results.${from}`, [])])),
    takes: new Map(wires.map(({ property, from }) => [from, schemaOf(propertiesOf(contract)[property])])),
  };
}

/** Properties for places: a place said for one call also holds for later calls. */
export const PLACE =
  /^(?:repo|repository|owner|org|organi[sz]ation|project|workspace|team|account|database|calendar|board|namespace|cluster|region|bucket)(?:_?(?:id|name|key))?$/i;

/** Missing places, taken from earlier calls under the same or similar names; the latest call wins. */
export function placesFor(
  missing: readonly string[],
  contract: JsonObject,
  earlier: readonly EarlierTask[],
): JsonObject {
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
  /** Returns the call, or a fan-out of it when a property takes items of a list. */
  around(call: JsonObject): JsonObject;
  /** Present when the goal means only some items and no property selects them. */
  readonly why?: string;
}

/** Wires earlier results to the call; `missing` names the properties that must be fed. A result without a schema counts only for direct dependents. */
export function feedsFor(
  { description, only }: Task,
  missing: readonly string[],
  contract: JsonObject,
  taken: ReadonlySet<string>,
  earlier: readonly EarlierTask[],
  widest?: number,
): Feeds {
  const sources = earlier.flatMap(({ name, task, direct, output }): readonly ResultSource[] => {
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

function itemsOf({ from, path }: Wire, sources: readonly ResultSource[]): Schema {
  const output = sources.find(({ name }) => name === from)?.output ?? {};
  return schemaOf(path.reduce((schema, key) => schemaOf(propertiesOf(schema)[key]), output).items);
}

function onlyThose({ from, path }: Wire, { property, value }: ItemFilter): string {
  const at = [from, ...path].map((key) => JSON.stringify(key)).join(' ');
  return `(filterv #(= ${JSON.stringify(value)} (get % ${JSON.stringify(property)})) (get-in data/results [${at}]))`;
}

/** The values of a fan-out's completed items. */
function valuesOf(from: string): string {
  return `(for [each (:${from} data/results) :when (= "completed" (:status each))] (:value each))`;
}

/** The result itself, or the only list of a map. */
function onlyListIn(from: string): string {
  return `(let [found (:${from} data/results) lists (if (map? found) (filter vector? (vals found)) [])] (if (= 1 (count lists)) (first lists) found))`;
}

function reference(root: string, path: readonly string[]): string {
  return `{{ ${[root, ...path].join('.')} }}`;
}

interface ItemFilter {
  /** A property of each item. */
  readonly property: string;
  readonly value: string;
}

const EACH = /(?:^|[^\p{L}])(?:each|every|all)(?: of)?(?: the| these| those)?((?:,? [\p{L}\p{N}_-]+){1,4})/giu;

/** The listed value that the words after "each" name, as in `each CSV file`; undefined when several fit. */
function itemsMeant(description: string, items: Schema): ItemFilter | undefined {
  const said = new Set([...description.matchAll(EACH)].flatMap(([, words = '']) => words.split(/[, ]+/).map(folded)));
  const meant = Object.entries(propertiesOf(items)).flatMap(([property, schema]) =>
    textsOf(schemaOf(schema).enum).flatMap((value) => (said.has(folded(value)) ? [{ property, value }] : [])),
  );
  const [only, another] = meant;
  return another === undefined ? only : undefined;
}

function textsOf(values: Json | undefined): readonly string[] {
  return Array.isArray(values) ? values.filter((value: Json) => typeof value === 'string') : [];
}

function folded(word: string): string {
  return singularOf(word.toLowerCase());
}
