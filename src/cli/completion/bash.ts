// Completion in bash: a function that knows the commands, their flags and the values of flags; all other words are files.
import { type CommandCompletion, type FlagCompletion, firstWords, secondWords } from './command-completions.ts';

export function bashCompletion(commands: readonly CommandCompletion[]): string {
  const pairs = [...secondWords(commands)];
  return [
    '# Completion of reconverge in bash: eval "$(reconverge completion bash)"',
    '_reconverge() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"',
    '  local command="${COMP_WORDS[1]}" flags= words= valued= at=2',
    '  COMPREPLY=()',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W '${firstWords(commands)
      .map(({ name }) => name)
      .join(' ')} --help --version' -- "$current"))`,
    '    return',
    '  fi',
    ...(pairs.length === 0
      ? []
      : [
          '  case "$command" in',
          ...pairs.flatMap(([first, under]) => [
            `    ${first})`,
            '      if [ "$COMP_CWORD" -eq 2 ]; then',
            `        COMPREPLY=($(compgen -W '${under.map(({ name }) => name.slice(first.length + 1)).join(' ')}' -- "$current"))`,
            '        return',
            '      fi',
            '      command="$command ${COMP_WORDS[2]}" ;;',
          ]),
          '  esac',
        ]),
    '  case "$command" in',
    ...commands.flatMap(caseOf),
    '  esac',
    '  case " $valued " in *" $before "*) return ;; esac',
    '  case "$current" in',
    '    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;',
    '    *) COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current")) ;;',
    '  esac',
    '}',
    'complete -o filenames -o bashdefault -o default -F _reconverge reconverge',
    '',
  ].join('\n');
}

function caseOf({ name, flags, words }: CommandCompletion): readonly string[] {
  const chosen = flags.filter(({ choices }) => choices.length > 0);
  return [
    `    '${name}')`,
    `      flags='${flags.flatMap(namesOf).join(' ')}'`,
    ...(words.length === 0 ? [] : [`      words='${words.join(' ')}'`]),
    `      valued='${flags
      .filter(({ value }) => value !== undefined)
      .flatMap(namesOf)
      .join(' ')}'`,
    ...(chosen.length === 0
      ? ['      ;;']
      : [
          '      case "$before" in',
          ...chosen.map(
            (flag) =>
              `        ${namesOf(flag).join('|')}) COMPREPLY=($(compgen -W '${flag.choices.join(' ')}' -- "$current")) ; return ;;`,
          ),
          '      esac ;;',
        ]),
  ];
}

function namesOf({ long, short }: FlagCompletion): readonly string[] {
  return short === undefined ? [long] : [short, long];
}
