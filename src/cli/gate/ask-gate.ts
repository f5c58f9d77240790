// Asks a person to decide at a gate, line by line, until the decision fits the gate's contract.
import type { Json, JsonObject } from '../../base/json.ts';
import { type ContractField, contractWords, fieldsOf } from '../../contract/describe-contract.ts';
import type { Schema } from '../../contract/schema.ts';
import { checkDecision } from '../../engine/gates/gate-answers.ts';
import type { Gate } from '../../engine/state/state.ts';
import { isNo, isYes } from '../../goals/ask/plain-answer.ts';
import { questionFor } from '../../goals/ask/question-for.ts';
import { ASKED_AGAIN, readAnswer } from '../../goals/ask/read-answer.ts';
import { wantsConsent } from '../../view/consent.ts';
import { type Line, span } from '../../view/line.ts';

export interface Person {
  say(lines: readonly Line[]): void;
  /** Returns the typed line; undefined once the input has ended. */
  ask(prompt: string): Promise<string | undefined>;
}

export type GateDecision =
  | { readonly verdict: 'approve'; readonly why?: string }
  | { readonly verdict: 'reject'; readonly why?: string }
  | { readonly verdict: 'answer'; readonly value: Json };

type GateQuestion = Pick<Gate, 'id' | 'kind' | 'decision'>;

/** A person types this to leave a gate open. */
const LATER = 's';
const ASIDE = `(${LATER} leaves it for later)`;

/** `later` leaves this gate open; `gone` leaves all gates open, because nobody answers any more. */
interface GateLeftOpen {
  readonly left: 'later' | 'gone';
}

type PersonReply<T> = { readonly said: T } | GateLeftOpen;

export async function askGate(person: Person, gate: GateQuestion): Promise<PersonReply<GateDecision>> {
  return wantsConsent(gate) ? askConsent(person) : askAnswer(person, gate);
}

/** After this many invalid answers the gate stays open. */
const MOST_TRIES = 1 + ASKED_AGAIN;

async function askConsent(person: Person): Promise<PersonReply<GateDecision>> {
  for (let time = 0; time < MOST_TRIES; time++) {
    const line = await ask(person, `approve? y or n ${ASIDE}: `);
    if ('left' in line) return line;
    if (isYes(line.said)) return { said: { verdict: 'approve', ...(await askWhy(person, 'a note?')) } };
    if (isNo(line.said)) return { said: { verdict: 'reject', ...(await askWhy(person, 'why not?')) } };
    complain(person, 'say y, n or s');
  }
  return leave(person);
}

async function askWhy(person: Person, question: string): Promise<{ readonly why?: string }> {
  const why = (await person.ask(`${question} (may be left empty): `))?.trim() ?? '';
  return why === '' ? {} : { why };
}

async function askAnswer(person: Person, gate: GateQuestion): Promise<PersonReply<GateDecision>> {
  const fields = fieldsOf(gate.decision);
  for (let time = 0; time < MOST_TRIES; time++) {
    const answer = fields.length === 0 ? await askValue(person, gate.decision) : await askFields(person, fields);
    if ('left' in answer) return answer;
    const checked = checkDecision(gate, { verdict: 'answer', value: answer.said });
    if (checked.ok) return { said: { verdict: 'answer', value: answer.said } };
    complain(person, checked.error.message);
  }
  return leave(person);
}

async function askValue(person: Person, schema: Schema): Promise<PersonReply<Json>> {
  return askUntil(person, `answer, ${contractWords(schema)} ${ASIDE}: `, schema);
}

async function askFields(person: Person, fields: readonly ContractField[]): Promise<PersonReply<JsonObject>> {
  const answer: Record<string, Json> = {};
  for (const { name, schema, required } of fields) {
    const optional = required ? '' : ', may be left empty';
    const prompt = `${name}: ${questionFor(name, schema)}${optional} ${ASIDE}: `;
    const value = await askUntil(person, prompt, schema, required ? undefined : { said: undefined });
    if ('left' in value) return value;
    if (value.said !== undefined) answer[name] = value.said;
  }
  return { said: answer };
}

/** `empty` is the meaning of an empty line, if it has one. */
async function askUntil<Empty>(
  person: Person,
  prompt: string,
  schema: Schema,
  empty?: { readonly said: Empty },
): Promise<PersonReply<Json | Empty>> {
  for (let time = 0; time < MOST_TRIES; time++) {
    const line = await ask(person, prompt);
    if ('left' in line) return line;
    if (line.said === '' && empty !== undefined) return empty;
    const answer = readAnswer(line.said, schema);
    if (answer.ok) return { said: answer.value };
    complain(person, answer.error);
  }
  return leave(person);
}

function leave(person: Person): GateLeftOpen {
  complain(person, 'this is left open for later');
  return { left: 'later' };
}

/** Returns the typed text, trimmed; a text that equals the sign for later is typed in quotes. */
async function ask(person: Person, prompt: string): Promise<PersonReply<string>> {
  const line = (await person.ask(prompt))?.trim();
  if (line === undefined) return { left: 'gone' };
  return line === LATER ? { left: 'later' } : { said: line };
}

function complain(person: Person, what: string): void {
  person.say([[span(what, 'warn')]]);
}
