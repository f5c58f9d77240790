// Reads a person's reply by its contract: a choice by number or prefix, yes and no, numbers, lists.
import type { Json } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { contractOf } from '../../contract/contract.ts';
import { contractWords, plain } from '../../contract/describe-contract.ts';
import { kindOf, type Schema, typesOf, valuesOf } from '../../contract/schema.ts';
import { fitTo } from '../arguments/fit-value.ts';
import { readPlain } from './plain-answer.ts';

/** The number of repeated questions before a question is left open. */
export const ASKED_AGAIN = 2;

/** The error is a sentence for the person who answered. */
export function readAnswer(text: string, schema: Schema): Result<Json, string> {
  const said = text.trim();
  const listed = valuesOf(schema);
  if (listed !== undefined) return chosen(said, listed);
  const read = fitTo(readPlain(said, schema), schema);
  const fitted = read.ok ? read : fitTo(said, schema);
  if (said === '') return bad('an answer is needed');
  return fitted.ok ? fitted : bad(`"${shortened(said)}" ${whyNot(readPlain(said, schema), schema)}`);
}

/** The wanted kind, or the contract's findings when the kind is right. */
function whyNot(read: Json, schema: Schema): string {
  const checked = contractOf(schema).check(read);
  const isOfKind = typesOf(schema).some((type) => type === kindOf(read));
  if (checked.ok || !isOfKind) return `is not ${contractWords(schema)}`;
  return `does not fit: ${checked.error.map(({ message }) => message).join('; ')}`;
}

/** An exact value wins over a number, and a number over a prefix. */
function chosen(said: string, listed: readonly Json[]): Result<Json, string> {
  const lower = said.toLowerCase();
  const itself = listed.filter((value) => plain(value).toLowerCase() === lower);
  const isNumber = /^\d+$/.test(said) && listed.every((value) => typeof value !== 'number');
  const numbered = isNumber ? listed.slice(Number(said) - 1, Number(said)) : [];
  const begun = said === '' ? [] : listed.filter((value) => plain(value).toLowerCase().startsWith(lower));
  for (const found of [itself, Number(said) > 0 ? numbered : [], begun]) {
    const [only, another] = found;
    if (only !== undefined && another === undefined) return good(only);
  }
  const choices = choicesOf(listed);
  if (said === '') return bad(`an answer is needed: ${choices}`);
  if (begun.length > 1) return bad(`"${shortened(said)}" may be ${begun.map(plain).join(' or ')}`);
  return bad(`"${shortened(said)}" is none of ${choices}`);
}

/** For example `1 open, 2 closed`; numeric values are listed without a number. */
export function choicesOf(listed: readonly Json[]): string {
  const areNumbers = listed.some((value) => typeof value === 'number');
  return listed.map((value, place) => (areNumbers ? plain(value) : `${place + 1} ${plain(value)}`)).join(', ');
}

const SHOWN = 40;

function shortened(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
