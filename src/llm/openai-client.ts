// A model on any server with an API of OpenAI, reached with OpenAI's client.
import type OpenAI from 'openai';
import type { Failure } from '../base/failure.ts';
import { defined, isJsonObject, type JsonObject } from '../base/json.ts';
import { bad, good } from '../base/result.ts';
import { type CountTokens, estimateTokens } from '../context/tokens.ts';
import { serverAt } from '../model/model-server.ts';
import type { ModelProfile } from '../model/profile.ts';
import type { Usage } from '../model/reply.ts';
import { chatApi } from './chat-api.ts';
import { chooseApi, isOpenaiOrAzure } from './choose-api.ts';
import { connect, type ModelSurroundings } from './connection.ts';
import { type Dialects, dialects } from './dialect.ts';
import { callsBefore, estimatedUsage, writtenIn } from './estimated-usage.ts';
import { refusalText } from './feature-words.ts';
import { isMissingPath } from './features.ts';
import type { Model, ModelResult } from './model.ts';
import { cutOff, noReply, unsupported, withinPatience, withoutResponses } from './model-failure.ts';
import { dataSource } from './provider-data.ts';
import { responsesApi } from './responses-api.ts';
import { errorIn } from './responses-reply.ts';
import { sendRequest } from './send-request.ts';
import { stallWatch, systemTimer, type Timer } from './stall-watch.ts';
import { readCallsIn } from './tools-as-data.ts';
import type { PreparedRequest, StreamedReply } from './wire-api.ts';

export interface OpenaiModelOptions {
  /** Features that servers refused; all models of an engine share this memory. */
  readonly known?: Dialects;
  /** Counts tokens for servers that report no usage. */
  readonly count?: CountTokens;
  /** The most bytes to read of a response. */
  readonly mostBytes?: number;
  /** Measures the pauses of a stream. */
  readonly timer?: Timer;
}

const MOST_BYTES = 16_000_000;

const apis = { chat: chatApi, responses: responsesApi };

/** Sends one request per call, without retries. */
export function openaiModel(
  profile: ModelProfile,
  surroundings: ModelSurroundings,
  { known = dialects(), count = estimateTokens, mostBytes = MOST_BYTES, timer = systemTimer }: OpenaiModelOptions = {},
): Model {
  return {
    async ask(request, { signal, onDelta, onServer, headers }) {
      const connected = connect(request.model, profile, surroundings);
      if (!connected.ok) return bad({ failure: connected.error, isFree: true });
      const connection = connected.value;
      const { baseUrl, who } = connection;
      onServer?.(serverAt(baseUrl) ?? {});
      const dialect = known.of(baseUrl, profile.model);
      const wantsStream = profile.stream ?? onDelta !== undefined;
      const api = apis[chooseApi(profile, baseUrl, dialect)];
      const ownServer = isOpenaiOrAzure(baseUrl);
      const prepared = api.prepare(request, profile, dialect, { streams: wantsStream, baseUrl, ownServer });
      const stream = prepared.streams ? api.streamedReply(onDelta ?? (() => {})) : undefined;
      const watch = stallWatch(timer, { who, longest: profile.stallTimeout });
      const tried = await sendRequest(
        { connection, surroundings, signal, headers, watch, timeout: profile.timeout, mostBytes },
        (client, until) =>
          stream === undefined
            ? answerOf(client, prepared, until)
            : listen(client, prepared, until, { take: watched(stream, watch.heard), whole: stream.whole }),
      );
      watch.end();
      const heard = stream?.heard() ?? '';
      const isLost = heard !== '' || (!tried.ok && tried.error.isLost === true);
      const lost = isLost ? estimatedUsage(request, heard, count) : undefined;
      if (!tried.ok) {
        const { failure, refusal, isUnsent } = tried.error;
        if (isUnsent === true) return bad({ failure, isFree: true });
        // A prompt above the context window says nothing about features.
        const heeded = failure.code === 'MODEL_CONTEXT_EXCEEDED' ? undefined : refusal;
        const refused = heeded === undefined ? [] : dialect.hear(heeded, prepared.sent, prepared.answer);
        if (refused.length > 0) {
          const why = unsupported(who, refusalText(refused, chooseApi(profile, baseUrl, dialect)));
          return lost === undefined ? bad({ failure: why, isFree: true }) : failed(why, lost);
        }
        const isMissing = profile.api === 'responses' && refusal !== undefined && isMissingPath(refusal);
        const told = isMissing ? withoutResponses(failure) : failure;
        return failed(withinPatience(told, profile.maxRetryAfter), lost);
      }
      if (tried.value === undefined && heard !== '') return failed(cutOff(who), lost);
      const before = callsBefore(request);
      const parsed = api.readReply(tried.value, { callsBefore: before, from: dataSource(baseUrl, profile.model) });
      if (!parsed.ok) return failed(noReply(who, parsed.error), lost);
      const { reply: written, usage } = parsed.value;
      if (!prepared.streams) onDelta?.(written.text);
      const reply = readCallsIn(written, request, { toolsAsData: prepared.toolsAsData, callsBefore: before });
      return good({
        ...reply,
        ...(prepared.leftOut.length === 0 ? {} : { leftOut: prepared.leftOut }),
        usage: usage ?? estimatedUsage(request, writtenIn(written), count),
      });
    },
  };
}

async function answerOf(client: OpenAI, prepared: PreparedRequest, signal: AbortSignal): Promise<unknown> {
  const answered = await prepared.send(client, signal);
  await throwErrorIn(answered);
  return answered;
}

/** Some gateways answer with status 200 and put the error into the body. */
async function throwErrorIn(answered: unknown): Promise<void> {
  const error = errorIn(answered) ?? bareErrorIn(answered);
  if (error === undefined) return;
  const { APIError } = await import('openai');
  throw new APIError(undefined, error, undefined, undefined);
}

/** The error of a body that holds no response. */
function bareErrorIn(answered: unknown): JsonObject | undefined {
  if (!isJsonObject(answered) || answered.output !== undefined) return undefined;
  return isJsonObject(answered.error) ? answered.error : undefined;
}

function watched(stream: StreamedReply, heard: () => void): StreamedReply['take'] {
  return (event) => {
    heard();
    stream.take(event);
  };
}

async function listen(
  client: OpenAI,
  prepared: PreparedRequest,
  signal: AbortSignal,
  stream: Pick<StreamedReply, 'take' | 'whole'>,
): Promise<unknown> {
  for await (const event of await prepared.stream(client, signal)) stream.take(event);
  const whole = stream.whole();
  // An aborted stream ends without an error.
  if (whole === undefined) signal.throwIfAborted();
  await throwErrorIn(whole);
  return whole;
}

function failed(failure: Failure, usage: Usage | undefined): ModelResult {
  return bad({ failure, ...defined({ usage }) });
}
