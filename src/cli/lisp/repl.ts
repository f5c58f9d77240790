// The REPL: reads typed or piped forms until standard input ends, and prints their values or the documentation of a name.
import { createInterface, type Interface } from 'node:readline';
import { type Issue, issue } from '../../base/issue.ts';
import type { JsonObject } from '../../base/json.ts';
import { deadlineFrom } from '../../lisp/deadline.ts';
import type { Form } from '../../lisp/form.ts';
import type { Limits } from '../../lisp/limits.ts';
import { ednOutcome, toJson } from '../../lisp/to-json.ts';
import type { Value } from '../../lisp/value.ts';
import { issuesToJson } from '../../template/diagnostic.ts';
import { span } from '../../view/line.ts';
import type { Call } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { sayIssues } from '../refuse.ts';
import { complete, docText, nameAsked } from './doc.ts';
import { readInput, type SourceText, textOfForm } from './input.ts';
import { type LispSession, openSession } from './session.ts';

/** The name of the session's text in messages. */
const FILE = 'input';
const PROMPT = 'lisp> ';
const MORE = '  ..> ';

const GREETING = 'The Lisp of Reconverge. :help says more, Ctrl-D leaves.';
const HELP = [
  'Type a form; it may go over several lines. What def and defn make stays.',
  '  (doc name)   arguments, price and an example of a name',
  '  *1 *2 *3     the last values',
  '  data/x       the key x of the --data file',
  '  Tab          completes names',
  '  Ctrl-C       drops what is typed so far',
  '  Ctrl-D       leaves, as does :quit',
];

/** Prompts only at a terminal; in a pipe, the exit code is 1 when a form failed. */
export async function repl(call: Call, data: JsonObject, limits: Limits): Promise<ExitCode> {
  const { given, terminal } = call;
  const session = openSession(FILE, data, limits);
  const names = (): readonly string[] => [...session.names(), ...Object.keys(data).map((key) => `data/${key}`)];
  const person = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const reader = openReader(person, names);

  const lines: string[] = [];
  let failed = false;
  /** The number of processed lines; later lines belong to an unfinished form. */
  let dealt = 0;
  const pending = (): SourceText => ({ text: lines.slice(dealt).join('\n'), line: dealt + 1 });
  const refuse = (issues: readonly Issue[]): void => {
    if (issues.length === 0) return;
    failed = true;
    if (given.has('json')) terminal.jsonLine({ issues: issuesToJson(issues) });
    else sayIssues(given, issues, { [FILE]: lines.join('\n') });
  };
  const ask = (prompt: string): void => {
    reader.setPrompt(prompt);
    if (person) reader.prompt();
  };

  reader.on('SIGINT', () => {
    // Moves to the end of the line, then deletes the line up to there.
    reader.write(null, { ctrl: true, name: 'e' });
    reader.write(null, { ctrl: true, name: 'u' });
    dealt = lines.length;
    ask(PROMPT);
  });
  if (person) terminal.say([[span(GREETING, 'dim')]]);
  ask(PROMPT);
  for await (const line of reader) {
    lines.push(line);
    const source = pending();
    const order = source.text.trim();
    if (order === ':quit') break;
    const input = readInput(source, FILE, limits);
    if (input.kind === 'unfinished') {
      ask(MORE);
      continue;
    }
    if (order === ':help') terminal.say(HELP.map((text) => [span(text)]));
    else refuse(input.kind === 'forms' ? answer(call, session, source, input.forms) : [input.issue]);
    dealt = lines.length;
    ask(PROMPT);
  }
  if (person) {
    process.stderr.write('\n');
    return exitCodes.done;
  }
  const left = readInput(pending(), FILE, limits);
  if (left.kind === 'unfinished') refuse([left.issue]);
  return failed ? exitCodes.issues : exitCodes.done;
}

function openReader(person: boolean, names: () => readonly string[]): Interface {
  const input = process.stdin;
  if (!person) return createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  return createInterface({
    input,
    output: process.stderr,
    terminal: true,
    historySize: 1_000,
    completer: (line: string) => complete(line, names()),
  });
}

/** Evaluates form by form, stops at the first failure, and returns its issues. */
function answer(call: Call, session: LispSession, source: SourceText, forms: readonly Form[]): readonly Issue[] {
  for (const form of forms) {
    const issues = answerForm(call, session, source, form);
    if (issues.length > 0) return issues;
  }
  return [];
}

function answerForm(call: Call, session: LispSession, source: SourceText, form: Form): readonly Issue[] {
  const asked = nameAsked(form);
  const doc = asked === undefined ? undefined : (session.definitionOf(asked.name) ?? docText(asked.name));
  if (doc !== undefined) {
    printDoc(call, doc);
    return [];
  }
  // An unknown name in `(doc name)` gives the same issue as an unknown name anywhere else.
  const reply = session.evaluate(textOfForm(source, asked ?? form), asked ?? form);
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
