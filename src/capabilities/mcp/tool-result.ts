// Converts the result of an MCP tool into the result of a capability.
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { CapabilityError } from '../capability-error.ts';

/** Characters of JSON; a template's `limits.result_bytes` may allow less. */
export const LARGEST_RESULT = 20_000_000;

/**
 * Returns `structuredContent` if present; else the JSON in a text block, else its text; a list for several text blocks; and
 * the blocks themselves for anything else. @throws CapabilityError MCP_TOOL_FAILED, MCP_INPUT_REQUESTED,
 * MCP_RESULT_TOO_LARGE, MCP_ANSWER_INVALID
 */
export function resultOfTool(name: string, answered: Json): Json {
  if (!isJsonObject(answered)) throw invalid(name);
  if (answered.resultType === 'input_required') throw inputRequested(name);
  if (isJsonObject(answered.task) && answered.content === undefined) throw taskBegun(name);
  const content = answered.content ?? [];
  if (!isJsonArray(content)) throw invalid(name);
  const texts = content.map(textOf);
  if (answered.isError === true) throw failed(name, texts, answered.structuredContent);
  const result = answered.structuredContent ?? contentOf(content, texts);
  const { length } = JSON.stringify(result);
  if (length > LARGEST_RESULT) throw tooLarge(name, length);
  return result;
}

function contentOf(blocks: readonly Json[], texts: readonly (string | undefined)[]): Json {
  const said = texts.filter((text) => text !== undefined);
  if (said.length < blocks.length) return blocks.map(withoutMeta);
  const values = said.map(valueIn);
  return values.length > 1 ? values : (values[0] ?? null);
}

function textOf(block: Json): string | undefined {
  const text = ownProperty(block, 'text');
  return ownProperty(block, 'type') === 'text' && typeof text === 'string' ? text : undefined;
}

/** Parses only maps and lists as JSON: a number or a word may be meant as text. */
function valueIn(text: string): Json {
  if (!/^\s*[{[]/.test(text)) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** Removes metadata of the protocol. */
function withoutMeta(block: Json): Json {
  if (!isJsonObject(block)) return block;
  const { _meta, annotations: _, ...said } = block;
  return said satisfies JsonObject;
}

function failed(name: string, texts: readonly (string | undefined)[], structured: Json | undefined): CapabilityError {
  const said = texts.filter((text) => text !== undefined).join('\n');
  const error = ownProperty(structured, 'error') ?? structured;
  const words = said === '' ? wordsOf(error) : said;
  const code = ownProperty(error, 'code');
  const isTold = (typeof code === 'string' || typeof code === 'number') && !words.includes(String(code));
  return new CapabilityError('MCP_TOOL_FAILED', `${name} failed${isTold ? ` (${code})` : ''}: ${words}`);
}

/** The message of an error in structured content, else the whole error. */
function wordsOf(error: Json | undefined): string {
  const message = ownProperty(error, 'message') ?? error;
  if (message === undefined || message === null) return 'it did not say why';
  return typeof message === 'string' ? message : JSON.stringify(message);
}

export function inputRequestedText(who: string): string {
  return `${who} asks for something in mid-call, which nobody passes on to a person or a model here; call it with all that it needs`;
}

function inputRequested(name: string): CapabilityError {
  return new CapabilityError('MCP_INPUT_REQUESTED', inputRequestedText(name), { retry: 'never' });
}

/** The server may continue the task, but nobody collects its result. */
function taskBegun(name: string): CapabilityError {
  const message = `${name} has begun a task in place of an answer, and tasks are not followed here`;
  return new CapabilityError('MCP_ANSWER_INVALID', message, { retry: 'never', fate: 'unknown' });
}

function tooLarge(name: string, length: number): CapabilityError {
  const message = `${name} answered with more than ${LARGEST_RESULT} characters (${length}); ask it for less at a time`;
  return new CapabilityError('MCP_RESULT_TOO_LARGE', message, { retry: 'never' });
}

function invalid(name: string): CapabilityError {
  return new CapabilityError('MCP_ANSWER_INVALID', `the response of ${name} breaks the protocol`);
}
