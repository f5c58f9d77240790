// Explains errors that models of the AI SDK throw.
import { type Failure, failure } from '../base/failure.ts';
import { HUNG_UP, NEVER_CONNECTED, type RequestError, systemCodeIn } from './explain-error.ts';
import { cutOff, refusalFailure, unreachableServer } from './model-failure.ts';
import { readRefusal } from './read-refusal.ts';

/** Errors about the settings of a provider, such as a missing key. */
const unset: readonly string[] = ['AI_LoadAPIKeyError', 'AI_LoadSettingError'];
/** Errors about a request that the provider does not send. */
const unsent: readonly string[] = [
  'AI_InvalidArgumentError',
  'AI_InvalidPromptError',
  'AI_NoSuchModelError',
  'AI_NoSuchProviderReferenceError',
  'AI_UnsupportedFunctionalityError',
];
/** Errors about a response that cannot be read. */
const unread: readonly string[] = [
  'AI_EmptyResponseBodyError',
  'AI_InvalidResponseDataError',
  'AI_JSONParseError',
  'AI_NoContentGeneratedError',
  'AI_TypeValidationError',
];

/**
 * @param who the model as messages name it
 * @param heard the text that had arrived
 */
export function explainAiSdkError(thrown: unknown, who: string, heard: string): RequestError {
  if (!(thrown instanceof Error)) return told(thrown, who);
  // Errors are told apart by name, because each provider may bring its own copy of the SDK.
  if (thrown.name === 'AI_APICallError') return callError(thrown, who);
  if (unset.includes(thrown.name)) {
    return {
      failure: failure('MODEL_NOT_CONFIGURED', `${who} cannot be asked: ${thrown.message}`, { retry: 'never' }),
      isUnsent: true,
    };
  }
  if (unsent.includes(thrown.name)) {
    const message = `the provider of ${who} does not send the request: ${thrown.message}`;
    return { failure: failure('MODEL_REQUEST_REFUSED', message, { retry: 'never' }), isUnsent: true };
  }
  if (heard !== '' && /without a finish reason/i.test(thrown.message)) return { failure: cutOff(who), isLost: true };
  if (unread.includes(thrown.name)) return { failure: invalidReply(who, `something unreadable: ${thrown.message}`) };
  return connectionError(thrown, who) ?? { failure: failure('MODEL_UNAVAILABLE', `${who} failed: ${thrown.message}`) };
}

/** An error response, a response that cannot be read, or a connection that failed. */
function callError(thrown: Error, who: string): RequestError {
  const status = 'statusCode' in thrown && typeof thrown.statusCode === 'number' ? thrown.statusCode : undefined;
  if (status !== undefined && status >= 400) {
    const error = bodyOf(thrown);
    const refusal = readRefusal({ status, error, message: thrown.message, headers: headersOf(thrown) }, (text) => text);
    return { failure: refusalFailure(who, refusal), refusal };
  }
  const connection = connectionError(thrown, who);
  if (connection !== undefined) return connection;
  return {
    failure:
      status === undefined
        ? unreachableServer(who, thrown.message)
        : invalidReply(who, `something unreadable: ${thrown.message}`),
  };
}

function connectionError(thrown: Error, who: string): RequestError | undefined {
  const why = systemCodeIn(thrown);
  if (HUNG_UP.includes(why) || isTerminated(thrown)) return { failure: cutOff(who, why), isLost: true };
  if (why !== undefined && NEVER_CONNECTED.test(why)) return { failure: unreachableServer(who, why), isUnsent: true };
  return why === undefined || !/^(?:E[A-Z]+|UND_ERR_\w+)$/.test(why)
    ? undefined
    : { failure: unreachableServer(who, why) };
}

/** Node throws this when the connection breaks while a response is being read. */
function isTerminated(thrown: unknown, depth = 0): boolean {
  if (!(thrown instanceof Error) || depth > 4) return false;
  return (thrown instanceof TypeError && thrown.message === 'terminated') || isTerminated(thrown.cause, depth + 1);
}

/** An error inside a stream, which may have any shape. */
function told(thrown: unknown, who: string): RequestError {
  const refusal = readRefusal({ error: thrown, message: '', headers: new Headers() }, (text) => text);
  return { failure: refusalFailure(who, refusal), refusal };
}

/** The error in the body of the response, as the server wrote it. */
function bodyOf(thrown: Error): unknown {
  const text = 'responseBody' in thrown && typeof thrown.responseBody === 'string' ? thrown.responseBody : '';
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && 'error' in body ? body.error : body;
  } catch {
    return undefined;
  }
}

function headersOf(thrown: Error): Headers {
  const headers = new Headers();
  const given = 'responseHeaders' in thrown ? thrown.responseHeaders : undefined;
  for (const [name, value] of Object.entries(given ?? {})) if (typeof value === 'string') headers.set(name, value);
  return headers;
}

/** @param what describes the reply */
export function invalidReply(who: string, what: string): Failure {
  return failure('MODEL_REPLY_INVALID', `${who} answered ${what}`);
}
