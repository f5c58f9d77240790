// An HTTP server with chat completions, the Responses API and embeddings, and with scripted replies and failures, for tests and demonstrations.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { type OptionTable, refuseOptions } from '../base/options.ts';
import { estimateTokens } from '../context/tokens.ts';
import type { Feature } from '../llm/features.ts';
import { playScript, type Script } from '../llm/script.ts';
import { wordEmbedder } from '../llm/word-embedder.ts';
import { answerChat } from './chat-endpoint.ts';
import { answerResponses } from './responses-endpoint.ts';
import { sendError, sendJson } from './send-json.ts';
import { ignoredIn } from './servers/check-request.ts';
import { plainServer } from './servers/plain-server.ts';
import { type ServerKind, traitsOfServer } from './servers/server-kinds.ts';
import type { ServerTraits } from './servers/server-traits.ts';

export interface ModelServerOptions {
  readonly script?: Script;
  /**
   * The server to be like: it refuses, ignores and wants back the same, and its replies and errors have the same form.
   * Absent: it takes everything.
   */
  readonly like?: ServerKind;
  /** The required bearer key; absent when none is required. */
  readonly key?: string;
  /** Further request features that it refuses. */
  readonly refuses?: readonly Feature[];
  /** The model names that it lists; absent: those of the server that it is like. */
  readonly models?: readonly string[];
}

const optionTable: OptionTable<ModelServerOptions> = {
  script: 'any',
  like: 'text',
  key: 'text',
  refuses: 'list',
  models: 'list',
};

export interface ServedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null without a JSON body. */
  readonly body: Json;
  /** Keys of the body that this server takes without heeding them; absent: none. */
  readonly ignored?: readonly string[];
  /** The status of the response; undefined until it begins. */
  readonly status: number | undefined;
}

export interface ModelServer {
  /** The base URL for `base_url`. */
  readonly url: string;
  /** The name of its first model, for `model`. */
  readonly model: string;
  /** The received requests, in order. */
  readonly requests: readonly ServedRequest[];
  /** Rules with replies left. */
  unused(): Script;
  /** Stops the server and cuts open connections. */
  close(): Promise<void>;
}

/** Listens on the loopback interface, at a free port. */
export async function openModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  refuseOptions('openModelServer', options, optionTable);
  const { script = [], key, refuses = [], like } = options;
  const own = like === undefined ? plainServer(refuses) : traitsOfServer(like);
  const [first = own.models[0], ...others] = options.models ?? own.models;
  const traits: ServerTraits = {
    ...own,
    models: [first, ...others],
    refuses: [...own.refuses, ...(like === undefined ? [] : plainServer(refuses).refuses)],
  };
  const responsesRefuses = like === undefined ? refuses : (traits.responses ?? ['responses']);
  const player = playScript(script);
  const requests: ServedRequest[] = [];
  let turn = 0;

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await readRequest(message);
    const ignored = isJsonObject(received.body) ? ignoredIn(received.body, traits) : [];
    const request = {
      ...received,
      ...(ignored.length === 0 ? {} : { ignored }),
      get status() {
        return response.headersSent ? response.statusCode : undefined;
      },
    };
    requests.push(request);
    if (key !== undefined && request.headers.authorization !== `Bearer ${key}`) {
      const given = request.headers.authorization ?? 'none';
      return sendError(response, traits.errors, {
        status: 401,
        message: `Incorrect API key provided: ${given}`,
        code: 'invalid_api_key',
      });
    }
    switch (`${request.method} ${request.path}`) {
      case 'GET /v1/models':
        return sendJson(
          response,
          200,
          listOf(traits.models.map((id) => ({ id, object: 'model', owned_by: 'reconverge' }))),
        );
      case 'POST /v1/embeddings':
        return sendEmbeddings(response, request.body, traits);
      case 'POST /v1/chat/completions':
        turn += 1;
        return answerChat(response, request.body, {
          player,
          traits,
          isLike: like !== undefined,
          turn,
          count: estimateTokens,
        });
      case 'POST /v1/responses':
        turn += 1;
        return answerResponses(response, request.body, {
          player,
          refuses: responsesRefuses,
          turn,
          count: estimateTokens,
        });
      default:
        return sendError(response, traits.errors, {
          status: 404,
          message: `there is no ${request.method} ${request.path}`,
        });
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
    model: first,
    requests,
    unused: player.unused,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function readRequest(message: IncomingMessage): Promise<Omit<ServedRequest, 'status'>> {
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

async function sendEmbeddings(response: ServerResponse, body: Json, { errors }: ServerTraits): Promise<void> {
  const input = isJsonObject(body) ? body.input : undefined;
  const texts = (isJsonArray(input) ? input : [input]).filter((each) => typeof each === 'string');
  const embedded = await wordEmbedder.embed(texts, new AbortController().signal);
  if (!embedded.ok || texts.length === 0) {
    return sendError(response, errors, { status: 400, message: '`input` holds no text' });
  }
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
