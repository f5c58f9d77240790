// capabilities: lists capabilities, finds those that serve a goal, and describes one of them.
import { didYouMean } from '../../base/nearest.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { shownCost } from '../../capabilities/call-cost.ts';
import type { Declaration } from '../../contract/declaration.ts';
import { sampleOf } from '../../contract/sample.ts';
import { type Line, span } from '../../view/line.ts';
import { table } from '../../view/table.ts';
import type { DescribeAnswer, ListAnswer } from '../answers/authoring.schema.ts';
import { search } from '../capability-search.ts';
import type { Call, Command } from '../command.ts';
import { contractLines } from '../contract-words.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { jsonFlag } from '../json-flag.ts';
import { environmentFlag, liveFlag, loadTemplate } from '../load-template.ts';
import { asModule } from '../plan/pursuit-flags.ts';
import { refuse } from '../refuse.ts';
import { readToolList } from '../tool-list.ts';
import { UsageError } from '../usage-error.ts';

export const command: Command = {
  arguments: [
    { name: 'ACTION', description: 'search, list or describe.' },
    { name: '[WHAT]', description: 'The goal to search for, in quotes, or the name to describe.' },
  ],
  flags: [
    {
      name: '--from <file>',
      description:
        'Use the tools in this file, in the form of MCP servers: [{ name, description, inputSchema, annotations? }] or { tools: […] }, in JSON or YAML; - reads standard input.',
    },
    {
      name: '--template <file>',
      description: 'Use the capabilities that this template grants; by default the built-in catalog.',
    },
    {
      name: '--capabilities <module>',
      description: 'A module with further capabilities, beside the catalog.',
      repeats: true,
    },
    {
      name: '--embeddings <model>',
      description:
        'With search: if words decide nothing, order the candidates by this embeddings model, at OPENAI_BASE_URL with OPENAI_API_KEY. It makes no candidate certain.',
    },
    {
      name: '--goals <file>',
      description: 'With search: read goals from this file, one per line; - reads standard input.',
    },
    { name: '--limit <count>', description: 'The most candidates to show; by default 5.' },
    environmentFlag,
    liveFlag,
    jsonFlag,
  ],
  examples: [
    {
      command: 'reconverge capabilities search "show me the open bugs" --from tools.json',
      does: 'find the tool of a server that serves a goal',
    },
    {
      command: 'reconverge capabilities list --template templates/recon-then-execute.yaml',
      does: 'list the capabilities of a template',
    },
    {
      command: 'reconverge capabilities search --goals goals.txt --from tools.json --json',
      does: 'match many goals, with one answer per line',
    },
    { command: 'reconverge capabilities describe csv.read', does: 'show the input and the output of a capability' },
  ],
  exits: ['done', 'issues', 'usage', 'fault'],
  async run(call) {
    const [action, what = ''] = call.given.arguments;
    const act = actions[action ?? ''];
    if (act === undefined) throw new UsageError(`there is no capabilities ${action}; use search, list or describe`);
    const declared = await declarationsFor(call);
    return declared.ok ? act(call, what, declared.value) : refuse(call, declared.error);
  },
};

const actions: Readonly<
  Record<string, (call: Call, what: string, declared: readonly Declaration[]) => ExitCode | Promise<ExitCode>>
> = {
  search,
  list,
  describe,
};

async function declarationsFor({ given }: Call): Promise<Result<readonly Declaration[]>> {
  const from = given.text('from');
  const template = given.text('template');
  if (from !== undefined && template !== undefined) throw new UsageError('--from and --template contradict each other');
  const modules = given.all('capabilities');
  if (from === '-' && given.text('goals') === '-')
    throw new UsageError('only one of --from and --goals can read standard input');
  if (modules.length > 0 && (from ?? template) !== undefined)
    throw new UsageError('--capabilities extends the catalog: leave out --from and --template');
  if (from !== undefined) return readToolList(from);
  if (modules.length > 0) {
    const { missionFor } = await import('../../runtime/api/pursuit.ts');
    const loaded = await loadTemplate(
      given,
      missionFor({ frame: { capabilities: ['catalog', ...modules.map(asModule)] } }),
    );
    return loaded.ok ? good(Object.values(loaded.value.capabilities)) : bad(loaded.error);
  }
  if (template === undefined) {
    const { catalog } = await import('../../capabilities/catalog/catalog.ts');
    return good(catalog.map(({ declaration }) => declaration));
  }
  const loaded = await loadTemplate(given, template);
  return loaded.ok ? good(Object.values(loaded.value.capabilities)) : bad(loaded.error);
}

function list({ given, terminal }: Call, _what: string, declared: readonly Declaration[]): ExitCode {
  const sorted = declared.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  if (given.has('json')) {
    const capabilities = sorted.map(({ name, description, effects, tags }) => ({ name, description, effects, tags }));
    terminal.json({ capabilities } satisfies ListAnswer);
  } else {
    const columns = [{ title: 'capability' }, { title: 'effects' }, { title: '' }];
    const rows = sorted.map(({ name, effects, description }) => [
      span(name),
      span(effects.join(' ')),
      span(description, 'dim'),
    ]);
    terminal.print(table(columns, rows));
  }
  return exitCodes.done;
}

function describe({ given, terminal }: Call, name: string, declared: readonly Declaration[]): ExitCode {
  const declaration = declared.find((each) => each.name === name);
  if (declaration === undefined) {
    const hint =
      didYouMean(
        name,
        declared.map((each) => each.name),
      ) ?? 'list them: reconverge capabilities list';
    throw new UsageError(`there is no capability "${name}"; ${hint}`);
  }
  const example = sampleOf(declaration.input ?? {});
  const answer = { capability: { ...declaration, cost: shownCost(declaration.cost) }, example };
  if (given.has('json')) terminal.json(answer satisfies DescribeAnswer);
  else terminal.print(described(declaration, JSON.stringify(example)));
  return exitCodes.done;
}

function described(
  { name, description, effects, tags, repeat, input, output }: Declaration,
  example: string,
): readonly Line[] {
  const indented = (lines: readonly Line[]): readonly Line[] => lines.map((line) => [span('  '), ...line]);
  return [
    [span(name, 'strong'), span(`: ${description}`)],
    [span(`effects: ${effects.join(' ')}${tags.length === 0 ? '' : `; tags: ${tags.join(' ')}`}`)],
    ...(repeat === 'safe' ? [[span('a second call does no further harm')]] : []),
    [],
    [span('It takes:')],
    ...indented(contractLines(input ?? {})),
    [span(`  for example ${example}`, 'dim')],
    [span('It gives:')],
    ...indented(contractLines(output ?? {})),
  ];
}
