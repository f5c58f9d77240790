// Completion in fish: commands, flags and values with their descriptions; all other words are files.
import { type CommandCompletion, type FlagCompletion, firstWords, secondWords } from './command-completions.ts';

export function fishCompletion(commands: readonly CommandCompletion[]): string {
  return [
    '# Completion of reconverge in fish: reconverge completion fish | source',
    'function __reconverge_is --description "Whether the command begins with these words"',
    '    set -l said (commandline -opc)[2..]',
    '    test (count $said) -ge (count $argv); or return 1',
    '    test (count $argv) -eq 0; and return',
    '    set -l begun $said[1..(count $argv)]',
    '    test "$begun" = "$argv"',
    'end',
    'complete -c reconverge -f -n "test (count (commandline -opc)) -eq 1" -l help -d "Of the overview, or of a command."',
    'complete -c reconverge -f -n "test (count (commandline -opc)) -eq 1" -l version -d "Which version this is."',
    ...firstWords(commands).map(({ name, summary }) => wordAt(1, '', name, summary)),
    ...[...secondWords(commands)].flatMap(([first, under]) =>
      under.map(({ name, summary }) => wordAt(2, first, name.slice(first.length + 1), summary)),
    ),
    ...commands.flatMap(({ name, flags, words }) => [
      ...flags.map((flag) => flagLine(name, flag)),
      ...(words.length === 0 ? [] : [`complete -c reconverge -n '__reconverge_is ${name}' -a '${words.join(' ')}'`]),
    ]),
    '',
  ].join('\n');
}

function wordAt(at: number, behind: string, word: string, summary: string): string {
  return `complete -c reconverge -f -n 'test (count (commandline -opc)) -eq ${at}; and __reconverge_is ${behind}' -a ${word} -d ${quoted(summary)}`;
}

function flagLine(command: string, { long, short, description, value, choices }: FlagCompletion): string {
  const names = `${short === undefined ? '' : `-s ${short.slice(1)} `}-l ${long.slice(2)}`;
  const taken = value === undefined ? '' : choices.length === 0 ? ' -r -F' : ` -x -a '${choices.join(' ')}'`;
  return `complete -c reconverge -n '__reconverge_is ${command}' ${names}${taken} -d ${quoted(description)}`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, (character) => `\\${character}`)}'`;
}
