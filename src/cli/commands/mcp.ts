// mcp: serves templates as the tools of an MCP server, so that assistants can run them.
import type { Issue } from '../../base/issue.ts';
import { readDuration } from '../../base/quantity.ts';
import type { Template } from '../../template/template.ts';
import { span } from '../../view/line.ts';
import type { ServedToolsAnswer } from '../answers/authoring.schema.ts';
import type { Call, Command } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { loadTemplate } from '../load-template.ts';
import { runTools } from '../mcp/run-tools.ts';
import { type ServedTemplate, servedTemplates } from '../mcp/served-templates.ts';
import { durabilityFlags, withEngine } from '../open-engine.ts';
import { projectTemplates } from '../project-templates.ts';
import { refuse } from '../refuse.ts';
import { storeFlag } from '../store-file.ts';
import { UsageError } from '../usage-error.ts';

export const command: Command = {
  arguments: [
    {
      name: '[TEMPLATE...]',
      description: 'Template files; by default template.yaml and the folder templates.',
    },
  ],
  flags: [
    {
      name: '--wait <duration>',
      description: 'The longest time that a call waits for the end of its run; by default 5s.',
    },
    { name: '--no-review', description: 'Do not serve review_gate, so that only people answer questions.' },
    storeFlag,
    ...durabilityFlags,
    { name: '--json', description: 'Print the tools and serve nothing.' },
  ],
  examples: [
    {
      command: 'reconverge mcp templates/refine-a-draft.yaml',
      does: 'serve one template, over standard input and output',
    },
    { command: 'reconverge mcp --no-review', does: 'serve the templates of this folder; only people answer gates' },
    { command: 'reconverge mcp --json', does: 'print the tools' },
  ],
  async run(call) {
    const wait = waitOf(call);
    const served = await servedBy(call);
    if (typeof served === 'number') return served;
    const tools = [
      ...served.map(({ tool }) => tool),
      ...runTools.filter(({ name }) => name !== 'review_gate' || call.given.has('review')),
    ];
    if (call.given.has('json')) {
      call.terminal.json({ tools } satisfies ServedToolsAnswer);
      return exitCodes.done;
    }
    return withEngine(call, async (engine) => {
      const { runService } = await import('../mcp/run-service.ts');
      const { serve } = await import('../mcp/serve.ts');
      call.terminal.say([[span(`serving ${served.map(({ tool }) => tool.name).join(', ')}`, 'dim')]]);
      await serve(tools, runService(engine, served, tools, { wait }));
      return exitCodes.done;
    });
  },
};

function waitOf({ given }: Call): number {
  const reading = readDuration(given.text('wait') ?? '5s');
  if (!reading.ok) throw new UsageError(`--wait takes ${reading.error}`);
  return reading.value;
}

/** Servers that a template names are contacted when a run of the template starts, not earlier. */
async function servedBy(call: Call): Promise<readonly ServedTemplate[] | ExitCode> {
  const { given } = call;
  const named = given.arguments.length > 0 ? given.arguments : projectTemplates();
  if (named.length === 0)
    throw new UsageError('name a template: there is no template.yaml and no folder templates here');
  const templates: { file: string; template: Template }[] = [];
  const issues: Issue[] = [];
  for (const file of named) {
    const loaded = await loadTemplate(given, file);
    if (loaded.ok) templates.push({ file, template: loaded.value });
    else issues.push(...loaded.error);
  }
  if (issues.length > 0) return refuse(call, issues);
  const served = servedTemplates(templates);
  return served.ok ? served.value : refuse(call, served.error);
}
