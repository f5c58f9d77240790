// graph: draws the graph of a run, or of a template that has not run.
import { existsSync } from 'node:fs';
import { graphOfRun, graphOfTemplate, type RunGraph } from '../../view/graph/export.ts';
import { graphFormats } from '../../view/graph/formats.ts';
import type { Call, Command } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { environmentFlag, loadTemplate, untrustedFlag } from '../load-template.ts';
import { withRun } from '../open-engine.ts';
import { refuse, sayIssues } from '../refuse.ts';
import { storeFlag } from '../store-file.ts';
import { UsageError } from '../usage-error.ts';

const formats = Object.keys(graphFormats);

export const command: Command = {
  arguments: [{ name: 'RUN', description: "The run's id, a unique beginning of it, or latest; or a template file." }],
  flags: [
    { name: '--format <format>', description: `One of ${formats.join(', ')}; by default mermaid.`, choices: formats },
    environmentFlag,
    untrustedFlag,
    storeFlag,
    jsonFlag,
  ],
  examples: [
    { command: 'reconverge graph latest > run.mmd', does: 'write the last run as Mermaid text' },
    { command: 'reconverge graph latest --format svg > run.svg', does: 'write a picture' },
    {
      command: 'reconverge graph templates/recon-then-execute.yaml',
      does: 'draw a template before it has run',
    },
  ],

  async run(call) {
    const format = call.given.text('format') ?? 'json';
    if (call.given.has('json') && format !== 'json')
      throw new UsageError(`--json and --format ${format} contradict each other`);
    const named = call.given.arguments[0] ?? '';
    if (!existsSync(named) && !call.given.has('untrusted'))
      return withRun(call, ({ state }) => draw(call, graphOfRun(state)));
    const loaded = await loadTemplate(call.given, named);
    if (!loaded.ok) return refuse(call, loaded.error);
    if (call.given.has('untrusted')) sayIssues(call.given, loaded.warnings);
    return draw(call, graphOfTemplate(loaded.value));
  },
};

function draw({ given, terminal }: Call, graph: RunGraph): ExitCode {
  const format = given.has('json') ? 'json' : (given.text('format') ?? 'mermaid');
  terminal.write(graphFormats[format]?.(graph) ?? '');
  return exitCodes.done;
}
