// The text of `reconverge --help`.

import { hanging, plainText, span } from '../view/line.ts';
import { wrap } from '../view/wrap.ts';
import { commands } from './commands.ts';
import { allExits, type ExitName, exitCodes, exitMeanings } from './exit-codes.ts';
import { asTyped, programFrom } from './program.ts';

/** Formats the text for a screen of this many columns. */
export function overview(columns: number): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = [
    `Usage: ${programFrom('.')} COMMAND [ARGUMENTS] [FLAGS]`,
    '',
    'Runs plans that grow while they run, within a bound you can read before you spend.',
    '',
    'Commands:',
    ...commands.map(({ name, summary }) => [span(`  ${name.padEnd(width)}  `), hanging(summary)]),
    '',
    'Flags:',
    '  --help     Show this overview, or the help of a command: reconverge run --help',
    '  --version  Print the version.',
    '',
    'To begin:',
    '  reconverge init my-plan && cd my-plan && reconverge run template.yaml',
    '',
    'To read on:',
    '  reconverge docs               List the pages of the documentation.',
    '  reconverge docs STEP_TIMEOUT  Explain a code.',
    '',
    'Exit codes:',
    ...meanings(allExits),
  ];
  return lines
    .flatMap((line) => wrap(typeof line === 'string' ? [span(asTyped(line))] : line, columns))
    .map((line) => `${plainText(line)}\n`)
    .join('');
}

export function meanings(names: readonly ExitName[]): readonly string[] {
  return names.map((name) => `  ${String(exitCodes[name]).padStart(3)}  ${exitMeanings[name]}`);
}
