// Reads tool calls that a model wrote into its text in a format of its own, which the server passed on as an answer.
import { isJsonArray, isJsonObject, type Json, ownProperty } from '../base/json.ts';
import { jsonSlices } from '../model/json-slices.ts';
import { readJson, readWithTrailingCommas } from '../model/read-json.ts';
import type { ToolCall, ToolOffer } from '../model/request.ts';
import { withoutReasoning } from '../model/without-reasoning.ts';

/** Mistral writes the name before the arguments between marks; older models write a list of calls after one mark. */
const MISTRAL_CALL = /\[TOOL_CALLS\]\s{0,10}([\w.-]{1,80})\s{0,10}(?:\[CALL_ID\]\s{0,10}[\w-]{1,80}\s{0,10})?\[ARGS\]/g;
const MISTRAL_MARK = /\[TOOL_CALLS\]/g;
const NAME_BEFORE = /<function=["']?([\w.-]{1,80})["']?>\s{0,10}$/;
const NAMESPACE = /^(?:functions|tools|default_api)\./;

/**
 * Hermes and Qwen write `<tool_call>{…}`, Llama `{"name", "parameters"}` or `<function=name>{…}`, Mistral `[TOOL_CALLS]`.
 * Returns the calls at the beginning of the text, after its reasoning. None when the text holds another value before them, and none of
 * a tool that is not offered. A value after them, such as a made-up result, is not read.
 */
export function writtenCalls(text: string, tools: readonly ToolOffer[], callsBefore: number): readonly ToolCall[] {
  const said = withoutReasoning(text).replace(MISTRAL_CALL, '<function=$1>').replace(MISTRAL_MARK, '');
  const calls: ToolCall[] = [];
  for (const { from, to, isClosed } of jsonSlices(said)) {
    const body = said.slice(from, to);
    const value = isClosed ? (readJson(body) ?? readWithTrailingCommas(body)) : undefined;
    if (value === undefined) continue;
    const before = NAME_BEFORE.exec(said.slice(Math.max(0, from - 150), from))?.[1];
    const found = callsIn(value, before, tools);
    if (found === undefined) break;
    for (const call of found) calls.push({ id: `call_${callsBefore + calls.length + 1}`, ...call });
  }
  return calls;
}

/** Undefined unless the value is a call of an offered tool, or a list of such calls. */
function callsIn(
  value: Json,
  before: string | undefined,
  tools: readonly ToolOffer[],
): readonly Omit<ToolCall, 'id'>[] | undefined {
  const named = before === undefined ? undefined : offered(before, tools);
  if (named !== undefined) return isJsonObject(value) ? [{ name: named, arguments: value }] : undefined;
  const list = isJsonArray(value) ? value : [value];
  const calls = list.flatMap((each) => callIn(ownProperty(each, 'function') ?? each, tools) ?? []);
  return calls.length > 0 && calls.length === list.length ? calls : undefined;
}

function callIn(value: Json, tools: readonly ToolOffer[]): Omit<ToolCall, 'id'> | undefined {
  const said = ownProperty(value, 'name');
  const given = ownProperty(value, 'arguments') ?? ownProperty(value, 'parameters');
  const name = typeof said === 'string' ? offered(said, tools) : undefined;
  const read = typeof given === 'string' ? readJson(given) : given;
  return name === undefined || !isJsonObject(read) ? undefined : { name, arguments: read };
}

function offered(said: string, tools: readonly ToolOffer[]): string | undefined {
  const name = said.replace(NAMESPACE, '').replace(/[^\w-]/g, '_');
  return tools.find((tool) => tool.name === said || tool.name.replace(/[^\w-]/g, '_') === name)?.name;
}
