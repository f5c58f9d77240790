// What the REPL answers to forms: their values, or what a name is for.
import { type Issue, issue } from '../../base/issue.ts';
import { deadlineFrom } from '../../lisp/deadline.ts';
import type { Form } from '../../lisp/form.ts';
import type { Limits } from '../../lisp/limits.ts';
import { ednOutcome, toJson } from '../../lisp/to-json.ts';
import type { Value } from '../../lisp/value.ts';
import { span } from '../../view/line.ts';
import type { Call } from '../command.ts';
import { docText, nameAsked } from './doc.ts';
import { type Piece, pieceOf } from './input.ts';
import type { Session } from './session.ts';

/** Form by form; stops at the first that fails, and gives what is wrong with it. */
export function answer(call: Call, session: Session, piece: Piece, forms: readonly Form[]): readonly Issue[] {
  for (const form of forms) {
    const issues = answerForm(call, session, piece, form);
    if (issues.length > 0) return issues;
  }
  return [];
}

function answerForm(call: Call, session: Session, piece: Piece, form: Form): readonly Issue[] {
  const asked = nameAsked(form);
  const doc = asked === undefined ? undefined : (session.definitionOf(asked.name) ?? docText(asked.name));
  if (doc !== undefined) {
    printDoc(call, doc);
    return [];
  }
  // A name that nobody knows is wrong in the way it is everywhere.
  const reply = session.evaluate(pieceOf(piece, asked ?? form), asked ?? form);
  return reply.ok ? printValue(call, reply.value, session.limits) : reply.error;
}

function printDoc({ given, terminal }: Call, doc: string): void {
  if (given.has('json')) terminal.jsonLine({ doc });
  else terminal.print(doc.split('\n').map((line) => [span(line)]));
}

/** EDN, as a Lisper reads it, unless JSON is asked for; which cannot hold everything. */
function printValue({ given, terminal }: Call, value: Value, limits: Limits): readonly Issue[] {
  const bounds = { limits, ...deadlineFrom(() => performance.now(), limits) };
  if (given.has('json') && !given.has('edn')) {
    const json = toJson(value, bounds);
    if (!json.ok) return [issue(json.code, json.message, { hint: json.hint ?? '--edn shows every value' })];
    terminal.jsonLine({ value: json.value });
    return [];
  }
  const edn = ednOutcome(value, bounds);
  if (!edn.ok) return [issue(edn.code, edn.message, { hint: edn.hint })];
  if (given.has('json')) terminal.jsonLine({ edn: edn.text });
  // Text from data cannot steer a screen; a pipe gets it as it is.
  else if (process.stdout.isTTY === true) terminal.print([[span(edn.text)]]);
  else terminal.write(`${edn.text}\n`);
  return [];
}
