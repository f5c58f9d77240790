// Explains errors of the SDK, the system and HTTP: the cause, and whether the request was carried out.

import { statSync } from 'node:fs';
import { SdkErrorCode } from '@modelcontextprotocol/client';
import { defined } from '../../base/json.ts';
import type { HttpServer, McpServer } from '../../template/keys/mcp-server.ts';
import { messageOf, systemCode } from '../capability-error.ts';
import { HttpRefusal } from './guarded-fetch.ts';
import { type McpError, mcpError } from './mcp-error.ts';
import type { ProcessEnding } from './server-process.ts';
import { inputRequestedText } from './tool-result.ts';

export interface ServerEvidence {
  /** The exit of the process; undefined while it runs. */
  readonly ending: ProcessEnding | undefined;
  /** The server sent a message above the size limit. */
  readonly overflown: boolean;
  /** The last line on standard error. */
  readonly last: string;
  /** The HTTP session id that the server gave us. */
  readonly session?: string | undefined;
}

/** Our own code for an HTTP stream that ended without its answer. */
export const STREAM_CUT = -31_999;

/** @param asked the JSON-RPC method, or `connect` */
export function explainError(error: unknown, server: McpServer, asked: string, seen: ServerEvidence): McpError {
  const who = `server "${server.name}"`;
  if (seen.overflown) {
    return mcpError('MCP_RESULT_TOO_LARGE', `${who} answered with more than is read; ask it for less at a time`, {
      retry: 'never',
      fate: 'unknown',
    });
  }
  if (error instanceof HttpRefusal) return refused(error, who, asked, seen);
  const code = codeOf(error);
  if (code === SdkErrorCode.RequestTimeout) return late(server, who);
  if (seen.ending !== undefined) return ended(who, seen.ending, seen.last, asked);
  if (!('url' in server) && typeof code === 'string' && asked === 'connect' && !code.startsWith('CONNECTION')) {
    return notStarted(error, server, who);
  }
  if (code === SdkErrorCode.ConnectionClosed || code === STREAM_CUT)
    return lost(`the connection to ${who} broke off`, 'unknown');
  if (code === SdkErrorCode.NotConnected || messageOf(error) === 'Not connected') {
    return lost(`the connection to ${who} was closed`, 'refused');
  }
  if (typeof code === 'number') return answeredError(code, error, who, asked);
  if ('url' in server && isNetworkError(error)) return network(error, server, who);
  return mcpError(
    'MCP_ANSWER_INVALID',
    `${who} answered what the protocol does not know: ${firstLine(messageOf(error))}`,
    {
      fate: 'unknown',
    },
  );
}

/** JSON-RPC codes: unknown method, unsupported protocol version. */
const OTHER_PROTOCOL = /-32601|-32022/;

/** True when a server refuses the handshake because it supports no protocol version with one. */
export function isOtherProtocol(error: unknown): boolean {
  return OTHER_PROTOCOL.test(error instanceof HttpRefusal ? error.said : String(codeOf(error)));
}

function codeOf(error: unknown): string | number | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? code : undefined;
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').slice(0, 300);
}

function late({ connectTimeout, ...server }: McpServer, who: string): McpError {
  const talks = 'url' in server ? 'a streamable HTTP address' : 'a server that speaks over standard input and output';
  return mcpError('MCP_CONNECT_TIMEOUT', `${who} did not answer within ${connectTimeout / 1_000} s`, {
    hint: `check that it is ${talks}; raise connect_timeout if it is only slow`,
  });
}

function ended(who: string, { code, signal }: ProcessEnding, last: string, asked: string): McpError {
  const how = code === null ? `by ${signal ?? 'a signal'}` : `with exit code ${code}`;
  const said = last === '' ? '' : `; it said: ${firstLine(last)}`;
  return {
    ...lost(`${who} ended ${how} before it answered${said}`, asked === 'connect' ? 'refused' : 'unknown'),
    hint: 'start it by hand to see why; it gets only the variables under env, and PATH, HOME and the like',
  };
}

function lost(message: string, fate: McpError['fate']): McpError {
  return mcpError('MCP_CONNECTION_LOST', message, { fate, lost: true });
}

function notStarted(error: unknown, server: McpServer, who: string): McpError {
  const { command = '', cwd = '.' } = 'url' in server ? {} : server;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: isFolder(cwd) ? `there is no command "${command}"` : `there is no folder "${cwd}" to start it in`,
    EACCES: `"${command}" may not be executed`,
  };
  const why = reasons[systemCode(error) ?? ''] ?? messageOf(error);
  return mcpError('MCP_START_FAILED', `${who} cannot be started: ${why}`, {
    retry: 'never',
    hint: 'install it, or name it by its path; paths are relative to the template',
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function refused(
  { status, said, retryAfter }: HttpRefusal,
  who: string,
  asked: string,
  { session }: ServerEvidence,
): McpError {
  const wait = defined({ retryAfter });
  if (status === 401 || status === 403) {
    return mcpError('MCP_UNAUTHORIZED', `${who} refused our credentials: HTTP ${status}`, {
      retry: 'never',
      hint: 'send credentials: headers: { Authorization: "Bearer ${secret.NAME}" }',
    });
  }
  // The protocol requires 404; servers modelled on an early example answer 400.
  if (session !== undefined && (status === 404 || (status === 400 && /session/i.test(said)))) {
    return { ...lost(`${who} has forgotten our session`, 'refused') };
  }
  if (status === 429) return mcpError('MCP_RATE_LIMITED', `${who} gets too many requests: HTTP 429`, wait);
  if (status === 503) return mcpError('MCP_UNREACHABLE', `${who} is not available: HTTP 503`, wait);
  if (asked === 'tools/call' && WANTS_INPUT.test(said)) return inputRequested(who);
  const text = said === '' ? '' : `: ${firstLine(said)}`;
  return mcpError('MCP_REFUSED', `${who} refused ${asked} with HTTP ${status}${text}`, {
    retry: status >= 500 ? 'may' : 'never',
    fate: status >= 500 ? 'unknown' : 'refused',
    ...(asked === 'connect'
      ? { hint: 'check that url is the address of its MCP endpoint, which often ends in /mcp' }
      : {}),
  });
}

/** JSON-RPC codes: invalid request, unknown method, invalid parameters. */
const hopeless: ReadonlySet<number> = new Set([-32_600, -32_601, -32_602]);

/** JSON-RPC codes: the tool needs input from a person, a model reply, a list of folders, or a visit to a page. */
const WANTS_INPUT = /-320(?:21|42)\b/;

function inputRequested(who: string): McpError {
  return mcpError('MCP_INPUT_REQUESTED', inputRequestedText(who), { retry: 'never', fate: undefined });
}

function answeredError(code: number, error: unknown, who: string, asked: string): McpError {
  if (asked === 'tools/call' && WANTS_INPUT.test(String(code))) return inputRequested(who);
  const text = firstLine(messageOf(error).replace(/^MCP error -?\d+: /, ''));
  const data = error instanceof Error && 'data' in error ? error.data : undefined;
  const more = data === undefined ? '' : `, ${firstLine(JSON.stringify(data))}`;
  const message = `${who} refused ${asked}: ${text} (error ${code}${more})`;
  return mcpError(asked === 'tools/call' ? 'MCP_TOOL_FAILED' : 'MCP_REFUSED', message, {
    // Other errors may occur after the tool began.
    ...(hopeless.has(code) ? { retry: 'never' } : { fate: undefined }),
  });
}

function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError || systemCode(causeOf(error)) !== undefined;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

const neverSent: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its host cannot be looked up now',
  EHOSTUNREACH: 'its host is out of reach',
  ENETUNREACH: 'its network is out of reach',
  UND_ERR_CONNECT_TIMEOUT: 'its host does not answer',
};

function network(error: unknown, { url }: HttpServer, who: string): McpError {
  const cause = causeOf(error);
  const code = systemCode(cause);
  // Errors without a system code come from fetch itself.
  const why = code === undefined ? messageOf(cause ?? error) : neverSent[code];
  if (why === undefined) return lost(`the connection to ${who} broke off`, 'unknown');
  const { host } = new URL(url);
  return mcpError('MCP_UNREACHABLE', `${who} cannot be reached at ${host}: ${why}`, {
    hint: 'start it first, or correct its url',
  });
}
