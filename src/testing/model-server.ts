// An HTTP server with the OpenAI protocol and scripted replies and failures, for tests and demonstrations.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { estimateTokens } from '../context/tokens.ts';
import type { Feature } from '../llm/features.ts';
import { playScript, type Script } from '../llm/script.ts';
import { wordEmbedder } from '../llm/word-embedder.ts';
import { answerChat } from './chat-endpoint.ts';
import { refuse, sendJson } from './send-json.ts';

export interface ModelServerOptions {
  readonly script?: Script;
  /** The required bearer key; absent when none is required. */
  readonly key?: string;
  /** Request features that it refuses. */
  readonly refuses?: readonly Feature[];
  /** The model names that it lists. */
  readonly models?: readonly string[];
}

export interface ServedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null without a JSON body. */
  readonly body: Json;
}

export interface ModelServer {
  /** The base URL for `base_url`. */
  readonly url: string;
  /** The received requests, in order. */
  readonly requests: readonly ServedRequest[];
  /** Rules with replies left. */
  unused(): Script;
  /** Stops the server and cuts open connections. */
  close(): Promise<void>;
}

/** Listens on the loopback interface, at a free port. */
export async function openModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const { script = [], key, refuses = [], models = ['scripted'] } = options;
  const player = playScript(script);
  const requests: ServedRequest[] = [];
  let turn = 0;

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(message);
    requests.push(request);
    if (key !== undefined && request.headers.authorization !== `Bearer ${key}`) {
      const given = request.headers.authorization ?? 'none';
      return refuse(response, {
        status: 401,
        message: `Incorrect API key provided: ${given}`,
        code: 'invalid_api_key',
      });
    }
    switch (`${request.method} ${request.path}`) {
      case 'GET /v1/models':
        return sendJson(response, 200, listOf(models.map((id) => ({ id, object: 'model', owned_by: 'reconverge' }))));
      case 'POST /v1/embeddings':
        return sendEmbeddings(response, request.body);
      case 'POST /v1/chat/completions':
        turn += 1;
        return answerChat(response, request.body, { player, refuses, turn, count: estimateTokens });
      default:
        return refuse(response, { status: 404, message: `there is no ${request.method} ${request.path}` });
    }
  }

  const server = createServer((message, response) => {
    serve(message, response).catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    unused: player.unused,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function readRequest(message: IncomingMessage): Promise<ServedRequest> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of message) chunks.push(chunk);
  const headers = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: message.method ?? '',
    path: (message.url ?? '').replace(/\?.*$/, ''),
    headers: Object.fromEntries(headers),
    body: parsed(Buffer.concat(chunks).toString('utf8')),
  };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function sendEmbeddings(response: ServerResponse, body: Json): Promise<void> {
  const input = isJsonObject(body) ? body.input : undefined;
  const texts = (isJsonArray(input) ? input : [input]).filter((each) => typeof each === 'string');
  const embedded = await wordEmbedder.embed(texts, new AbortController().signal);
  if (!embedded.ok || texts.length === 0) return refuse(response, { status: 400, message: '`input` holds no text' });
  const data = embedded.value.vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  const used = embedded.value.usage.input;
  sendJson(response, 200, {
    ...listOf(data),
    model: isJsonObject(body) ? (body.model ?? null) : null,
    usage: { prompt_tokens: used, total_tokens: used },
  });
}

function listOf(data: readonly Json[]): JsonObject {
  return { object: 'list', data };
}
