// One try at an OpenAI-compatible server, within its time; when it fails, why.
import type OpenAI from 'openai';
import type { Failure } from '../base/failure.ts';
import { type Duration, durationText } from '../base/quantity.ts';
import { boundedFetch } from './bounded-fetch.ts';
import type { Connection, ModelSurroundings } from './connection.ts';
import { stopped, tooSlow } from './model-failure.ts';
import { type Trouble, troubleOf } from './trouble.ts';

export type Attempted<T> = { readonly ok: true; readonly value: T } | ({ readonly ok: false } & Trouble);

export interface AttemptOptions {
  readonly connection: Connection;
  readonly surroundings: ModelSurroundings;
  /** Of the asker. */
  readonly signal: AbortSignal;
  readonly timeout: Duration;
  /** Bytes of an answer. */
  readonly mostBytes: number;
}

/** Servers that ask for none are used to getting one all the same. */
const NO_KEY = 'none';

/** Timers overflow beyond it. */
const LONGEST_TIMER = 2_147_483_647;

/** Never rejects, whatever `run` does. Its signal is aborted when the asker stops and when the time is up. */
export async function attempt<T>(
  { connection, surroundings, signal, timeout, mostBytes }: AttemptOptions,
  run: (client: OpenAI, signal: AbortSignal) => Promise<T>,
): Promise<Attempted<T>> {
  const { who } = connection;
  const clock = AbortSignal.timeout(Math.min(timeout, LONGEST_TIMER));
  const ended = (): Failure | undefined => {
    if (signal.aborted) return stopped(who);
    return clock.aborted ? tooSlow(who, `within ${durationText(timeout)}`) : undefined;
  };
  if (signal.aborted) return { ok: false, failure: stopped(who) };
  try {
    return { ok: true, value: await run(await clientFor(connection, mostBytes), AbortSignal.any([signal, clock])) };
  } catch (thrown) {
    const failure = ended();
    if (failure !== undefined) return { ok: false, failure, isLost: true };
    return { ok: false, ...troubleOf(thrown, { who, mostBytes, clean: cleaner(connection, surroundings) }) };
  }
}

async function clientFor({ baseUrl, apiKey }: Connection, most: number): Promise<OpenAI> {
  const { OpenAI } = await import('openai');
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? NO_KEY,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    // Who asks decides what is asked again; the time of an ask is kept by its signal, to the end of the answer.
    maxRetries: 0,
    timeout: LONGEST_TIMER,
    fetch: boundedFetch(most),
  });
}

/** Takes secrets out of what a server said; the key also when it was written into the template. */
function cleaner({ apiKey }: Connection, surroundings: ModelSurroundings): (text: string) => string {
  const own = apiKey === undefined ? [] : [apiKey];
  return (text) => {
    const clean = surroundings.redact(text, own);
    return typeof clean === 'string' ? clean : '';
  };
}
