// capabilities search: finds the capabilities that serve a goal, or each goal in a file, and explains the match.
import { issue } from '../base/issue.ts';
import { defined } from '../base/json.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { Declaration } from '../contract/declaration.ts';
import { MOST_COMPARED } from '../engine/agent/embeddings-tries.ts';
import { comparedText, comparedWith } from '../goals/match/comparison-texts.ts';
import { type Candidate, type Match, matchGoal } from '../goals/match/match.ts';
import { decompose } from '../goals/split/decompose.ts';
import { type Line, span } from '../view/line.ts';
import { table } from '../view/table.ts';
import type { SearchAnswer } from './answers/authoring.schema.ts';
import type { Call } from './command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { refuse } from './refuse.ts';
import { readText } from './run-input.ts';
import { UsageError } from './usage-error.ts';

const SHOWN = 5;

/** One part of a goal, with the capabilities that may serve it. */
interface PartMatch extends Match {
  readonly part: string;
}

/** The exit code is 1 when no capability serves a goal or a part of it. */
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
    const matched = await matchParts(given.text('embeddings'), each, declared);
    if (!matched.ok) return refuse(call, matched.error);
    const parts = matched.value.map((part) => ({ ...part, candidates: part.candidates.slice(0, limit) }));
    if (parts.some(({ verdict }) => verdict === 'none')) code = exitCodes.issues;
    if (!given.has('json')) terminal.print(file === undefined ? foundParts(parts) : parts.map(verdictOn));
    else if (file === undefined) terminal.json(answerOf(each, parts));
    else terminal.jsonLine(answerOf(each, parts));
  }
  return code;
}

/** Reads one goal per line; skips empty lines. */
function goalsIn(file: string): readonly string[] {
  return readText(file, '--goals ')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
}

/** A goal with several tasks is matched task by task; a goal that the rules cannot split is matched as a whole. */
async function matchParts(
  model: string | undefined,
  goal: string,
  declared: readonly Declaration[],
): Promise<Result<readonly PartMatch[]>> {
  const { tasks } = decompose(goal, { capabilities: declared });
  const parts = tasks.length > 1 ? tasks.map(({ description }) => description) : [goal];
  const matched: PartMatch[] = [];
  for (const part of parts) {
    const match = await matchPart(model, part, declared);
    if (!match.ok) return match;
    matched.push({ part, ...match.value });
  }
  return good(matched);
}

/** Matches like a run does: when the words decide nothing and a model is named, asks the model. */
async function matchPart(
  model: string | undefined,
  part: string,
  declared: readonly Declaration[],
): Promise<Result<Match>> {
  const byWords = matchGoal(part, declared);
  if (model === undefined || byWords.verdict === 'certain' || declared.length === 0) return good(byWords);
  const { boundary } = await import('../runtime/ports/boundary.ts');
  const { openaiEmbedder } = await import('../llm/openai-embedder.ts');
  const { compareTexts } = await import('../llm/compare-texts.ts');
  const told = comparedWith([part], declared, MOST_COMPARED.texts);
  const embedder = openaiEmbedder(model, { model, timeout: TIMEOUT }, boundary(process.env));
  const request = { goals: [part], texts: told.map(comparedText) };
  const compared = await compareTexts(embedder, request, AbortSignal.timeout(TIMEOUT));
  if (!compared.ok) return bad([issue(compared.error.failure.code, compared.error.failure.message)]);
  const [row = []] = compared.value.alike;
  const alike = Object.fromEntries(told.map(({ name }, at) => [name, row[at] ?? 0]));
  return good(matchGoal(part, declared, { alike }));
}

const TIMEOUT = 30_000;

function limitOf(text: string | undefined): number {
  const limit = text === undefined ? SHOWN : Number(text);
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new UsageError(`--limit takes a whole number above 0, not "${text}"`);
  return limit;
}

function answerOf(goal: string, parts: readonly PartMatch[]): SearchAnswer {
  const [only, another] = parts;
  if (only !== undefined && another === undefined) return { goal, ...matchAnswer(only) };
  return { goal, parts: parts.map((each) => ({ part: each.part, ...matchAnswer(each) })) };
}

function matchAnswer({ verdict, certain, candidates }: Match) {
  return {
    verdict,
    certain: certain?.name ?? null,
    by: certain?.by ?? null,
    candidates: candidates.map(({ name, score, shares, alike, veto }) => ({
      name,
      score,
      shares,
      ...defined({ alike, veto }),
    })),
  };
}

const TONES = { certain: 'good', open: 'warn', none: 'bad' } as const;

/** Example: `certain: list_issues  list the issues` */
function verdictOn({ verdict, certain, candidates, part }: PartMatch): Line {
  const names = certain?.name ?? servable(candidates).join(', ');
  return [span(verdict, TONES[verdict]), span(names === '' ? '' : `: ${names}`, 'strong'), span(`  ${part}`, 'dim')];
}

function foundParts(parts: readonly PartMatch[]): readonly Line[] {
  if (parts.length === 1) return parts.flatMap(found);
  return parts.flatMap((each, at) => [...(at === 0 ? [] : [[]]), [span(each.part, 'strong')], ...found(each)]);
}

function found(match: Match): readonly Line[] {
  const { verdict, candidates } = match;
  const verdictLine: Line = [span(verdict, TONES[verdict]), ...verdictText(match)];
  if (candidates.length === 0) return [verdictLine];
  const columns = [{ title: 'score', align: 'right' }, { title: 'capability' }, { title: 'why' }] as const;
  const rows = candidates.map((each) => [span(each.score.toFixed(2)), span(each.name), span(whyOf(each), 'dim')]);
  return [verdictLine, [], ...table(columns, rows)];
}

function verdictText({ verdict, certain, candidates }: Match): Line {
  if (certain !== undefined)
    return [span(`: ${certain.name}`, 'strong'), span(certain.by === 'name' ? ', by its name' : ', by its words')];
  if (verdict === 'open') return [span(': the words alone do not decide between these; choose one yourself')];
  return [span(candidates.length === 0 ? ': no word matches a capability' : ': what shares words may not serve')];
}

/** Names of the capabilities that a model or a person may choose. */
function servable(candidates: readonly Candidate[]): readonly string[] {
  return candidates.filter(({ veto }) => veto === undefined).map(({ name }) => name);
}

function whyOf({ shares, alike, veto }: Candidate): string {
  return [
    ...(shares.length === 0 ? [] : [`shares ${shares.map((word) => `"${word}"`).join(', ')}`]),
    ...(alike === undefined ? [] : [`${alike.toFixed(2)} alike by embeddings`]),
    ...(veto === undefined ? [] : [`but ${veto}`]),
  ].join('; ');
}
