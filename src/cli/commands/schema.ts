// schema: prints the published JSON Schemas.
import { readdirSync, readFileSync } from 'node:fs';
import { didYouMean } from '../../base/nearest.ts';
import { installation } from '../../capabilities/installation.ts';
import type { Command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { liveFlag, loadDeclarations, notCheckedIn, untrustedFlag } from '../load-template.ts';
import { refuse, sayIssues } from '../refuse.ts';
import { UsageError } from '../usage-error.ts';

/** The schemas as they are published. */
const folder = new URL('schemas/', installation);
const ENDING = '.schema.json';

export const command: Command = {
  arguments: [
    {
      name: '[FORMAT]',
      description: 'The format; by default template.',
      choices: ['template', 'fragment', 'scenarios', 'event'],
    },
  ],
  flags: [
    {
      name: '--with-capabilities <template>',
      description:
        'For template and fragment: include the names and inputs of the capabilities that this template grants, so that editors complete them.',
    },
    liveFlag,
    untrustedFlag,
    jsonFlag,
  ],
  examples: [
    { command: 'reconverge schema > template.schema.json', does: 'write the schema for editors' },
    {
      command: 'reconverge schema --with-capabilities plan.yaml > template.schema.json',
      does: 'include the capabilities of plan.yaml',
    },
    {
      command: 'reconverge schema --with-capabilities plan.yaml --untrusted > template.schema.json',
      does: 'do so without loading the modules of plan.yaml; names that they may define are not checked',
    },
    { command: 'reconverge schema fragment', does: 'print the schema of plans' },
  ],

  exits: ['done', 'issues', 'usage', 'fault'],
  async run(call) {
    const { given, terminal } = call;
    const format = given.arguments[0] ?? 'template';
    const schema = readSchema(format);
    const granting = given.text('withCapabilities');
    if (granting === undefined) {
      terminal.write(schema);
      return exitCodes.done;
    }
    if (!ofSteps.includes(format)) throw new UsageError(`the schema of a ${format} names no capabilities`);
    const granted = await loadDeclarations(given, granting);
    if (!granted.ok) return refuse(call, granted.error);
    const { schemaWithCapabilities } = await import('../../template/schema/granted.ts');
    const notChecked = notCheckedIn(given, granted.warnings);
    sayIssues(given, notChecked);
    terminal.json(schemaWithCapabilities(JSON.parse(schema), granted.value, notChecked.length === 0));
    return exitCodes.done;
  },
};

/** Formats whose steps call capabilities. */
const ofSteps: readonly string[] = ['template', 'fragment'];

/** @throws UsageError for an unknown format */
export function readSchema(format: string): string {
  const known = readdirSync(folder)
    .filter((name) => name.endsWith(ENDING))
    .map((name) => name.slice(0, -ENDING.length));
  if (known.includes(format)) return readFileSync(new URL(format + ENDING, folder), 'utf8');
  const hint = didYouMean(format, known) ?? `the formats are ${known.join(', ')}`;
  throw new UsageError(`there is no schema of "${format}"; ${hint}`);
}
