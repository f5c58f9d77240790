// Reads the text of a message's content.
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
