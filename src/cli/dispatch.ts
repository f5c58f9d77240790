// Calls a command: reads its flags, runs it, and turns each error into a message and an exit code.
import { Console } from 'node:console';
import { CommanderError, Option, Command as Parser } from 'commander';
import { asRefusal, StoreRefused, storeIssue } from '../store/store-refused.ts';
import { copyable, type Line, plainText, span } from '../view/line.ts';
import { wrap } from '../view/wrap.ts';
import type { Command, CommandEntry, Flag, ParsedArguments } from './command.ts';
import { commands } from './commands.ts';
import { type ExitCode, exitCodes, usualExits } from './exit-codes.ts';
import { meanings } from './overview.ts';
import { asTyped, programFrom } from './program.ts';
import { refuse } from './refuse.ts';
import { commandLine, storeFile, storeName } from './store-file.ts';
import { columnsOf, openTerminal, type Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

export async function dispatch(entry: CommandEntry, words: readonly string[]): Promise<ExitCode> {
  const terminal = openTerminal(process.stdout, process.stderr);
  // Modules of templates may print: that output goes to standard error, since standard output is for the command's answer.
  globalThis.console = new Console(process.stderr);
  const parser = new Parser(`reconverge ${entry.name}`);
  const given = givenTo(parser);
  try {
    const { command } = await entry.load();
    const answer = words.includes('--help') ? await answerOf(entry.name) : [];
    declare(parser, entry, command, answer).parse(words.map(asWord), { from: 'user' });
    return await command.run({ given, terminal });
  } catch (error) {
    // The parser has already printed its error or the help text.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    return await explain(error, entry, given, terminal);
  }
}

/** A dash before a space begins a list item, not a flag. */
function asWord(word: string): string {
  return /^-+\s/.test(word) ? ` ${word}` : word;
}

/** The lines of `--help` that describe the JSON answer. */
async function answerOf(name: string): Promise<readonly string[]> {
  const { answers } = await import('./generated-answers.ts');
  return answers[name] ?? [];
}

function declare(parser: Parser, { name, summary }: CommandEntry, command: Command, answer: readonly string[]): Parser {
  parser.description(summary).exitOverride();
  for (const argument of command.arguments) {
    const optional = argument.name.startsWith('[');
    parser.argument(optional ? argument.name : `<${argument.name}>`, argument.description);
  }
  for (const flag of command.flags) parser.addOption(optionOf(flag));
  return parser
    .helpOption('--help', 'Show this help.')
    .addHelpText('after', ({ error }) => helpTail(command, answer, columnsOf(error ? process.stderr : process.stdout)))
    .showHelpAfterError(`see: ${programFrom('.')} ${name} --help`);
}

function optionOf({ name, description, choices, repeats }: Flag): Option {
  const option = new Option(name, description);
  if (choices !== undefined) option.choices(choices);
  if (repeats) option.argParser((value: string, before: readonly string[] = []) => [...before, value]);
  return option;
}

function helpTail({ examples, exits = usualExits }: Command, answer: readonly string[], columns: number): string {
  const lines: readonly Line[] = [
    [],
    [span('Examples:')],
    ...examples.flatMap(({ command, does }) => [[span(`  # ${does}`)], [span('  '), copyable(asTyped(command))]]),
    ...(answer.length === 0 ? [] : [[], ...answer.map((line) => [span(line)])]),
    [],
    [span('Exit codes:')],
    ...meanings(exits).map((text) => [span(text)]),
  ];
  return lines
    .flatMap((line) => wrap(line, columns))
    .map(plainText)
    .join('\n');
}

function givenTo(parser: Parser): ParsedArguments {
  /** The parser keeps `--with-failures` under `withFailures`. */
  const read = (flag: string): unknown =>
    parser.getOptionValue(flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()));
  return {
    commands,
    get arguments() {
      return parser.args;
    },
    text: (flag) => {
      const value = read(flag);
      return typeof value === 'string' ? value : undefined;
    },
    all: (flag) => {
      const value = read(flag);
      return Array.isArray(value) ? value.map(String) : [];
    },
    has: (flag) => read(flag) !== undefined && read(flag) !== false,
  };
}

/** Errors that a user can fix are shown without a stack; all other errors are bugs. */
async function explain(
  error: unknown,
  { name }: CommandEntry,
  given: ParsedArguments,
  terminal: Terminal,
): Promise<ExitCode> {
  if (error instanceof UsageError) {
    terminal.say([
      [span('error', 'bad'), span(`: ${error.message}`)],
      [span('see: '), copyable(`${programFrom('.')} ${name} --help`)],
    ]);
    return exitCodes.usage;
  }
  const refusal = asRefusal(error, storeFile(given));
  if (refusal instanceof StoreRefused) return refuse({ given, terminal }, [storeIssue(refusal)]);
  const { boundary } = await import('../runtime/ports/boundary.ts');
  const { redactText } = boundary(process.env);
  const message = redactText(error instanceof Error ? error.message : String(error));
  terminal.say([
    [span('fault', 'bad'), span(`: ${message}`)],
    [span('This is a bug in reconverge, not in your template. Nothing that was recorded is lost.')],
    [
      span(`The journal is at ${storeName(given)}; a run that stopped goes on with: `),
      copyable(commandLine(given, 'resume', 'RUN')),
    ],
    [span('RECONVERGE_DEBUG=1 shows where it happened.')],
  ]);
  if (process.env.RECONVERGE_DEBUG !== undefined && error instanceof Error)
    process.stderr.write(`${redactText(error.stack ?? '')}\n`);
  return exitCodes.fault;
}
