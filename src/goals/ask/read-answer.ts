// A person's reply read by its contract: a choice by number or beginning, yes and no, numbers, lists; or why it is none.
import type { Json } from '../../base/json.ts';
import { contractOf } from '../../contract/contract.ts';
import { kindOf, type Schema, typesOf, valuesOf } from '../../contract/schema.ts';
import { contractWords, plain } from '../../contract/words.ts';
import { fitTo } from '../arguments/fit-to.ts';
import { readPlain } from './plain-answer.ts';

/** How often a person is asked again before the question is left open. */
export const ASKED_AGAIN = 2;

export type Answer = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly why: string };

export function readAnswer(text: string, schema: Schema): Answer {
  const said = text.trim();
  const listed = valuesOf(schema);
  if (listed !== undefined) return chosen(said, listed);
  const read = fitTo(readPlain(said, schema), schema);
  const fitted = read.ok ? read : fitTo(said, schema);
  if (said === '') return { ok: false, why: 'an answer is needed' };
  return fitted.ok ? fitted : { ok: false, why: `"${shortened(said)}" ${whyNot(readPlain(said, schema), schema)}` };
}

/** The kind that is wanted; where the words are of that kind already, what the contract finds. */
function whyNot(read: Json, schema: Schema): string {
  const checked = contractOf(schema).check(read);
  const isOfKind = typesOf(schema).some((type) => type === kindOf(read));
  if (checked.ok || !isOfKind) return `is not ${contractWords(schema)}`;
  return `does not fit: ${checked.findings.map(({ message }) => message).join('; ')}`;
}

/** The value itself goes before its number, and that before its beginning. */
function chosen(said: string, listed: readonly Json[]): Answer {
  const lower = said.toLowerCase();
  const itself = listed.filter((value) => plain(value).toLowerCase() === lower);
  const isNumber = /^\d+$/.test(said) && listed.every((value) => typeof value !== 'number');
  const numbered = isNumber ? listed.slice(Number(said) - 1, Number(said)) : [];
  const begun = said === '' ? [] : listed.filter((value) => plain(value).toLowerCase().startsWith(lower));
  for (const found of [itself, Number(said) > 0 ? numbered : [], begun]) {
    const [only, another] = found;
    if (only !== undefined && another === undefined) return { ok: true, value: only };
  }
  const choices = choicesOf(listed);
  if (said === '') return { ok: false, why: `an answer is needed: ${choices}` };
  if (begun.length > 1) return { ok: false, why: `"${shortened(said)}" may be ${begun.map(plain).join(' or ')}` };
  return { ok: false, why: `"${shortened(said)}" is none of ${choices}` };
}

/** `1 open, 2 closed`; numbers stand for themselves. */
export function choicesOf(listed: readonly Json[]): string {
  const areNumbers = listed.some((value) => typeof value === 'number');
  return listed.map((value, place) => (areNumbers ? plain(value) : `${place + 1} ${plain(value)}`)).join(', ');
}

const SHOWN = 40;

function shortened(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
