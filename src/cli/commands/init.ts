// init: writes a working template with a handler, data and a test, as a start for the user's own.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { issue } from '../../base/issue.ts';
import { copyable, span } from '../../view/line.ts';
import type { InitAnswer } from '../answers/authoring.schema.ts';
import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { refuse } from '../refuse.ts';
import { starter } from '../starter.ts';
import { programFrom } from '../store-file.ts';
import { readSchema } from './schema.ts';

export const command: Command = {
  arguments: [{ name: '[DIR]', description: 'The folder to write to; by default this one. Nothing is overwritten.' }],
  flags: [jsonFlag],
  examples: [
    {
      command: 'reconverge init my-plan && cd my-plan && reconverge run template.yaml',
      does: 'write a template and run it',
    },
  ],

  async run(call) {
    const folder = call.given.arguments[0] ?? '.';
    const files = {
      ...starter,
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
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text, { flag: 'wx' });
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return refuse(call, [
        issue('FOLDER_UNWRITABLE', `cannot write to ${folder}: ${why}`, { hint: 'choose a folder you may write to' }),
      ]);
    }
    if (call.given.has('json')) call.terminal.json({ folder, files: paths } satisfies InitAnswer);
    else call.terminal.print(paths.map((path) => [span(`wrote ${join(folder, path)}`)]));
    const go = folder === '.' ? '' : `cd ${folder} && `;
    call.terminal.say([[span('now try: ', 'dim'), copyable(`${go}${programFrom(folder)} run template.yaml`, 'dim')]]);
    return exitCodes.done;
  },
};
