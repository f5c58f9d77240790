// A command of the command line: its arguments, its flags, its answers and its code.
import type { ExitCode, ExitName } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

export interface Argument {
  /** For example `TEMPLATE`, `FILE...` (one or more) or `[DIR]` (optional). */
  readonly name: string;
  readonly description: string;
  /** The words that the argument may be. */
  readonly choices?: readonly string[];
}

export interface Flag {
  /** For example `--quiet`, `--store <file>` (takes a value) or `-e, --eval <expr>` (has a short form). */
  readonly name: string;
  readonly description: string;
  readonly choices?: readonly string[];
  /** Words that the shell completes; the command itself refuses other words, with the nearest one. */
  readonly suggestions?: readonly string[];
  /** May be given more than once. */
  readonly repeats?: true;
}

interface Example {
  readonly command: string;
  readonly does: string;
}

/** The parsed words of a call. */
export interface ParsedArguments {
  /** The rows of all commands. */
  readonly commands: readonly CommandEntry[];
  readonly arguments: readonly string[];
  text(flag: string): string | undefined;
  all(flag: string): readonly string[];
  has(flag: string): boolean;
}

export interface Call {
  readonly given: ParsedArguments;
  readonly terminal: Terminal;
}

export interface Command {
  readonly arguments: readonly Argument[];
  readonly flags: readonly Flag[];
  readonly examples: readonly Example[];
  /** The ways the command may end; `usualExits` by default. */
  readonly exits?: readonly ExitName[];
  run(call: Call): Promise<ExitCode>;
}

/** A row of the list of commands. */
export interface CommandEntry {
  /** One word or two, like `plan run`. */
  readonly name: string;
  readonly summary: string;
  /** Flags that a hint to this command repeats, so that the hinted command finds the same store and the same recording. */
  readonly carries?: readonly ('store' | 'replay')[];
  load(): Promise<{ readonly command: Command }>;
}
