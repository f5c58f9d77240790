// Writes docs/reference/cli: a page for each command, made from the commands' own declarations.
import type { Argument, Command, CommandEntry, Flag } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { exitCodes, exitMeanings } from '../../src/cli/exit-codes.ts';
import { answerSection, shapesSection } from './answer-text.ts';
import { anchorOf, capital, cell, type Pages, page } from './pages.ts';

interface Loaded extends Pick<CommandEntry, 'name' | 'summary'> {
  readonly command: Command;
}

const loaded: readonly Loaded[] = await Promise.all(
  commands.map(async ({ name, summary, load }) => ({ name, summary, ...(await load()) })),
);

/** A page of all commands, one for each command, and one of the shapes that their answers share. */
export function cliReference(): Pages {
  const commandPages = loaded.map((each) => [`cli/${anchorOf(each.name)}.md`, commandPage(each)]);
  return { 'cli/README.md': overview(), ...Object.fromEntries(commandPages), 'cli/shapes.md': shapes() };
}

function overview(): string {
  return page(
    '# The command line',
    '',
    'Answers go to standard output, progress and problems to standard error. Colour is used on terminals only; `NO_COLOR` and',
    '`FORCE_COLOR` are respected. `reconverge COMMAND --help` prints the page of a command.',
    '',
    '| command | does |',
    '|---|---|',
    ...loaded.map(({ name, summary }) => `| [\`${name}\`](${anchorOf(name)}.md) | ${cell(summary)} |`),
    '',
    '## Exit codes',
    '',
    '| code | means |',
    '|---|---|',
    ...Object.entries(exitMeanings).map(
      ([name, meaning]) => `| ${exitCodes[name as keyof typeof exitCodes]} | ${meaning} |`,
    ),
    '',
    '## Environment',
    '',
    '| variable | does |',
    '|---|---|',
    '| `RECONVERGE_STORE` | The store, unless `--store` names one. |',
    '| `RECONVERGE_PARANOID` | `1`: as `--paranoid`, for every command. |',
    '| `NO_COLOR`, `FORCE_COLOR` | No colour; colour also when piped. |',
    '| `RECONVERGE_DEBUG` | Adds to a fault, or to an error that a handler let escape, the place in the source. |',
  );
}

function shapes(): string {
  return page('# Shapes', '', 'The JSON answers of [commands](README.md) share these shapes.', '', ...shapesSection());
}

function commandPage({ name, summary, command }: Loaded): string {
  const words = command.arguments.map((argument) => ` ${argument.name}`).join('');
  return page(
    `# ${name}`,
    '',
    summary,
    '',
    '```sh',
    `reconverge ${name}${words}${command.flags.length === 0 ? '' : ' [FLAGS]'}`,
    '```',
    '',
    ...titled('## Arguments', rows('argument', command.arguments)),
    ...titled(
      '## Examples',
      command.examples.flatMap(({ command: line, does }) => [`${capital(does)}:`, '', '```sh', line, '```', '']),
    ),
    ...titled('## Flags', rows('flag', command.flags)),
    ...titled('## Answer', answerSection(name)),
    'All commands: [the command line](README.md).',
  );
}

function titled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, '', ...lines];
}

function rows(what: string, entries: readonly (Argument | Flag)[]): readonly string[] {
  if (entries.length === 0) return [];
  return [
    `| ${what} | means |`,
    '|---|---|',
    ...entries.map((entry) => `| \`${entry.name}\` | ${cell(entry.description)}${repeated(entry)} |`),
    '',
  ];
}

function repeated(entry: Argument | Flag): string {
  return 'repeats' in entry ? ' May be given more than once.' : '';
}
