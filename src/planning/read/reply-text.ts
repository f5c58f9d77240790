// Reads JSON from a text reply: bare or fenced, with prose around it and trailing commas.
import type { Json } from '../../base/json.ts';

export interface ReplyJson {
  readonly value: Json;
  /** Notes on tolerated deviations. */
  readonly notes: readonly string[];
}

const FENCE = /```[a-zA-Z]*[ \t]*\r?\n([\s\S]*?)```/g;
const STRING_OR_TRAILING_COMMA = /("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g;

/**
 * Undefined unless the text holds exactly one JSON value; with two fenced values none is taken. Only trailing commas are
 * repaired, because more would be a guess.
 */
export function readReplyText(text: string): ReplyJson | undefined {
  const fenced = fencesIn(text).flatMap(({ body }) => readBody(body, ['fenced text']) ?? []);
  const [only, another] = fenced;
  if (another !== undefined) return undefined;
  if (only !== undefined) return only;
  const notes: string[] = [];
  return readBody(unwrapped(text, notes), notes);
}

export interface Fence {
  readonly body: string;
  /** The offset of the body in the text. */
  readonly from: number;
}

export function fencesIn(text: string): readonly Fence[] {
  return [...text.matchAll(FENCE)].map((found) => {
    const [whole, body = ''] = found;
    return { body, from: found.index + whole.indexOf('\n') + 1 };
  });
}

function readBody(body: string, notes: readonly string[]): ReplyJson | undefined {
  const exact = parse(body);
  if (exact !== undefined) return { value: exact, notes };
  const value = parse(body.replace(STRING_OR_TRAILING_COMMA, (_, kept?: string) => kept ?? ''));
  return value === undefined ? undefined : { value, notes: [...notes, 'trailing commas'] };
}

function unwrapped(text: string, notes: string[]): string {
  const from = text.search(/[[{]/);
  const to = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  if (from < 0 || to < from) return text;
  const body = text.slice(from, to + 1);
  if (body.length < text.trim().length) notes.push('text around the plan');
  return body;
}

function parse(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
