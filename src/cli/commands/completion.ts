// completion: prints the script with which a shell completes commands, flags and their values.
import type { CompletionAnswer } from '../answers/authoring.schema.ts';
import type { Command } from '../command.ts';
import { bashCompletion } from '../completion/bash.ts';
import { type CommandCompletion, completedCommands } from '../completion/command-completions.ts';
import { fishCompletion } from '../completion/fish.ts';
import { zshCompletion } from '../completion/zsh.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { UsageError } from '../usage-error.ts';

const shells: Readonly<Record<string, (commands: readonly CommandCompletion[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

const names = Object.keys(shells);

export const command: Command = {
  arguments: [{ name: 'SHELL', description: `${names.join(', ')}.`, choices: names }],
  flags: [jsonFlag],
  examples: [
    { command: 'eval "$(reconverge completion bash)"', does: 'in ~/.bashrc' },
    { command: 'source <(reconverge completion zsh)', does: 'in ~/.zshrc, after compinit' },
    {
      command: 'reconverge completion fish > ~/.config/fish/completions/reconverge.fish',
      does: 'for every new fish shell',
    },
  ],

  exits: ['done', 'usage', 'fault'],
  async run({ given, terminal }) {
    const shell = given.arguments[0] ?? '';
    const write = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
    if (write === undefined)
      throw new UsageError(`there is no completion for "${shell}"; the shells are ${names.join(', ')}`);
    const script = write(await completedCommands(given.commands));
    if (given.has('json')) terminal.json({ shell, script } satisfies CompletionAnswer);
    else terminal.write(script);
    return exitCodes.done;
  },
};
