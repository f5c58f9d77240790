// The step that calls a capability: what the goal says for it, what earlier results bring, and what a person has to say.
import type { Json, JsonObject } from '../../base/json.ts';
import { isMutating } from '../../contract/declaration.ts';
import { propertiesOf, schemaOf } from '../../contract/schema.ts';
import { propertyFor } from '../arguments/property-name.ts';
import { parametersWithin } from '../arguments/within.ts';
import { questionFor } from '../ask/question-for.ts';
import type { CapabilityLine } from '../capability-lines.ts';
import type { Chosen } from '../intent.ts';
import { argumentsOf, withValues } from './arguments.ts';
import type { Around, Earlier, Work } from './around.ts';
import { answersFor, feedsFor, placesFor } from './feeds.ts';
import { saidFor, toldOfStray } from './said.ts';
import type { Parameters, Task } from './task.ts';
import { toldOf } from './told.ts';

export function call(
  task: Task,
  line: CapabilityLine,
  chosen: Chosen,
  earlier: readonly Earlier[],
  around: Around,
): Work {
  const { name, input: contract } = line;
  if (contract === undefined) {
    const { named = {} } = task.parameters;
    const input = {
      task: literal(task.description),
      ...literals(named),
      ...toldOf(earlier, around.settings),
      ...task.input,
    };
    return { step: { capability: name, input }, questions: [], chosen };
  }
  const properties = propertiesOf(contract);
  const said = saidFor(task.input ?? {}, contract);
  const answered = answersFor(contract, new Set(Object.keys(said.input)), earlier);
  const given = new Set([...Object.keys(answered.input), ...Object.keys(said.input)]);
  const named = new Set([
    ...given,
    ...Object.keys(task.parameters.named ?? {}).flatMap((each) => meantBy(each, contract)),
  ]);
  const within = parametersWithin(task.description, contract, named, isMutating(line));
  const strays = said.strays.map(({ value }) => value);
  const told = { ...task, parameters: withValues(withoutNumbers(task.parameters, within.numbers), strays) };
  const beside = new Set([...given, ...Object.keys(within.input)]);
  const { input, missing, misfits, findings: unknown } = argumentsOf(told, contract, beside, earlier.length === 0);
  const fed = feedsFor(task, missing, contract, new Set([...beside, ...Object.keys(input)]), earlier, around.widest);
  const places = placesFor(
    missing.filter((property) => !Object.hasOwn(fed.input, property)),
    contract,
    earlier,
  );
  const unsaid = missing.filter((property) => !Object.hasOwn({ ...fed.input, ...places }, property));
  const asked = [...misfits, ...unsaid.map((property) => ({ property, message: undefined }))].map((open) => ({
    property: open.property,
    question: [
      `For "${task.description}":`,
      ...(open.message === undefined ? [] : [`${open.message}.`]),
      questionFor(open.property, schemaOf(properties[open.property])),
    ].join(' '),
    answer: schemaOf(properties[open.property]),
  }));
  const answers = asked.flatMap(({ property, question }) => {
    const answer = around.answers.get(question);
    return answer === undefined ? [] : [[property, answer] as const];
  });
  const open = asked.filter(({ question }) => !around.answers.has(question));
  const whole = {
    ...literals(within.input),
    ...literals(input),
    ...places,
    ...answered.input,
    ...said.input,
    ...fed.input,
    ...literals(Object.fromEntries(answers)),
  };
  const findings = [
    ...unknown,
    ...said.findings,
    ...said.strays.map((stray) => toldOfStray(stray, input)),
    ...within.left.map((says) => `${name} takes nothing for "${says}", which is left out`),
    ...fed.notes,
  ];
  return {
    step: fed.around({ capability: name, input: whole }),
    questions: open.map(({ question, answer }) => ({ question, answer })),
    takes: answered.takes,
    chosen,
    ...(findings.length === 0 ? {} : { findings }),
  };
}

function meantBy(name: string, contract: JsonObject): readonly string[] {
  const property = propertyFor(name, Object.keys(propertiesOf(contract)));
  return property === undefined ? [] : [property];
}

/** Each of those once. */
function withoutNumbers({ numbers = [], ...others }: Parameters, used: readonly number[]): Parameters {
  const left = [...numbers];
  for (const each of used) if (left.includes(each)) left.splice(left.indexOf(each), 1);
  return left.length === 0 ? others : { ...others, numbers: left };
}

/** What a goal says is never read as a reference. */
function literal(value: Json): Json {
  return typeof value === 'string' && value.includes('{{') ? { $lisp: JSON.stringify(value) } : value;
}

function literals(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, literal(value)] as const));
}
