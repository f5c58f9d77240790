// One way to ask a server for a reply: the body of a request, its stream, and the meaning of a response.
import type OpenAI from 'openai';
import type { Result } from '../base/result.ts';
import type { ModelProfile } from '../model/profile.ts';
import type { ModelReply, Usage } from '../model/reply.ts';
import type { AnswerShape, ModelRequest } from '../model/request.ts';
import type { Dialect } from './dialect.ts';
import type { Feature } from './features.ts';
import type { DataSource } from './provider-data.ts';

/** Sends requests in one API of OpenAI. */
export interface WireApi {
  prepare(request: ModelRequest, profile: ModelProfile, dialect: Dialect, options: BodyOptions): PreparedRequest;
  /** @param onText receives each piece of the answer's text as it arrives */
  streamedReply(onText: (text: string) => void): StreamedReply;
  /** Reads a whole response, which may have any shape. Refused with a description of the response. */
  readReply(answered: unknown, context: ReplyContext): Result<ParsedReply, string>;
}

export interface BodyOptions {
  readonly streams: boolean;
  readonly baseUrl: string;
  /** True for OpenAI and Azure, which take tools beside a format, and whose newest models refuse outdated parameters. */
  readonly ownServer: boolean;
}

/** The features of a server that a request uses. */
export interface RequestFeatures {
  /** The features in the body that a server may refuse. */
  readonly sent: readonly Feature[];
  /** The features that the body lacks because the server refused them before. */
  readonly leftOut: readonly Feature[];
  /** The shape of the answer that the body asks for. */
  readonly answer?: AnswerShape;
  /** Tool calls are asked for as data, so the reply holds them as data. */
  readonly toolsAsData: boolean;
  /** False for a request that the server would refuse to stream. */
  readonly streams: boolean;
}

export interface PreparedRequest extends RequestFeatures {
  /** Returns the whole response. */
  send(client: OpenAI, signal: AbortSignal): Promise<unknown>;
  /** Returns the events of the response as they arrive. */
  stream(client: OpenAI, signal: AbortSignal): Promise<AsyncIterable<unknown>>;
}

export interface StreamedReply {
  take(event: unknown): void;
  /** All text so far, of the answer, of reasoning and of tool calls. */
  heard(): string;
  /** The whole response; undefined when the stream ended early, which means that it was cut off. */
  whole(): unknown;
}

export interface ReplyContext {
  /** The number of earlier tool calls in the conversation, from which calls without an id are numbered. */
  readonly callsBefore: number;
  /** The server and the model that answered. */
  readonly from: DataSource;
}

export interface ParsedReply {
  readonly reply: Omit<ModelReply, 'usage'>;
  /** Absent when the server did not report it. */
  readonly usage?: Usage;
}
