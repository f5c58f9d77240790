// Answers the forms typed into the REPL: prints their values, or the documentation of a name.
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

/** Evaluates form by form, stops at the first failure, and returns its issues. */
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
  // An unknown name in `(doc name)` gives the same issue as an unknown name anywhere else.
  const reply = session.evaluate(pieceOf(piece, asked ?? form), asked ?? form);
  return reply.ok ? printValue(call, reply.value, session.limits) : reply.error;
}

function printDoc({ given, terminal }: Call, doc: string): void {
  if (given.has('json')) terminal.jsonLine({ doc });
  else terminal.print(doc.split('\n').map((line) => [span(line)]));
}

/** Prints EDN by default and JSON on request; JSON cannot express every value. */
function printValue({ given, terminal }: Call, value: Value, limits: Limits): readonly Issue[] {
  const bounds = { limits, ...deadlineFrom(() => performance.now(), limits) };
  if (given.has('json') && !given.has('edn')) {
    const json = toJson(value, bounds);
    if (!json.ok) {
      const { code, message, hint = '--edn shows every value' } = json.error;
      return [issue(code, message, { hint })];
    }
    terminal.jsonLine({ value: json.value });
    return [];
  }
  const edn = ednOutcome(value, bounds);
  if (!edn.ok) return [issue(edn.error.code, edn.error.message, { hint: edn.error.hint })];
  if (given.has('json')) terminal.jsonLine({ edn: edn.value });
  // On a screen, text from data must not be able to send control sequences; a pipe gets the text unchanged.
  else if (process.stdout.isTTY === true) terminal.print([[span(edn.value)]]);
  else terminal.write(`${edn.value}\n`);
  return [];
}
