// Builds the step that calls a capability, with arguments from the goal, from earlier results and from people.
import type { Json, JsonObject } from '../../base/json.ts';
import { namesAt, propertiesOf, schemaOf } from '../../contract/schema.ts';
import { parametersWithin } from '../arguments/arguments-in-order.ts';
import { fitTo } from '../arguments/fit-value.ts';
import { questionFor } from '../ask/question-for.ts';
import type { CapabilityLine } from '../capability-lines.ts';
import type { PerformerChoice } from '../intent.ts';
import type { Task } from '../split/task.ts';
import { answersFor, feedsFor, placesFor } from './earlier-results.ts';
import { isReading } from './is-reading.ts';
import { leavesOf, type NamedArguments, namedArguments, takenNote, unusedArguments } from './named-arguments.ts';
import {
  type EarlierTask,
  inputFromEarlier,
  type OpenQuestion,
  type TaskContext,
  type TaskWork,
} from './task-context.ts';
import { pooledFor, withValues } from './unnamed-values.ts';

export function call(
  task: Task,
  line: CapabilityLine,
  chosen: PerformerChoice,
  earlier: readonly EarlierTask[],
  around: TaskContext,
): TaskWork {
  const { name, input: contract } = line;
  if (contract === undefined) {
    const { named = {} } = task.parameters;
    const input = {
      task: literal(task.description),
      ...literals(named),
      ...inputFromEarlier(earlier, around.settings),
      ...task.input,
    };
    return { step: { capability: name, input }, questions: [], chosen };
  }
  const given = namedArguments(task.input ?? {}, contract);
  const answered = answersFor(contract, new Set(Object.keys(given.input)), earlier);
  const brought = new Set([...Object.keys(answered.input), ...Object.keys(given.input)]);
  const named = namedArguments(task.parameters.named ?? {}, contract);
  const beside = new Set([...brought, ...Object.keys(named.input), ...named.misfits.map(({ property }) => property)]);
  const within = parametersWithin(
    task.description,
    contract,
    beside,
    !isReading(line),
    `${name.slice(name.lastIndexOf('.') + 1)} ${line.description}`,
  );
  for (const property of Object.keys(within.input)) beside.add(property);
  const strays = [...given.strays, ...named.strays];
  const parameters = withValues(
    task.parameters,
    leavesOf([named.input, within.input, Object.values(task.parameters.named ?? {})]),
    [...within.numbers, ...numbersIn(named.input)],
    given.strays.map(({ value }) => value),
  );
  const pooled = pooledFor(lacking(contract, beside), contract, { ...task, parameters }, earlier.length === 0);
  for (const property of Object.keys(pooled.input)) beside.add(property);
  const missing = lacking(contract, beside);
  const fed = feedsFor(task, missing, contract, beside, earlier, around.widest);
  if (fed.why !== undefined) return { why: fed.why };
  const places = placesFor(
    missing.filter((property) => !Object.hasOwn(fed.input, property)),
    contract,
    earlier,
  );
  const unsaid = missing.filter((property) => !Object.hasOwn({ ...fed.input, ...places }, property));
  const misfits = named.misfits.filter(({ property }) => !brought.has(property));
  const open = openQuestions(task, contract, [...given.ties, ...named.ties], misfits, unsaid);
  const answers = open.flatMap(({ question, take }) => {
    const answer = around.answers.get(question);
    return answer === undefined ? [] : [take(answer)];
  });
  const whole: JsonObject = {
    ...literals({ ...within.input, ...named.input, ...pooled.input }),
    ...places,
    ...answered.input,
    ...given.input,
    ...fed.input,
    ...literals(Object.assign({}, ...answers)),
  };
  const issues = unusedArguments({ line, task, given, named, within, left: pooled.left, input: whole });
  const findings = [
    ...given.notes,
    ...named.notes,
    ...strays.flatMap((stray) => takenNote(stray, pooled.input)),
    ...fed.notes,
  ];
  return {
    step: fed.around({ capability: name, input: whole }),
    questions: open
      .filter(({ question }) => !around.answers.has(question))
      .map(({ question, answer }) => ({ question, answer })),
    takes: answered.takes,
    chosen,
    ...(findings.length === 0 ? {} : { findings }),
    ...(issues.length === 0 ? {} : { issues }),
  };
}

interface PropertyQuestion extends OpenQuestion {
  /** The input that an answer gives. */
  readonly take: (answer: Json) => JsonObject;
}

/** Asks for each name with several meanings, each value that does not fit, and each required property without a value. */
function openQuestions(
  task: Task,
  contract: JsonObject,
  ties: NamedArguments['ties'],
  misfits: NamedArguments['misfits'],
  unsaid: readonly string[],
): readonly PropertyQuestion[] {
  const properties = propertiesOf(contract);
  const about = `For "${task.description}":`;
  const ambiguous = ties.map(({ value, message, meant }) => ({
    question: `${about} ${message}.`,
    answer: { type: 'string', enum: [...meant] },
    take: (answer: Json): JsonObject => ({ [String(answer)]: fittedTo(value, String(answer), contract) }),
  }));
  const lacked = [...misfits, ...unsaid.map((property) => ({ property, message: undefined }))];
  const missing = lacked.map(({ property, message }) => ({
    question: [
      about,
      ...(message === undefined ? [] : [`${message}.`]),
      questionFor(property, schemaOf(properties[property])),
    ].join(' '),
    answer: schemaOf(properties[property]),
    take: (answer: Json): JsonObject => ({ [property]: answer }),
  }));
  return [...ambiguous, ...missing];
}

/** Required properties without a value. */
function lacking(contract: JsonObject, taken: ReadonlySet<string>): readonly string[] {
  const properties = propertiesOf(contract);
  return namesAt(contract, 'required').filter(
    (property) => !taken.has(property) && schemaOf(properties[property]).default === undefined,
  );
}

function fittedTo(value: Json, property: string, contract: JsonObject): Json {
  const fitted = fitTo(value, schemaOf(propertiesOf(contract)[property]), contract);
  return fitted.ok ? fitted.value : value;
}

function numbersIn(input: JsonObject): readonly number[] {
  return Object.values(input).filter((value) => typeof value === 'number');
}

/** Escapes a goal's `{{`, so that it is never read as a reference. */
function literal(value: Json): Json {
  return typeof value === 'string' && value.includes('{{') ? { $lisp: JSON.stringify(value) } : value;
}

function literals(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, literal(value)] as const));
}
