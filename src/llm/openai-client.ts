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
import { featureName } from './feature-words.ts';
import type { Model, ModelResult } from './model.ts';
import { cutOff, noReply, unsupported, withinPatience } from './model-failure.ts';
import { dataSource } from './provider-data.ts';
import { sendRequest } from './send-request.ts';
import { stallWatch, systemTimer, type Timer } from './stall-watch.ts';
import { readDataReply } from './tools-as-data.ts';

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

/** Sends one request per call, without retries. */
export function openaiModel(
  profile: ModelProfile,
  surroundings: ModelSurroundings,
  { known = dialects(), count = estimateTokens, mostBytes = MOST_BYTES, timer = systemTimer }: OpenaiModelOptions = {},
): Model {
  return {
    async ask(request, { signal, onDelta }) {
      const connected = connect(request.model, profile, surroundings);
      if (!connected.ok) return failed(connected.error, undefined);
      const connection = connected.value;
      const { baseUrl, ownServer, who } = connection;
      const dialect = known.of(baseUrl, profile.model);
      const wantsStream = profile.stream ?? onDelta !== undefined;
      const chat = chatBody(request, profile, dialect, { streams: wantsStream, baseUrl, ownServer });
      const stream = chat.streams ? streamedReply(onDelta ?? (() => {})) : undefined;
      const watch = stallWatch(timer, { who, longest: profile.stallTimeout });
      const tried = await sendRequest(
        { connection, surroundings, signal, watch, timeout: profile.timeout, mostBytes },
        (client, until) =>
          stream === undefined
            ? answerOf(client, chat, until)
            : listen(client, chat, until, { take: watched(stream, watch.heard), whole: stream.whole }),
      );
      watch.end();
      const heard = stream?.heard() ?? '';
      const isLost = heard !== '' || (!tried.ok && tried.error.isLost === true);
      const lost = isLost ? estimatedUsage(request, heard, count) : undefined;
      if (!tried.ok) {
        const { failure, refusal } = tried.error;
        // A prompt above the context window says nothing about features.
        const heeded = failure.code === 'MODEL_CONTEXT_EXCEEDED' ? undefined : refusal;
        const refused = heeded === undefined ? [] : dialect.hear(heeded, chat.sent, chat.answer);
        if (refused.length > 0) return failed(unsupported(who, refused.map(featureName)), lost);
        return failed(withinPatience(failure, profile.maxRetryAfter), lost);
      }
      if (tried.value === undefined && heard !== '') return failed(cutOff(who), lost);
      const before = callsBefore(request);
      const parsed = readReply(tried.value, { callsBefore: before, from: dataSource(baseUrl, profile.model) });
      if (!parsed.ok) return failed(noReply(who, parsed.error), lost);
      const { reply: written, usage } = parsed.value;
      if (!chat.streams) onDelta?.(written.text);
      const reply = chat.toolsAsData ? readDataReply(written, request, before) : written;
      return good({
        ...reply,
        ...(chat.leftOut.length === 0 ? {} : { leftOut: chat.leftOut }),
        usage: usage ?? estimatedUsage(request, writtenIn(written), count),
      });
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

function watched(stream: StreamedReply, heard: () => void): StreamedReply['take'] {
  return (chunk) => {
    heard();
    stream.take(chunk);
  };
}

async function listen(
  client: OpenAI,
  { body }: ChatBody,
  signal: AbortSignal,
  stream: Pick<StreamedReply, 'take' | 'whole'>,
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
