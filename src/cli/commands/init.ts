// init: writes a working template as a start for the user's own: a small one, or a copy of one of the gallery.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileReason } from '../../base/file-reason.ts';
import { issue } from '../../base/issue.ts';
import { didYouMean } from '../../base/nearest.ts';
import { copyable, type Line, span } from '../../view/line.ts';
import type { GalleryAnswer, InitAnswer } from '../answers/authoring.schema.ts';
import type { Call, Command } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type GalleryEntry, gallery } from '../gallery/entries.ts';
import { galleryFiles } from '../gallery/gallery-files.ts';
import { jsonFlag } from '../json-flag.ts';
import { programFrom } from '../program.ts';
import { refuse } from '../refuse.ts';
import { starterFiles } from '../starter.ts';
import { UsageError } from '../usage-error.ts';
import { readSchema } from './schema.ts';

const names = gallery.map(({ name }) => name);

export const command: Command = {
  arguments: [
    {
      name: '[DIR]',
      description:
        'The folder to write to; by default this one, and with --from a folder with the name of the template. Nothing is overwritten.',
    },
  ],
  flags: [
    {
      name: '--from <name>',
      description: 'Copy this template of the gallery with its data and its page; --list names them.',
      suggestions: names,
    },
    { name: '--list', description: 'List the templates of the gallery.' },
    jsonFlag,
  ],
  examples: [
    {
      command: 'reconverge init my-plan && cd my-plan && reconverge run template.yaml',
      does: 'write a template and run it',
    },
    { command: 'reconverge init --list', does: 'list the templates that solve a whole task' },
    {
      command: 'reconverge init --from ci-failure && cd ci-failure && reconverge run template.yaml',
      does: 'copy one of them with its data, and run it',
    },
    { command: 'reconverge init --from repository-map map', does: 'copy it into the folder map' },
  ],

  async run(call) {
    const { given, terminal } = call;
    if (given.has('list')) {
      const templates = gallery.map(({ name, summary }) => ({ name, summary }));
      if (given.has('json')) terminal.json({ templates } satisfies GalleryAnswer);
      else terminal.print(gallery.map(listLine));
      return exitCodes.done;
    }
    const from = given.text('from');
    const entry = from === undefined ? undefined : entryOf(from);
    const folder = given.arguments[0] ?? entry?.name ?? '.';
    return writeFiles(call, folder, entry);
  },
};

function listLine({ name, summary }: GalleryEntry): Line {
  const width = Math.max(...names.map((each) => each.length));
  return [span(name.padEnd(width), 'strong'), span(`  ${summary}`)];
}

/** @throws UsageError for an unknown name */
function entryOf(name: string): GalleryEntry {
  const found = gallery.find((each) => each.name === name);
  if (found !== undefined) return found;
  const hint = didYouMean(name, names) ?? `the templates are ${names.join(', ')}`;
  throw new UsageError(`there is no template "${name}" in the gallery; ${hint}`);
}

function writeFiles(call: Call, folder: string, entry: GalleryEntry | undefined): ExitCode {
  const files: Readonly<Record<string, string | Buffer>> = {
    ...(entry === undefined ? starterFiles(programFrom(folder)) : galleryFiles(entry)),
    'template.schema.json': readSchema('template'),
    'scenarios.schema.json': readSchema('scenarios'),
  };
  const paths = Object.keys(files);
  const taken = paths.filter((path) => existsSync(join(folder, path)));
  if (taken.length > 0) {
    return refuse(
      call,
      taken.map((path) =>
        issue('FILE_EXISTS', `${join(folder, path)} is there already`, {
          hint: 'choose another folder, or move it away',
        }),
      ),
    );
  }
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content, { flag: 'wx' });
    }
  } catch (error) {
    return refuse(call, [
      issue('FOLDER_UNWRITABLE', `cannot write to ${folder}: ${fileReason(error)}`, {
        hint: 'choose a folder you may write to',
      }),
    ]);
  }
  if (call.given.has('json')) call.terminal.json({ folder, files: paths } satisfies InitAnswer);
  else call.terminal.print(paths.map((path) => [span(`wrote ${join(folder, path)}`)]));
  const [first = '', ...more] = (entry?.commands ?? ['run template.yaml']).map(
    (words) => `${programFrom(folder)} ${words}`,
  );
  const go = folder === '.' ? '' : `cd ${folder} && `;
  call.terminal.say([
    [span('now try: ', 'dim'), copyable(`${go}${first}`, 'dim')],
    ...more.map((words) => [span('         ', 'dim'), copyable(words, 'dim')]),
  ]);
  return exitCodes.done;
}
