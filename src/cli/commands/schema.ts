// schema: the JSON Schemas that outsiders may rely on.
import { readdirSync, readFileSync } from 'node:fs';
import { didYouMean } from '../../base/nearest.ts';
import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { UsageError } from '../usage-error.ts';

/** Beside the sources and beside what is built, as they are published. */
const folder = new URL('../../../schemas/', import.meta.url);
const ENDING = '.schema.json';

export const command: Command = {
  arguments: [{ name: '[FORMAT]', description: 'template (unless said), fragment, scenarios or event.' }],
  flags: [jsonFlag],
  examples: [
    { command: 'reconverge schema > template.schema.json', does: 'for the modeline of a template' },
    { command: 'reconverge schema fragment', does: 'what a planner may answer' },
  ],
  json: { $schema: 'the JSON Schema itself, with or without the flag' },
  exits: ['done', 'usage', 'fault'],
  async run({ given, terminal }) {
    terminal.write(readSchema(given.arguments[0] ?? 'template'));
    return exitCodes.done;
  },
};

/** @throws UsageError for a format that there is none of */
export function readSchema(format: string): string {
  const known = readdirSync(folder)
    .filter((name) => name.endsWith(ENDING))
    .map((name) => name.slice(0, -ENDING.length));
  if (known.includes(format)) return readFileSync(new URL(format + ENDING, folder), 'utf8');
  const hint = didYouMean(format, known) ?? `the formats are ${known.join(', ')}`;
  throw new UsageError(`there is no schema of "${format}"; ${hint}`);
}
