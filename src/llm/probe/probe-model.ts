// Finds out what a model and its server can do, by asking one small question of each kind.
import type { Failure } from '../../base/failure.ts';
import { defined } from '../../base/json.ts';
import type { Duration, Instant, MicroDollars } from '../../base/quantity.ts';
import { type CountTokens, estimateTokens } from '../../context/tokens.ts';
import { costOf } from '../../model/price.ts';
import type { ModelProfile } from '../../model/profile.ts';
import type { ModelReply } from '../../model/reply.ts';
import type { ModelRequest } from '../../model/request.ts';
import { withoutReasoning } from '../../model/without-reasoning.ts';
import type { Dialect } from '../dialect.ts';
import { estimatedUsage } from '../estimated-usage.ts';
import type { Feature } from '../features.ts';
import type { Model } from '../model.ts';
import { usageOf } from '../model.ts';
import { type ProbeFinding, type ProbeName, type ProbeQuestion, probeQuestions } from './questions.ts';

export interface ProbedModel {
  /** The name of the profile. */
  readonly name: string;
  readonly profile: ModelProfile;
  readonly model: Model;
  /** The memory of refused features for this server and model; the model learns into it. */
  readonly dialect: Dialect;
}

export interface ProbeContext {
  readonly signal: AbortSignal;
  now(): Instant;
  pause(duration: Duration): Promise<void>;
  /** Called after each question. */
  onAnswer?(row: ProbeRow): void;
}

export interface ProbeSpending {
  /** Requests that were sent. */
  readonly requests: number;
  /** Requests that the server refused because of a feature. */
  readonly refused: number;
  readonly time: Duration;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Absent when the price is not known. */
  readonly cost?: MicroDollars;
}

export interface ProbeRow extends ProbeFinding, ProbeSpending {
  readonly question: ProbeName;
}

export interface ProbeReport {
  readonly rows: readonly ProbeRow[];
  readonly spent: ProbeSpending;
  /** The server reports the tokens that it used. */
  readonly reportsUsage: boolean;
  /** The parameters that the profile sets, by their names in templates. */
  readonly parameters: readonly { readonly name: string; readonly isTaken: boolean }[];
  /** Present when the model cannot be used; further questions are then not asked. */
  readonly failure?: Failure;
}

/** Tokens of the longest answer, including the thoughts before it. */
const MOST_OUTPUT = 1_000;
/** Each refused feature costs one request. */
const MOST_REFUSALS = 10;
const FIRST_DELAY: Duration = 1_000;

/** The most tokens and the most cost of all questions, if every answer is as long as it may be. */
export function mostOfProbe(
  profile: ModelProfile,
  count: CountTokens = estimateTokens,
): Pick<ProbeSpending, 'tokensIn' | 'tokensOut' | 'cost'> {
  const inputs = probeQuestions.map((question) => {
    const request = question.request(supposed) ?? { messages: [] };
    // A question in words and a history of tool calls make the prompt longer.
    return 2 * estimatedUsage({ model: '', ...request }, '', count).input + 100;
  });
  const input = inputs.reduce((sum, each) => sum + each, 0);
  const output = inputs.length * mostOutput(profile);
  const { price } = profile;
  return {
    tokensIn: input,
    tokensOut: output,
    ...defined({ cost: price === undefined ? undefined : costOf(price, { input, output }) }),
  };
}

const supposed: ReadonlyMap<ProbeName, ModelReply> = new Map([
  [
    'tools',
    {
      text: '',
      toolCalls: [{ id: 'call_1', name: 'weather_in', arguments: { city: 'Oslo' } }],
      finish: 'tool_calls',
      usage: { input: 0, output: 0 },
    },
  ],
]);

function mostOutput({ maxOutputTokens }: ModelProfile): number {
  return Math.min(MOST_OUTPUT, maxOutputTokens);
}

/** Asks the questions one after the other. Never throws. */
export async function probeModel(probed: ProbedModel, context: ProbeContext): Promise<ProbeReport> {
  const rows: ProbeRow[] = [];
  let last: ProbeRow | undefined;
  const replies = new Map<ProbeName, ModelReply>();
  let reportsUsage = true;
  let failure: Failure | undefined;
  for (const question of probeQuestions) {
    const request = question.request(replies);
    if (request === undefined) continue;
    const asked = await askQuestion(probed, question, request, context);
    if (asked.reply !== undefined) {
      replies.set(question.name, asked.reply);
      if (question.streams !== true && asked.reply.usage.estimated === true) reportsUsage = false;
    }
    failure = asked.failure !== undefined && isFinal(asked.failure, rows.length) ? asked.failure : undefined;
    if (failure !== undefined) {
      last = asked.row;
      break;
    }
    rows.push(asked.row);
    context.onAnswer?.(asked.row);
  }
  return {
    rows,
    spent: sumOf(last === undefined ? rows : [...rows, last]),
    reportsUsage,
    parameters: parametersOf(probed),
    ...defined({ failure }),
  };
}

function parametersOf({ profile, dialect }: ProbedModel): ProbeReport['parameters'] {
  const { temperature, topP, seed, reasoning } = profile;
  const set = [
    ['temperature', temperature, 'temperature'],
    ['top_p', topP, 'top_p'],
    ['seed', seed, 'seed'],
    ['reasoning', reasoning, 'reasoning_effort'],
  ] as const;
  return set.flatMap(([name, value, feature]) =>
    value === undefined ? [] : [{ name: `${name}: ${value}`, isTaken: dialect.takes(feature) }],
  );
}

/** A model that fails its first question, or that cannot be reached any more, is asked nothing else. */
function isFinal({ code }: Failure, answered: number): boolean {
  return answered === 0 || code === 'MODEL_ABORTED' || code === 'MODEL_ACCESS_REFUSED' || code === 'MODEL_UNAVAILABLE';
}

interface AskedQuestion {
  readonly row: ProbeRow;
  readonly reply?: ModelReply;
  readonly failure?: Failure;
}

async function askQuestion(
  { name, profile, model, dialect }: ProbedModel,
  question: ProbeQuestion,
  asked: Omit<ModelRequest, 'model'>,
  { signal, now, pause }: ProbeContext,
): Promise<AskedQuestion> {
  const { temperature } = profile;
  const request = { ...asked, model: name, maxOutputTokens: mostOutput(profile), ...defined({ temperature }) };
  const began = now();
  const used = { requests: 0, refused: 0, tokensIn: 0, tokensOut: 0, cost: 0 };
  const row = (found: ProbeFinding): ProbeRow => {
    const { cost, ...counts } = used;
    const priced = defined({ cost: profile.price === undefined ? undefined : cost });
    return { question: question.name, ...found, ...counts, ...priced, time: now() - began };
  };
  let retries = 0;
  for (;;) {
    let pieces = 0;
    const onDelta = (): void => {
      pieces += 1;
    };
    const result = await model.ask(request, { signal, ...(question.streams === true ? { onDelta } : {}) });
    const usage = usageOf(result);
    const isSent = result.ok || result.error.failure.code !== 'MODEL_NOT_CONFIGURED';
    used.requests += isSent ? 1 : 0;
    used.tokensIn += usage?.input ?? 0;
    used.tokensOut += usage?.output ?? 0;
    if (usage !== undefined && profile.price !== undefined) used.cost += costOf(profile.price, usage);
    if (result.ok) {
      const reply = { ...result.value, text: withoutReasoning(result.value.text) };
      const lacks = (feature: Feature): boolean => reply.leftOut?.includes(feature) === true;
      const isByData =
        !profile.tools || lacks('tools') || (lacks('tools_with_reasoning') && !dialect.takes('no_reasoning'));
      return { row: row(question.find({ reply, pieces, lacks, isByData })), reply: result.value };
    }
    const { failure } = result.error;
    if (failure.code === 'MODEL_FORMAT_UNSUPPORTED' && used.refused < MOST_REFUSALS) {
      used.refused += 1;
      continue;
    }
    if (failure.retry === 'never' || retries >= profile.maxRetries || signal.aborted) {
      return { row: row({ outcome: 'no', detail: failure.message }), failure };
    }
    retries += 1;
    await pause(failure.retryAfter ?? FIRST_DELAY * retries);
  }
}

function sumOf(rows: readonly ProbeRow[]): ProbeSpending {
  const sum = (key: 'requests' | 'refused' | 'time' | 'tokensIn' | 'tokensOut'): number =>
    rows.reduce((total, row) => total + row[key], 0);
  const costs = rows.flatMap(({ cost }) => cost ?? []);
  return {
    requests: sum('requests'),
    refused: sum('refused'),
    time: sum('time'),
    tokensIn: sum('tokensIn'),
    tokensOut: sum('tokensOut'),
    ...(costs.length === 0 ? {} : { cost: costs.reduce((total, each) => total + each, 0) }),
  };
}
