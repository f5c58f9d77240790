// The data for shell completion: each command's flags, the flags that take a value, and the words that are values.
import { defined } from '../../base/json.ts';
import type { Command, CommandEntry, Flag } from '../command.ts';

export interface FlagCompletion {
  /** For example `--format`. */
  readonly long: string;
  /** For example `-e`. */
  readonly short?: string;
  readonly description: string;
  /** The name of the flag's value; absent for a flag without a value. */
  readonly value?: string;
  readonly choices: readonly string[];
  readonly repeats: boolean;
}

export interface CommandCompletion {
  /** One word or two. */
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly FlagCompletion[];
  /** The words, besides files, that may be arguments. */
  readonly words: readonly string[];
}

/** Every command has this flag. */
const help: Flag = { name: '--help', description: 'Show this help.' };

export async function completedCommands(entries: readonly CommandEntry[]): Promise<readonly CommandCompletion[]> {
  return Promise.all(
    entries.map(async ({ name, summary, load }) => {
      const { command } = await load();
      return { name, summary, flags: [...command.flags, help].map(flagOf), words: wordsOf(command) };
    }),
  );
}

/** The possible first words: commands of one word, and the first words of commands of two. */
export function firstWords(
  commands: readonly CommandCompletion[],
): readonly Pick<CommandCompletion, 'name' | 'summary'>[] {
  const singles = commands.filter(({ name }) => !name.includes(' '));
  return [
    ...singles,
    ...[...secondWords(commands)].map(([name, under]) => ({
      name,
      summary: under.map(({ summary }) => summary).join(' '),
    })),
  ];
}

/** The second words of two-word commands, by their first word. */
export function secondWords(commands: readonly CommandCompletion[]): ReadonlyMap<string, readonly CommandCompletion[]> {
  return Map.groupBy(
    commands.filter(({ name }) => name.includes(' ')),
    ({ name }) => name.slice(0, name.indexOf(' ')),
  );
}

function flagOf({ name, description, choices, suggestions = [], repeats }: Flag): FlagCompletion {
  const [, short, long = '', value] = /^(?:(-\w), )?(--[\w-]+)(?: <(.+)>| \[.+\])?$/.exec(name) ?? [];
  return {
    long,
    ...defined({ short }),
    description,
    ...defined({ value }),
    choices: choices ?? suggestions,
    repeats: repeats === true,
  };
}

function wordsOf(command: Command): readonly string[] {
  return command.arguments.flatMap(({ name, choices = [] }) =>
    /^\[?(RUN|OTHER)\b/.test(name) ? ['latest', ...choices] : choices,
  );
}
