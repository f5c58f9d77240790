// One request to an OpenAI-compatible server within its time limit, or the reason why it failed.

import type OpenAI from 'openai';
import { isPackageMissing } from '../base/missing-package.ts';
import type { Duration } from '../base/quantity.ts';
import { bad, good, type Result } from '../base/result.ts';
import { boundedFetch } from './bounded-fetch.ts';
import type { Connection, ModelSurroundings } from './connection.ts';
import { explainError, type RequestError } from './explain-error.ts';
import { stopped, withoutClient } from './model-failure.ts';
import { requestLimits } from './request-limits.ts';
import type { StallWatch } from './stall-watch.ts';

export interface RequestOptions {
  readonly connection: Connection;
  readonly surroundings: ModelSurroundings;
  /** Aborted when the caller stops. */
  readonly signal: AbortSignal;
  /** Further headers; those of the connection come first. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Ends the request when its stream stalls; absent: nothing is streamed. */
  readonly watch?: Pick<StallWatch, 'signal' | 'failure'>;
  readonly timeout: Duration;
  /** Bytes of the response. */
  readonly mostBytes: number;
}

/** Servers without keys accept any key; the client requires one. */
const NO_KEY = 'none';

/** The longest delay of a timer. */
const LONGEST_TIMER = 2_147_483_647;

/** Never rejects, whatever `run` does. Aborts the signal of `run` when the caller stops or the time is up. */
export async function sendRequest<T>(
  { connection, surroundings, signal, headers, watch, timeout, mostBytes }: RequestOptions,
  run: (client: OpenAI, signal: AbortSignal) => Promise<T>,
): Promise<Result<T, RequestError>> {
  const { who } = connection;
  if (signal.aborted) return bad({ failure: stopped(who), isUnsent: true });
  const limits = requestLimits({ who, signal, timeout, watch });
  try {
    return good(await run(await clientFor(connection, mostBytes, headers), limits.signal));
  } catch (thrown) {
    if (isPackageMissing(thrown, 'openai')) return bad({ failure: withoutClient(who), isUnsent: true });
    const failure = limits.failure();
    if (failure !== undefined) return bad({ failure, isLost: true });
    return bad(
      explainError(thrown, {
        who,
        mostBytes,
        clean: cleaner(connection, surroundings),
        hasKey: hasKey(connection),
      }),
    );
  }
}

async function clientFor(
  { baseUrl, apiKey, headers: own = {} }: Connection,
  most: number,
  more: RequestOptions['headers'],
): Promise<OpenAI> {
  const headers = { ...more, ...own };
  const { OpenAI } = await import('openai');
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? NO_KEY,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    // Callers decide about retries, and the signal limits the time until the end of the response.
    maxRetries: 0,
    timeout: LONGEST_TIMER,
    defaultHeaders: headers,
    fetch: boundedFetch(most, Object.keys(headers)),
  });
}

/** A header of the profile may be the key. */
function hasKey({ apiKey, headers }: Connection): boolean {
  return apiKey !== undefined || headers !== undefined;
}

/** Shorter values are words such as `true`, which a message may hold for other reasons. */
function isLong(value: string): boolean {
  return value.length >= 8;
}

/** Removes secrets from the server's words, including a key that was written into the template. */
function cleaner({ apiKey, headers = {} }: Connection, surroundings: ModelSurroundings): (text: string) => string {
  const own = [...(apiKey === undefined ? [] : [apiKey]), ...Object.values(headers).filter(isLong)];
  return (text) => {
    const clean = surroundings.redact(text, own);
    return typeof clean === 'string' ? clean : '';
  };
}
