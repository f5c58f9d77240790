// The error bodies of model servers, in the forms that they have.
import { defined, type Json } from '../../base/json.ts';
import type { Refusal } from '../../llm/model-failure.ts';
import type { ErrorForm } from './server-traits.ts';

export interface ServerError extends Omit<Refusal, 'params'> {
  readonly param?: string;
  /** The errors of a validator, one for each field. */
  readonly detail?: readonly Json[];
  /** The model behind a router refused the request, not the router. */
  readonly isUpstream?: true;
}

const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

export function errorBody(form: ErrorForm, error: ServerError): Json {
  const { status, message = `refused with ${status}`, code = null, param = null, detail } = error;
  const type = status < 500 ? 'invalid_request_error' : 'server_error';
  switch (form) {
    case 'openai':
      return { error: { message, type, param, code } };
    case 'flat':
      return { object: 'error', message: detail === undefined ? message : { detail }, type, param, code };
    case 'list':
      return [{ error: { code: status, message, status: statusNames[status] ?? 'INTERNAL' } }];
    case 'text':
      return { error: message };
    case 'numbered':
      return { error: { code: status, message, type, ...defined({ param: error.param }) } };
    case 'routed':
      return error.isUpstream === true
        ? {
            error: {
              message: 'Provider returned error',
              code: status,
              metadata: { raw: message, provider_name: 'Upstream' },
            },
          }
        : { error: { message, code: status } };
  }
}
