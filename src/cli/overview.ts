// What `reconverge --help` says.
import { commands } from './commands.ts';
import { allExits, type ExitName, exitCodes, exitMeanings } from './exit-codes.ts';

export function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    'Usage: reconverge COMMAND [ARGUMENTS] [FLAGS]',
    '',
    'Runs plans that grow while they run, within a bound you can read before you spend.',
    '',
    'Commands:',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'Flags:',
    '  --help     Of this overview, or of a command: reconverge run --help',
    '  --version  Which version this is.',
    '',
    'To begin:',
    '  reconverge init my-plan && cd my-plan && reconverge run template.yaml',
    '',
    'Exit codes:',
    ...meanings(allExits),
    '',
  ].join('\n');
}

export function meanings(names: readonly ExitName[]): readonly string[] {
  return names.map((name) => `  ${String(exitCodes[name]).padStart(3)}  ${exitMeanings[name]}`);
}
