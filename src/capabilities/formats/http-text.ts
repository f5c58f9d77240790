// Reads the body of an HTTP response as text or JSON, as its headers tell.
import type { Json } from '../../base/json.ts';
import { CapabilityError } from '../capability-error.ts';
import type { HttpAnswer } from '../http/access.ts';
import { decode } from './decode.ts';

/** @throws CapabilityError HTTP_NOT_TEXT, JSON_BROKEN */
export function contentOf({ headers, body, url }: HttpAnswer): { readonly json?: Json; readonly text?: string } {
  if (body.length === 0) return {};
  const type = headers['content-type'] ?? '';
  const text = textOf(body, /charset="?([^\s;"]+)/i.exec(type)?.[1], new URL(url).host);
  if (!/[/+]json\b/i.test(type)) return { text };
  try {
    return { json: JSON.parse(text) };
  } catch {
    throw new CapabilityError('JSON_BROKEN', `what ${new URL(url).host} answers as JSON is none`);
  }
}

function textOf(body: Buffer, charset: string | undefined, host: string): string {
  if (charset === undefined && body.includes(0)) {
    throw new CapabilityError('HTTP_NOT_TEXT', `${host} answers with something that is no text; use http.download`, {
      retry: 'never',
    });
  }
  try {
    return charset === undefined ? decode(body) : new TextDecoder(charset).decode(body);
  } catch {
    return decode(body);
  }
}
