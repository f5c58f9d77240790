// Assembles the provider's own data of a streamed reply, such as reasoning, from its pieces.
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import { textOrNothing } from './chat-text.ts';

export interface StreamedData {
  take(delta: Json | undefined): void;
  /** The reasoning so far. */
  heard(): string;
  /** Keys of the whole message. @param content the text of the answer */
  whole(content: string): JsonObject;
}

export function streamedData(): StreamedData {
  let reasoning_content = '';
  let reasoning = '';
  let extra_content: Json = null;
  const details: Json[] = [];
  let thinking: Json[] = [];
  const blocks: Json[] = [];

  return {
    take(delta) {
      reasoning_content += textIn(delta, 'reasoning_content');
      reasoning += textIn(delta, 'reasoning');
      extra_content = ownProperty(delta, 'extra_content') ?? extra_content;
      const fields = ownProperty(delta, 'provider_specific_fields');
      const pieces = ownProperty(delta, 'reasoning_details') ?? ownProperty(fields, 'reasoning_details');
      if (isJsonArray(pieces)) for (const piece of pieces) addDetail(details, piece);
      const thoughts = ownProperty(delta, 'thinking_blocks');
      if (isJsonArray(thoughts)) for (const thought of thoughts) addThought(blocks, thought);
      const parts = ownProperty(delta, 'content');
      if (isJsonArray(parts)) {
        thinking = thinking.concat(parts.filter((part) => ownProperty(part, 'type') === 'thinking'));
      }
    },
    heard: () => reasoning_content || reasoning,
    whole(content) {
      return {
        ...(reasoning_content === '' ? {} : { reasoning_content }),
        ...(reasoning === '' ? {} : { reasoning }),
        ...(details.length === 0 ? {} : { reasoning_details: details }),
        ...(blocks.length === 0 ? {} : { thinking_blocks: blocks }),
        ...(extra_content === null ? {} : { extra_content }),
        ...(thinking.length === 0 ? {} : { content: [thinkingPart(thinking), { type: 'text', text: content }] }),
      };
    },
  };
}

function textIn(delta: Json | undefined, key: string): string {
  return textOrNothing(ownProperty(delta, key));
}

/** Pieces of one detail have the same index: their texts follow one another, and other keys replace earlier ones. */
function addDetail(details: Json[], piece: Json): void {
  const index = ownProperty(piece, 'index');
  const at = index === undefined ? -1 : details.findIndex((each) => ownProperty(each, 'index') === index);
  const before = details[at];
  if (!isJsonObject(before) || !isJsonObject(piece)) {
    details.push(piece);
    return;
  }
  const joined = ['text', 'summary', 'data'].flatMap((key) => {
    const text = textIn(before, key) + textIn(piece, key);
    return text === '' ? [] : [[key, text] as const];
  });
  const fresh = Object.entries(piece).filter(([, value]) => value !== null);
  details[at] = { ...before, ...Object.fromEntries(fresh), ...Object.fromEntries(joined) };
}

/** A block of thoughts comes in pieces, and ends with its signature. */
function addThought(blocks: Json[], piece: Json): void {
  const last = blocks.at(-1);
  const isOpen = ownProperty(last, 'type') === 'thinking' && textIn(last, 'signature') === '';
  if (!isOpen || ownProperty(piece, 'type') !== 'thinking') {
    blocks.push(piece);
    return;
  }
  const thinking = textIn(last, 'thinking') + textIn(piece, 'thinking');
  blocks[blocks.length - 1] = { type: 'thinking', thinking, signature: textIn(piece, 'signature') };
}

function thinkingPart(parts: readonly Json[]): JsonObject {
  const texts = parts.flatMap((part) => {
    const inner = ownProperty(part, 'thinking');
    return isJsonArray(inner) ? inner.map((each) => textIn(each, 'text')) : [];
  });
  return { type: 'thinking', thinking: [{ type: 'text', text: texts.join('') }] };
}
