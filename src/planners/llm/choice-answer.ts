// Reads a model's choice of capabilities, and checks each choice against the list, the contract and the vetoes.
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { contractOf } from '../../contract/contract.ts';
import { propertiesOf } from '../../contract/schema.ts';
import { plainText } from '../../contract/signature-line.ts';
import type { CapabilityLine } from '../../goals/capability-lines.ts';
import { vetoFor } from '../../goals/match/match.ts';
import type { TaskChoice } from '../../goals/plan/task-context.ts';
import type { Task } from '../../goals/split/task.ts';

/** A task without a certain capability; `input` holds values from the decomposition. */
export type OpenTask = Pick<Task, 'description' | 'input'>;

export interface ChoicesReading {
  /** Choices by description of the task; a task without a choice stays open. */
  readonly choices: ReadonlyMap<string, TaskChoice>;
  /** Notes for people about changed choices. */
  readonly notes: readonly string[];
  /** Corrections that the model should make. */
  readonly wrong: readonly string[];
}

interface ChoiceVerdict {
  readonly choice?: TaskChoice;
  readonly note?: string;
  readonly wrong?: readonly string[];
}

const LONGEST_REASON = 200;

export function readChoices(
  value: Json | undefined,
  tasks: readonly OpenTask[],
  goal: string,
  capabilities: readonly CapabilityLine[],
): ChoicesReading {
  const choices = new Map<string, TaskChoice>();
  if (!isJsonObject(value) || !isJsonArray(value.choices))
    return { choices, notes: [], wrong: ['Your answer is not {"choices": [{"task": 1, …}]}'] };
  const answers = value.choices.filter(isJsonObject);
  const verdicts = tasks.map(({ description }, index): ChoiceVerdict => {
    const answer = answers.find(({ task }) => Number(task) === index + 1);
    if (answer === undefined) return { wrong: [`There is no choice for task ${index + 1}`] };
    const verdict = verdictOn(answer, description, goal, capabilities);
    return { ...verdict, wrong: (verdict.wrong ?? []).map((each) => `Task ${index + 1}: ${each}`) };
  });
  for (const [index, { choice }] of verdicts.entries()) {
    const task = tasks[index];
    if (task !== undefined && choice !== undefined) choices.set(task.description, choice);
  }
  return {
    choices,
    notes: verdicts.flatMap(({ note }) => note ?? []),
    wrong: verdicts.flatMap(({ wrong = [] }) => wrong),
  };
}

/** An invalid choice leaves the task to a person. */
function verdictOn(
  answer: JsonObject,
  description: string,
  goal: string,
  capabilities: readonly CapabilityLine[],
): ChoiceVerdict {
  const { capability: name, none, ask } = answer;
  if (typeof name !== 'string' || name === '') {
    if (typeof none === 'string')
      return { choice: { kind: 'none', why: `the model: ${plainText(none, LONGEST_REASON)}` } };
    if (ask !== undefined && ask !== false) return { choice: { kind: 'ask' }, note: askedNote(description, ask) };
    return { wrong: ['say "capability", "none" or "ask"'] };
  }
  const line = capabilities.find((each) => each.name === name);
  if (line === undefined) {
    const near = didYouMean(
      name,
      capabilities.map((each) => each.name),
    );
    const unknown = `there is no tool ${plainText(JSON.stringify(name), LONGEST_REASON)}${near === undefined ? '' : `, ${near}`}`;
    return {
      choice: { kind: 'ask' },
      note: `for "${description}" the model chose what is not granted: ${unknown}`,
      wrong: [unknown],
    };
  }
  const veto = vetoFor(description, name, capabilities, goal);
  if (veto !== undefined)
    return {
      choice: { kind: 'ask' },
      note: `the model chose ${name} for "${description}", and it may not serve: ${veto}`,
    };
  const input = isJsonObject(answer.arguments) ? answer.arguments : {};
  const isReference = (each: Json): boolean => JSON.stringify(each).includes('{{');
  const given = Object.fromEntries(Object.entries(input).filter(([, each]) => !isReference(each)));
  const references = Object.keys(input).filter((key) => !Object.hasOwn(given, key));
  const unfit = misfitsIn(given, line);
  return {
    choice: { kind: 'capability', name, ...(Object.keys(given).length === 0 ? {} : { input: given }) },
    ...(references.length === 0
      ? {}
      : { note: `the model gave ${quoted(references)} of ${name} as a reference, which is left out` }),
    wrong: [...unfit, ...references.map((key) => `leave out ${quoted([key])}: arguments are values, not references`)],
  };
}

function askedNote(description: string, ask: Json): string {
  const why = typeof ask === 'string' && ask.trim() !== '' ? `: ${plainText(ask, LONGEST_REASON)}` : '';
  return `the model leaves "${description}" to a person${why}`;
}

function quoted(names: readonly string[]): string {
  return names.map((each) => plainText(JSON.stringify(each), LONGEST_REASON)).join(', ');
}

/** Arguments that are unknown or do not fit; missing ones are allowed, because they come from elsewhere. */
function misfitsIn(input: JsonObject, { name, input: contract }: CapabilityLine): readonly string[] {
  if (contract === undefined) return [];
  const names = Object.keys(propertiesOf(contract));
  const unknown = Object.keys(input).filter((each) => names.length > 0 && !names.includes(each));
  const strays = unknown.map((each) => {
    const near = didYouMean(each, names);
    return `${name} has no parameter ${quoted([each])}${near === undefined ? '' : `, ${near}`}`;
  });
  const known = Object.fromEntries(Object.entries(input).filter(([each]) => !unknown.includes(each)));
  const checked = contractOf(contract).check(known);
  if (checked.ok) return strays;
  const misfits = checked.error.filter(({ path }) => Object.hasOwn(known, String(path[0])));
  return [...strays, ...misfits.map(({ message }) => message)];
}
