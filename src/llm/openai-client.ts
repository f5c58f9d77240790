// A model on any server with the chat completions API, reached with OpenAI's client.
import type OpenAI from 'openai';
import type { Failure } from '../base/failure.ts';
import { defined, isJsonObject } from '../base/json.ts';
import { bad, good } from '../base/result.ts';
import { type CountTokens, estimateTokens } from '../context/tokens.ts';
import type { ModelProfile } from '../model/profile.ts';
import type { Usage } from '../model/reply.ts';
import { type ChatBody, chatBody } from './chat-body.ts';
import { readReply } from './chat-reply.ts';
import { type StreamedReply, streamedReply } from './chat-stream.ts';
import { connect, type ModelSurroundings } from './connection.ts';
import { type Dialects, dialects } from './dialect.ts';
import { callsBefore, estimatedUsage, writtenIn } from './estimated-usage.ts';
import type { Model, ModelResult } from './model.ts';
import { cutOff, noReply, unsupported } from './model-failure.ts';
import { sendRequest } from './send-request.ts';

export interface OpenaiModelOptions {
  /** Features that servers refused; all models of an engine share this memory. */
  readonly known?: Dialects;
  /** Counts tokens for servers that report no usage. */
  readonly count?: CountTokens;
  /** The most bytes to read of a response. */
  readonly mostBytes?: number;
}

const MOST_BYTES = 16_000_000;

/** Sends one request per call, without retries. */
export function openaiModel(
  profile: ModelProfile,
  surroundings: ModelSurroundings,
  { known = dialects(), count = estimateTokens, mostBytes = MOST_BYTES }: OpenaiModelOptions = {},
): Model {
  return {
    async ask(request, { signal, onDelta }) {
      const connected = connect(request.model, profile, surroundings);
      if (!connected.ok) return failed(connected.error, undefined);
      const connection = connected.value;
      const { baseUrl, ownServer, who } = connection;
      const dialect = known.of(baseUrl, profile.model, request);
      const stream = onDelta === undefined ? undefined : streamedReply(onDelta);
      const chat = chatBody(request, profile, dialect, { streams: stream !== undefined, ownServer });
      const tried = await sendRequest(
        { connection, surroundings, signal, timeout: profile.timeout, mostBytes },
        (client, until) => (stream === undefined ? answerOf(client, chat, until) : listen(client, chat, until, stream)),
      );
      const heard = stream?.heard() ?? '';
      const isLost = heard !== '' || (!tried.ok && tried.error.isLost === true);
      const lost = isLost ? estimatedUsage(request, heard, count) : undefined;
      if (!tried.ok) {
        const { failure, refusal } = tried.error;
        // A prompt above the context window says nothing about features.
        const heeded = failure.code === 'MODEL_CONTEXT_EXCEEDED' ? undefined : refusal;
        const feature = heeded && dialect.hear(heeded, chat.sent, request.answer);
        return failed(feature === undefined ? failure : unsupported(who, feature), lost);
      }
      if (tried.value === undefined && heard !== '') return failed(cutOff(who), lost);
      const parsed = readReply(tried.value, callsBefore(request));
      if (!parsed.ok) return failed(noReply(who, parsed.error), lost);
      const { reply, usage } = parsed.value;
      return good({ ...reply, usage: usage ?? estimatedUsage(request, writtenIn(reply), count) });
    },
  };
}

async function answerOf(client: OpenAI, { body }: ChatBody, signal: AbortSignal): Promise<unknown> {
  const answered: unknown = await client.chat.completions.create(body, { signal });
  // Some gateways answer with status 200 and put the error into the body.
  if (isJsonObject(answered) && isJsonObject(answered.error)) {
    const { APIError } = await import('openai');
    throw new APIError(undefined, answered.error, undefined, undefined);
  }
  return answered;
}

async function listen(
  client: OpenAI,
  { body }: ChatBody,
  signal: AbortSignal,
  stream: StreamedReply,
): Promise<unknown> {
  const chunks: AsyncIterable<unknown> = await client.chat.completions.create({ ...body, stream: true }, { signal });
  for await (const chunk of chunks) stream.take(chunk);
  const whole = stream.whole();
  // An aborted stream ends without an error.
  if (whole === undefined) signal.throwIfAborted();
  return whole;
}

function failed(failure: Failure, usage: Usage | undefined): ModelResult {
  return bad({ failure, ...defined({ usage }) });
}
