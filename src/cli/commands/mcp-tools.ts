// mcp tools: lists the tools of a template's MCP server, and proposes declarations for the template.
import { defined } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { proposeOverrides } from '../../capabilities/mcp/propose-overrides.ts';
import type { Declaration } from '../../contract/declaration.ts';
import { span } from '../../view/line.ts';
import { table } from '../../view/table.ts';
import type { McpToolsAnswer } from '../answers/authoring.schema.ts';
import type { Call, Command } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { environmentFlag, liveFlag, loadDeclarations } from '../load-template.ts';
import { projectTemplates } from '../project-templates.ts';
import { refuse } from '../refuse.ts';
import { UsageError } from '../usage-error.ts';

export const command: Command = {
  arguments: [{ name: 'SERVER', description: 'The server, as the template names it.' }],
  flags: [
    {
      name: '--template <file>',
      description: 'The template that names the server; by default template.yaml in this folder.',
    },
    {
      name: '--propose',
      description:
        'Print declarations for `mcp:`, guessed from the names of the tools. Check them before you paste them.',
    },
    environmentFlag,
    liveFlag,
    jsonFlag,
  ],
  examples: [
    { command: 'reconverge mcp tools slack --template notify.yaml --live', does: 'list the tools with their effects' },
    {
      command: 'reconverge mcp tools slack --template notify.yaml --propose',
      does: 'propose declarations for the tools',
    },
  ],

  exits: ['done', 'issues', 'usage', 'fault'],
  async run(call) {
    const [server = ''] = call.given.arguments;
    const [first] = projectTemplates();
    const file = call.given.text('template') ?? first;
    if (file === undefined) throw new UsageError('name the template that names the server: --template FILE');
    const loaded = await loadDeclarations(call.given, file);
    if (!loaded.ok) return refuse(call, loaded.error);
    const declared = loaded.value;
    const tools = declared.filter(({ origin }) => origin?.server === server);
    if (tools.length === 0) throw new UsageError(unknown(server, file, declared));
    return answer(call, tools);
  },
};

function unknown(server: string, file: string, declared: readonly Declaration[]): string {
  const servers = [...new Set(declared.flatMap(({ origin }) => origin?.server ?? []))];
  const near =
    didYouMean(server, servers) ??
    (servers.length === 0 ? 'ask its servers with --live' : `known are ${servers.join(', ')}`);
  return `${file} grants no tool of a server "${server}"; ${near}`;
}

function answer({ given, terminal }: Call, tools: readonly Declaration[]): ExitCode {
  const proposals = proposeOverrides(tools);
  if (given.has('json')) {
    terminal.json({
      tools: tools.map(({ origin, name, description, effects, repeat }) => {
        return { tool: origin?.tool ?? name, name, description, effects, ...defined({ repeat }) };
      }),
      proposed: Object.fromEntries(proposals.map(({ tool, override, why }) => [tool, { ...override, why }])),
    } satisfies McpToolsAnswer);
  } else if (given.has('propose')) {
    const lines = proposals.map(({ tool, override: { effects = [], repeat, key }, why }) => {
      const rest = [
        ...(repeat === undefined ? [] : [`repeat: ${repeat}`]),
        ...(key === undefined ? [] : [`key: ${key}`]),
      ];
      return `    ${tool}: { ${[`effects: [${effects.join(', ')}]`, ...rest].join(', ')} } # ${why}`;
    });
    const none = '    # what the server says agrees with the names of its tools';
    terminal.write(`  tools:\n${lines.length === 0 ? none : lines.join('\n')}\n`);
  } else {
    const columns = [{ title: 'tool' }, { title: 'effects' }, { title: 'repeat' }, { title: '' }];
    const rows = tools.map(({ origin, name, effects, repeat, description }) => [
      span(origin?.tool ?? name),
      span(effects.join(' ')),
      span(repeat ?? ''),
      span(description, 'dim'),
    ]);
    terminal.print(table(columns, rows));
  }
  return exitCodes.done;
}
