// A model of the AI SDK as a model of ours: one call per request, without retries.
import type { Failure } from '../base/failure.ts';
import { defined, isJsonObject, type JsonObject } from '../base/json.ts';
import type { Duration } from '../base/quantity.ts';
import { bad, good } from '../base/result.ts';
import { type CountTokens, estimateTokens } from '../context/tokens.ts';
import { serverOfSdk } from '../model/model-server.ts';
import type { Usage } from '../model/reply.ts';
import { aiSdkCall } from './ai-sdk-call.ts';
import { explainAiSdkError, invalidReply } from './ai-sdk-error.ts';
import { type AiSdkModel, aiSdkSource } from './ai-sdk-model.ts';
import { readAiSdkReply } from './ai-sdk-reply.ts';
import type { AiSdkSettings } from './ai-sdk-settings.ts';
import { streamedResult } from './ai-sdk-stream.ts';
import { type Dialects, dialects } from './dialect.ts';
import { callsBefore, estimatedUsage, writtenIn } from './estimated-usage.ts';
import type { RequestError } from './explain-error.ts';
import { refusalText } from './feature-words.ts';
import type { Model, ModelResult } from './model.ts';
import { cutOff, stopped, unsupported, withinPatience } from './model-failure.ts';
import { requestLimits } from './request-limits.ts';
import { stallWatch, systemTimer, type Timer } from './stall-watch.ts';
import { readCallsIn } from './tools-as-data.ts';

export interface AiSdkClientOptions {
  /** Features that servers refused; all models of an engine share this memory. */
  readonly known?: Dialects;
  /** Counts tokens for providers that report no usage. */
  readonly count?: CountTokens;
  /** Measures the pauses of a stream. */
  readonly timer?: Timer;
}

const MINUTE: Duration = 60_000;

export function aiSdkClient(
  model: AiSdkModel,
  settings: AiSdkSettings,
  { known = dialects(), count = estimateTokens, timer = systemTimer }: AiSdkClientOptions = {},
): Model {
  const { timeout = 2 * MINUTE, stallTimeout = MINUTE, maxRetryAfter = MINUTE } = settings;
  const from = aiSdkSource(model);
  const server = serverOfSdk(model.provider);
  return {
    profile: { model: model.modelId },
    async ask(request, { signal, onDelta, onServer, headers }) {
      const who = `the model ${request.model} (${model.modelId} of ${model.provider})`;
      if (signal.aborted) return failed(stopped(who), undefined);
      onServer?.(server);
      const dialect = known.of(from.baseUrl, from.model);
      const call = aiSdkCall(request, settings, dialect, model, from);
      const stream = (settings.stream ?? onDelta !== undefined) ? streamedResult(onDelta ?? (() => {})) : undefined;
      const watch = stallWatch(timer, { who, longest: stallTimeout });
      const limits = requestLimits({ who, signal, timeout, watch });
      const allHeaders = headers === undefined ? call.options.headers : { ...headers, ...call.options.headers };
      const options = { ...call.options, abortSignal: limits.signal, ...defined({ headers: allHeaders }) };
      let result: JsonObject | undefined;
      let error: RequestError | undefined;
      try {
        if (stream === undefined) result = plain(await unlessAborted(model.doGenerate(options), limits.signal));
        else {
          const { stream: parts } = await unlessAborted(model.doStream(options), limits.signal);
          for await (const part of partsOf(parts, limits.signal)) {
            watch.heard();
            stream.take(part);
          }
          result = stream.whole();
        }
      } catch (thrown) {
        const ended = limits.failure();
        error =
          ended === undefined
            ? explainAiSdkError(thrown, who, stream?.heard() ?? '')
            : { failure: ended, isLost: true };
      } finally {
        watch.end();
      }
      const heard = stream?.heard() ?? '';
      const lost = heard !== '' || error?.isLost === true ? estimatedUsage(request, heard, count) : undefined;
      if (error !== undefined) {
        const heeded = error.failure.code === 'MODEL_CONTEXT_EXCEEDED' ? undefined : error.refusal;
        const refused = heeded === undefined ? [] : dialect.hear(heeded, call.sent, call.answer);
        const isFree = lost === undefined && (refused.length > 0 || error.isUnsent === true) ? true : undefined;
        if (refused.length > 0) return failed(unsupported(who, refusalText(refused, 'chat')), lost, isFree);
        return failed(withinPatience(error.failure, maxRetryAfter), lost, isFree);
      }
      if (result === undefined) return failed(heard === '' ? invalidReply(who, 'nothing') : cutOff(who), lost);
      const before = callsBefore(request);
      const parsed = readAiSdkReply(result, { callsBefore: before, from });
      if (!parsed.ok) return failed(invalidReply(who, parsed.error), lost);
      const { reply: written, usage, leftOut } = parsed.value;
      if (stream === undefined) onDelta?.(written.text);
      const reply = readCallsIn(written, request, { toolsAsData: call.toolsAsData, callsBefore: before });
      const missing = [...new Set([...call.leftOut, ...leftOut])];
      return good({
        ...reply,
        ...(missing.length === 0 ? {} : { leftOut: missing }),
        usage: usage ?? estimatedUsage(request, writtenIn(written), count),
      });
    },
  };
}

/** Providers may heed the signal late, or not at all. The race also hears a failure of the work after it was given up. */
async function unlessAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function* partsOf(stream: ReadableStream<unknown>, signal: AbortSignal): AsyncIterable<unknown> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await unlessAborted(reader.read(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    // Ends the request of a stream that is not read to its end.
    reader.cancel().catch(() => {});
  }
}

/** Results may hold dates, bytes and undefined values. The bodies of request and response are not needed. */
function plain(result: object): JsonObject {
  const { request: _, ...rest } = { request: undefined, ...result };
  const read: unknown = JSON.parse(JSON.stringify(rest));
  return isJsonObject(read) ? read : {};
}

function failed(failure: Failure, usage: Usage | undefined, isFree?: true): ModelResult {
  return bad({ failure, ...defined({ usage, isFree }) });
}
