// Completion in zsh: commands, flags and values with their descriptions; all other words are files.
import { type CommandCompletion, type FlagCompletion, firstWords, secondWords } from './command-completions.ts';

export function zshCompletion(commands: readonly CommandCompletion[]): string {
  return [
    '#compdef reconverge',
    '# Completion of reconverge in zsh: source <(reconverge completion zsh), after compinit',
    '_reconverge() {',
    '  local -a commands',
    '  local command',
    '  if (( CURRENT == 2 )); then',
    ...described('    ', firstWords(commands)),
    '    return',
    '  fi',
    '  command=$words[2]',
    '  shift words; (( CURRENT-- ))',
    ...[...secondWords(commands)].flatMap(([first, under]) => [
      `  if [[ $command == ${first} ]]; then`,
      '    if (( CURRENT == 2 )); then',
      ...described(
        '      ',
        under.map(({ name, summary }) => ({ name: name.slice(first.length + 1), summary })),
      ),
      '      return',
      '    fi',
      '    command="$command $words[2]"',
      '    shift words; (( CURRENT-- ))',
      '  fi',
    ]),
    '  case $command in',
    ...commands.flatMap(({ name, flags, words }) => [
      `    ${quoted(name)})`,
      '      _arguments -s \\',
      ...flags.flatMap(specsOf).map((spec) => `        ${quoted(spec)} \\`),
      `        ${quoted(words.length === 0 ? '*:file:_files' : `*:argument: _alternative "words\\:word\\:(${words.join(' ')})" "files\\:file\\:_files"`)} ;;`,
    ]),
    '  esac',
    '}',
    'compdef _reconverge reconverge',
    '',
  ].join('\n');
}

function described(margin: string, entries: readonly Pick<CommandCompletion, 'name' | 'summary'>[]): readonly string[] {
  return [
    `${margin}commands=(`,
    ...entries.map(({ name, summary }) => `${margin}  ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`),
    `${margin})`,
    `${margin}_describe command commands`,
  ];
}

function specsOf({ long, short, description, value, choices, repeats }: FlagCompletion): readonly string[] {
  const meaning = description.replace(/[[\]:\\]/g, (character) => `\\${character}`);
  const called = (value ?? '').replaceAll(':', '\\:');
  const taken = value === undefined ? '' : `:${called}:${choices.length === 0 ? '_files' : `(${choices.join(' ')})`}`;
  return (short === undefined ? [long] : [short, long]).map(
    (name) => `${repeats ? '*' : ''}${name}[${meaning}]${taken}`,
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
