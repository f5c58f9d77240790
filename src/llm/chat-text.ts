// Reads the text of a message's content, and describes a response that is only text.
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

/** Describes a response that is text instead of JSON. */
export function plainTextReply(text: string): string {
  return `text that is no JSON${/^\s*<(?:!doctype|html)/i.test(text) ? ' but HTML' : ''}`;
}
