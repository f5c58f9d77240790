// Reads texts of messages and of their pieces, and describes a response that is only text.
import { isJsonArray, type Json, ownProperty } from '../base/json.ts';

/** Some servers send text in parts. */
export function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!isJsonArray(content)) return '';
  return content
    .map((part) => ownProperty(part, 'text'))
    .filter((text) => typeof text === 'string')
    .join('');
}

/** A text, or nothing where a server sent another value. */
export function textOrNothing(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Describes a response that is text instead of JSON. */
export function plainTextReply(text: string): string {
  return `text that is no JSON${/^\s*<(?:!doctype|html)/i.test(text) ? ' but HTML' : ''}`;
}
