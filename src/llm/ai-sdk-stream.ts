// Assembles a stream of the AI SDK into the same shape as a whole result.
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { textOrNothing } from './chat-text.ts';

export interface StreamedResult {
  /** @throws the error that a part of the stream reports */
  take(part: unknown): void;
  /** All text so far, of the answer, of reasoning and of tool calls. */
  heard(): string;
  /** The whole result; undefined when the stream ended early, which means that it was cut off. */
  whole(): JsonObject | undefined;
}

/** @param onText receives each piece of the answer's text as it arrives */
export function streamedResult(onText: (text: string) => void): StreamedResult {
  let heard = '';
  let finish: JsonObject | undefined;
  let warnings: Json = [];
  const response: Record<string, Json> = {};
  const content: Record<string, Json>[] = [];
  const open = new Map<string, Record<string, Json>>();

  /** Text and reasoning come in blocks, which may be open at the same time. */
  function takePiece(kind: 'text' | 'reasoning', { id, delta, providerMetadata }: JsonObject): void {
    const key = `${kind} ${String(id)}`;
    const known = open.get(key);
    const block = known ?? { type: kind, text: '' };
    if (known === undefined) {
      open.set(key, block);
      content.push(block);
    }
    if (providerMetadata !== undefined) block.providerMetadata = providerMetadata;
    if (typeof delta !== 'string' || delta === '') return;
    block.text = `${String(block.text)}${delta}`;
    heard += delta;
    if (kind === 'text') onText(delta);
  }

  return {
    take(given) {
      if (isErrorPart(given)) throw given.error;
      const part = plain(given);
      if (!isJsonObject(part)) return;
      switch (part.type) {
        case 'text-start':
        case 'text-delta':
        case 'text-end':
          return takePiece('text', part);
        case 'reasoning-start':
        case 'reasoning-delta':
        case 'reasoning-end':
          return takePiece('reasoning', part);
        case 'tool-input-start':
          heard += textOrNothing(part.toolName);
          return;
        case 'tool-input-delta':
          heard += textOrNothing(part.delta);
          return;
        case 'tool-call':
        case 'custom':
          content.push({ ...part });
          return;
        case 'stream-start':
          warnings = part.warnings ?? [];
          return;
        case 'response-metadata':
          if (part.id !== undefined) response.id = part.id;
          if (part.modelId !== undefined) response.modelId = part.modelId;
          return;
        case 'finish':
          finish = part;
      }
    },
    heard: () => heard,
    whole() {
      if (finish === undefined) return undefined;
      const { finishReason = null, usage = null } = finish;
      return { content, finishReason, usage, warnings, response };
    },
  };
}

function isErrorPart(part: unknown): part is { readonly error: unknown } {
  return typeof part === 'object' && part !== null && 'type' in part && part.type === 'error' && 'error' in part;
}

/** Parts may hold dates and undefined values. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}
