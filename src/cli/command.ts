// A command of the command line: what it is called with, what it answers, and what it does.
import type { ExitCode, ExitName } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

export interface Argument {
  /** `TEMPLATE`, `FILE...` (one or more), `[DIR]` (may be left out). */
  readonly name: string;
  readonly description: string;
  /** Words that it may be. */
  readonly choices?: readonly string[];
}

export interface Flag {
  /** `--quiet`, or with its value `--store <file>`; a short form goes before it: `-e, --eval <expr>`. */
  readonly name: string;
  readonly description: string;
  readonly choices?: readonly string[];
  /** May be given more than once. */
  readonly repeats?: true;
}

interface Example {
  readonly command: string;
  readonly does: string;
}

/** The words of a call, parsed. */
export interface Given {
  /** The rows of all commands. */
  readonly commands: readonly CommandEntry[];
  readonly arguments: readonly string[];
  text(flag: string): string | undefined;
  all(flag: string): readonly string[];
  has(flag: string): boolean;
}

export interface Call {
  readonly given: Given;
  readonly terminal: Terminal;
}

export interface Command {
  readonly arguments: readonly Argument[];
  readonly flags: readonly Flag[];
  readonly examples: readonly Example[];
  /** How it may end; the usual ways unless said. */
  readonly exits?: readonly ExitName[];
  run(call: Call): Promise<ExitCode>;
}

/** A row of the list of commands. */
export interface CommandEntry {
  /** One word, or two: `plan run`. */
  readonly name: string;
  readonly summary: string;
  /** Flags that a hint to call this command repeats, so that it finds the same store and the same recording. */
  readonly carries?: readonly ('store' | 'replay')[];
  load(): Promise<{ readonly command: Command }>;
}
