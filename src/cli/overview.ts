// What `reconverge --help` says.
import { commands } from './commands.ts';
import { exitCodes, exitMeanings } from './exit-codes.ts';

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
    ...meanings(),
    '',
  ].join('\n');
}

export function meanings(): readonly string[] {
  return Object.entries(exitMeanings).map(([name, meaning]) => {
    const code = exitCodes[name as keyof typeof exitCodes];
    return `  ${String(code).padStart(3)}  ${meaning}`;
  });
}
