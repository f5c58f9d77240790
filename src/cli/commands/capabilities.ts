// capabilities: what may be called, which of it serves a goal, and what one of it takes and gives.
import { issue } from '../../base/issue.ts';
import { didYouMean } from '../../base/nearest.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { Declaration } from '../../contract/declaration.ts';
import { sampleOf } from '../../contract/sample.ts';
import {
  type Candidate,
  comparable,
  likenessText,
  MARGIN,
  type Ranking,
  rankCapabilities,
} from '../../planning/resolve/rank.ts';
import { type Line, span } from '../../view/line.ts';
import { table } from '../../view/table.ts';
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
    { name: '[WHAT]', description: 'The goal to search for, in quotes; the name to describe.' },
  ],
  flags: [
    {
      name: '--from <file>',
      description:
        'The tools in this file, as MCP servers list them: [{ name, description, inputSchema, annotations? }], or { tools: […] }, in JSON or YAML; - for standard input.',
    },
    { name: '--template <file>', description: 'What this template grants; the built-in catalog unless said.' },
    { name: '--capabilities <module>', description: 'A module of capabilities, beside the catalog.', repeats: true },
    {
      name: '--embeddings <model>',
      description:
        'Of search: where words do not decide, ask this embeddings model how alike goal and capabilities are, at OPENAI_BASE_URL with OPENAI_API_KEY; it refines scores, and lifts no veto.',
    },
    { name: '--limit <count>', description: 'How many candidates to show at most; 5 unless said.' },
    environmentFlag,
    liveFlag,
    jsonFlag,
  ],
  examples: [
    {
      command: 'reconverge capabilities search "show me the open bugs" --from tools.json',
      does: 'which tool of a server serves a goal?',
    },
    {
      command: 'reconverge capabilities list --template templates/recon-then-execute.yaml',
      does: 'what a template may call',
    },
    { command: 'reconverge capabilities describe csv.read', does: 'what one takes and gives' },
  ],
  json: {
    'goal?': 'of search: as it was given',
    'verdict?': 'of search: accepted, ambiguous (several serve about as well) or rejected (none serves)',
    'margin?': 'of search: how far the first is ahead of the second, from 0 to 1',
    'candidates?':
      'of search: [{ name, score, does, alike?, reasons: [text], stops: [text] }], the best first; scores from 0 to 1; does: its verb is the one of the goal, or means the same; alike: by embeddings, where words do not decide; stops say what speaks against it',
    'capabilities?': 'of list: [{ name, description, effects, tags }]',
    'capability?': 'of describe: { name, description, input?, output?, effects, tags, cost, repeat?, … }',
    'example?': 'of describe: an input that its contract takes',
    'issues?': '[{ code, severity, message, path, place?, hint? }], when the file has errors',
  },
  exits: ['done', 'issues', 'usage', 'fault'],
  async run(call) {
    const [action, what = ''] = call.given.arguments;
    const act = actions[action ?? ''];
    if (act === undefined) throw new UsageError(`there is no capabilities ${action}; say search, list or describe`);
    const declared = await declarationsFor(call);
    return declared.ok ? act(call, what, declared.value) : refuse(call, declared.issues);
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
  if (modules.length > 0 && (from ?? template) !== undefined)
    throw new UsageError('--capabilities goes beside the catalog, and not with --from or --template');
  if (from !== undefined) return readToolList(from);
  if (modules.length > 0) {
    const { missionFor } = await import('../../runtime/pursuit.ts');
    const loaded = await loadTemplate(
      given,
      missionFor({ frame: { capabilities: ['catalog', ...modules.map(asModule)] } }),
    );
    return loaded.ok ? good(Object.values(loaded.value.capabilities)) : bad(loaded.issues);
  }
  if (template === undefined) {
    const { catalog } = await import('../../capabilities/catalog/catalog.ts');
    return good(catalog.map(({ declaration }) => declaration));
  }
  const loaded = await loadTemplate(given, template);
  return loaded.ok ? good(Object.values(loaded.value.capabilities)) : bad(loaded.issues);
}

const SHOWN = 5;

async function search(call: Call, goal: string, declared: readonly Declaration[]): Promise<ExitCode> {
  const { given, terminal } = call;
  if (goal.trim() === '') throw new UsageError('search takes a goal: capabilities search "list the open issues"');
  const limit = limitOf(given.text('limit'));
  const ranking = await ranked(given.text('embeddings'), goal, declared);
  if (!ranking.ok) return refuse(call, ranking.issues);
  const { verdict, margin, candidates } = ranking.value;
  const shown = candidates.slice(0, limit);
  if (given.has('json')) terminal.json({ goal, verdict, margin, candidates: shown });
  else terminal.print(found(ranking.value, shown));
  return verdict === 'rejected' ? exitCodes.issues : exitCodes.done;
}

/** As in runs: where words do not decide, and a model is named, that is asked. */
async function ranked(
  model: string | undefined,
  goal: string,
  declared: readonly Declaration[],
): Promise<Result<Ranking>> {
  const byWords = rankCapabilities(goal, declared);
  const names = byWords.verdict === 'accepted' ? [] : comparable(byWords.candidates);
  if (model === undefined || names.length === 0) return good(byWords);
  const { boundary } = await import('../../runtime/boundary.ts');
  const { openaiEmbedder } = await import('../../llm/openai-embedder.ts');
  const { compareTexts } = await import('../../llm/compare-texts.ts');
  const told = declared.filter(({ name }) => names.includes(name));
  const embedder = openaiEmbedder(model, { model, timeout: TIMEOUT }, boundary(process.env));
  const request = { goals: [goal], texts: told.map(likenessText) };
  const compared = await compareTexts(embedder, request, AbortSignal.timeout(TIMEOUT));
  if (!compared.ok) return bad([issue(compared.failure.code, compared.failure.message)]);
  const [row = []] = compared.alike;
  const alike = Object.fromEntries(told.map(({ name }, at) => [name, row[at] ?? 0]));
  return good(rankCapabilities(goal, declared, { alike }));
}

const TIMEOUT = 30_000;

function limitOf(text: string | undefined): number {
  const limit = text === undefined ? SHOWN : Number(text);
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new UsageError(`--limit takes a whole number above 0, not "${text}"`);
  return limit;
}

function found({ verdict, margin, candidates }: Ranking, shown: readonly Candidate[]): readonly Line[] {
  const [first] = candidates;
  const name = first?.name ?? '';
  const near = candidates.filter(({ score }) => score > (first?.score ?? 0) - MARGIN).map((each) => each.name);
  const verdicts: Readonly<Record<Ranking['verdict'], Line>> = {
    accepted: [span('accepted', 'good'), span(`: ${name}`, 'strong'), span(`, ${margin.toFixed(2)} ahead of the next`)],
    ambiguous: [
      span('ambiguous', 'warn'),
      span(`: ${listed(near)} serve about as well; say it more closely, or name the one that is meant`),
    ],
    rejected: [span('rejected', 'bad'), span(': nothing here serves this goal')],
  };
  if (candidates.length === 0) return [verdicts[verdict]];
  return [
    verdicts[verdict],
    [],
    ...table(
      [{ title: 'score', align: 'right' }, { title: 'capability' }, { title: 'why' }],
      shown.map((each) => [span(each.score.toFixed(2)), span(each.name), span(whyOf(each), 'dim')]),
    ),
  ];
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function whyOf({ reasons, stops, alike }: Candidate): string {
  const near = alike === undefined ? [] : [`${alike.toFixed(2)} alike by embeddings`];
  return [...reasons, ...near, ...(stops.length === 0 ? [] : [`but ${stops.join(' and ')}`])].join('; ');
}

function list({ given, terminal }: Call, _what: string, declared: readonly Declaration[]): ExitCode {
  const sorted = declared.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  if (given.has('json')) {
    const capabilities = sorted.map(({ name, description, effects, tags }) => ({ name, description, effects, tags }));
    terminal.json({ capabilities });
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
      ) ?? 'capabilities list names them';
    throw new UsageError(`there is no capability "${name}"; ${hint}`);
  }
  const example = sampleOf(declaration.input ?? {});
  if (given.has('json')) terminal.json({ capability: declaration, example });
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
    ...(repeat === 'safe' ? [[span('calling it twice does no harm beyond the first')]] : []),
    [],
    [span('It takes:')],
    ...indented(contractLines(input ?? {})),
    [span(`  for example ${example}`, 'dim')],
    [span('It gives:')],
    ...indented(contractLines(output ?? {})),
  ];
}
