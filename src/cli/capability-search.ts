// capabilities search: which capability serves a goal, or each goal of a file, and why.
import { issue } from '../base/issue.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { Declaration } from '../contract/declaration.ts';
import { type Candidate, comparable, likenessText, type Ranking, rankCapabilities } from '../planning/resolve/rank.ts';
import { type Line, span } from '../view/line.ts';
import { table } from '../view/table.ts';
import type { Call } from './command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { refuse } from './refuse.ts';
import { readText } from './run-input.ts';
import { UsageError } from './usage-error.ts';

const SHOWN = 5;

/** Ends with 1 where a goal is served by none. */
export async function search(call: Call, goal: string, declared: readonly Declaration[]): Promise<ExitCode> {
  const { given, terminal } = call;
  const limit = limitOf(given.text('limit'));
  const file = given.text('goals');
  if (file === undefined ? goal.trim() === '' : goal !== '')
    throw new UsageError(
      'search takes a goal, or --goals with a file of them: capabilities search "list the open issues"',
    );
  let code: ExitCode = exitCodes.done;
  for (const each of file === undefined ? [goal] : goalsIn(file)) {
    const ranking = await ranked(given.text('embeddings'), each, declared);
    if (!ranking.ok) return refuse(call, ranking.issues);
    const { verdict, accepted = null, ambiguous, margin, candidates } = ranking.value;
    const answer = { goal: each, verdict, accepted, ambiguous, margin, candidates: candidates.slice(0, limit) };
    if (verdict === 'rejected') code = exitCodes.issues;
    if (!given.has('json'))
      terminal.print(file === undefined ? found(ranking.value, limit) : verdictOn(each, ranking.value));
    else if (file === undefined) terminal.json(answer);
    else terminal.jsonLine(answer);
  }
  return code;
}

/** One a line; empty lines count nothing. */
function goalsIn(file: string): readonly string[] {
  return readText(file, '--goals ')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
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
  const { boundary } = await import('../runtime/boundary.ts');
  const { openaiEmbedder } = await import('../llm/openai-embedder.ts');
  const { compareTexts } = await import('../llm/compare-texts.ts');
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

/** `list the issues  accepted: list_issues` */
function verdictOn(goal: string, { verdict, accepted, ambiguous }: Ranking): readonly Line[] {
  const tone = { accepted: 'good', ambiguous: 'warn', rejected: 'bad' } as const;
  const names = accepted ?? ambiguous.join(', ');
  return [[span(verdict, tone[verdict]), span(names === '' ? '' : `: ${names}`, 'strong'), span(`  ${goal}`, 'dim')]];
}

function found({ verdict, margin, candidates, ambiguous }: Ranking, limit: number): readonly Line[] {
  const [first] = candidates;
  const name = first?.name ?? '';
  const verdicts: Readonly<Record<Ranking['verdict'], Line>> = {
    accepted: [span('accepted', 'good'), span(`: ${name}`, 'strong'), span(`, ${margin.toFixed(2)} ahead of the next`)],
    ambiguous: [
      span('ambiguous', 'warn'),
      span(`: ${listed(ambiguous)} serve about as well; say it more closely, or name the one that is meant`),
    ],
    rejected: [span('rejected', 'bad'), span(': nothing here serves this goal')],
  };
  if (candidates.length === 0) return [verdicts[verdict]];
  return [
    verdicts[verdict],
    [],
    ...table(
      [{ title: 'score', align: 'right' }, { title: 'capability' }, { title: 'why' }],
      candidates
        .slice(0, limit)
        .map((each) => [span(each.score.toFixed(2)), span(each.name), span(whyOf(each), 'dim')]),
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
