// The key under which OpenAI caches prompts that begin alike.
import { digestOfText } from '../base/digest.ts';
import type { Message } from '../model/request.ts';

/** A hash of the system message, which all requests of one kind share; undefined without a system message. */
export function cacheKey([first]: readonly Message[]): string | undefined {
  return first?.role === 'system' ? digestOfText(first.content) : undefined;
}
