// Reads from the error response of a server which features of a request it refuses.
import type { Refusal } from './model-failure.ts';

/** Request features that some servers refuse. Each has a fallback. */
export type Feature = (typeof allFeatures)[number];

export const allFeatures = [
  /** A message of the role `system`, which the templates of some open models cannot write. */
  'system_message',
  /** Tools of any kind. Without them, tool calls are asked for in the text. */
  'tools',
  /** Tools and an answer format in one request. */
  'tools_with_format',
  /** Tools while the model reasons. Without it, reasoning is switched off beside tools. */
  'tools_with_reasoning',
  /** `reasoning_effort: none`. Without it, tools are asked for in the text where they need it. */
  'no_reasoning',
  /** Earlier tool calls in a request that offers no tools. */
  'calls_without_tools',
  /** Earlier tool calls without data of this server, such as those of another model. Without them, they are told in words. */
  'calls_of_others',
  /** Any earlier tool calls. Some gateways lose the data that the provider behind them wants back. */
  'calls_sent_back',
  'tool_choice',
  'parallel_tool_calls',
  'json_schema',
  'json_object',
  /** An answer format in a streamed request. Without it, such a request is not streamed. */
  'streamed_format',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'seed',
  'reasoning_effort',
  /** Reasoning of earlier replies, sent back as the server wrote it. */
  'reasoning_sent_back',
  /** Reasoning that only the provider can read, in replies of the Responses API. */
  'encrypted_reasoning',
  'prompt_cache_key',
  /** The Responses API. Without it, chat completions are asked for. */
  'responses',
] as const;

export function isFeature(name: string): name is Feature {
  return allFeatures.some((feature) => feature === name);
}

const statuses: ReadonlySet<number> = new Set([400, 404, 405, 422, 500, 501]);

/** These say that tool calls lack data which the server sends with its own. */
const LOST_DATA =
  /thought_?signature|must be passed back|missing `?reasoning_content|reasoning details to be preserved|tool call id was|must start with a thinking block/i;

/** The content of a message that only calls tools is null. */
const NO_EMPTY_CONTENT =
  /\bcontent\b.{0,60}(?:none is not an allowed value|(?:should|must) be a (?:valid )?string|(?:cannot|may not|must not) be null|got null)/i;

/** Chat templates and Google say so of models that know no system message, such as Gemma and Mistral 7B. */
const NO_SYSTEM_MESSAGE =
  /system role (?:is )?not supported|only user(?:,| and) assistant.{0,20} roles are supported|roles must alternate user\/assistant|(?:developer|system) (?:instruction|message|prompt)s? (?:is|are) not (?:enabled|supported)/i;

/** A server with a grammar cannot express a schema, of the answer or of a tool. */
const SCHEMA_UNREADABLE =
  /schema conversion failed|failed to (?:parse|compile|initiali[sz]e) (?:the )?(?:grammar|json.?schema)|unknown name .{0,80}(?:response_schema|response_json_schema)/i;

/** Gemini says so of a schema of a tool. */
const TOOL_SCHEMA_UNREADABLE =
  /unknown name .{0,80}function_declarations|function_declarations\[.{0,160}(?:parameters|properties)/i;

const NOT_TAKEN =
  /not (?:be )?(?:currently )?(?:supported|permitted|allowed|available|implemented|enabled|compatible)|unsupported|unknown|unrecogni[sz]ed|unexpected|extra|does(?:n't| not) (?:support|accept|allow)|deprecated|only the default|only [\d.]+ is allowed|no longer|cannot (?:both )?be (?:used|set|specified|combined)|unavailable|requires/i;

/** A 404 or a 5xx has many causes, so that only these words are believed. */
const PLAINLY_NOT_TAKEN =
  /not (?:be )?(?:supported|implemented)|unsupported|does(?:n't| not) support|requires|no endpoints found/i;

/** Parameters by the names that error messages use. All that are named are refused. */
const parameters: readonly (readonly [Feature, RegExp])[] = [
  ['stream_options', /stream_options|include_usage/i],
  ['max_tokens', /\bmax_tokens/i],
  ['max_completion_tokens', /max_completion_tokens/i],
  ['parallel_tool_calls', /parallel[_ ]tool[_ ](?:calls|use)/i],
  ['tool_choice', /tool_choice/i],
  ['temperature', /\btemperature\b/i],
  ['top_p', /\btop_p\b/i],
  ['seed', /\bseed\b/i],
  ['reasoning_effort', /reasoning[_.]effort/i],
  ['reasoning_sent_back', /messages?\b.*\breasoning(?:_content|_details)?\b/i],
  ['prompt_cache_key', /prompt_cache_key/i],
];

/** Whole sentences, which name no parameter or too many. The first that is known wins. */
const sentences: readonly (readonly [Feature, RegExp])[] = [
  ['no_reasoning', /reasoning[_.]effort.{0,30}\bsupport ['"`]?none\b/i],
  ['streamed_format', /response_format.{0,20} not support streaming/i],
  ['tools_with_reasoning', /tools with reasoning_effort/i],
  [
    'responses',
    /only (?:be )?(?:supported|available|used) (?:in|with|through) .{0,20}chat\/completions|\bresponses (?:api|endpoint)/i,
  ],
  ['encrypted_reasoning', /encrypted content|reasoning\.encrypted_content/i],
  ['calls_without_tools', /tool calling without/i],
  [
    'tools_with_format',
    /response mime type.{0,60}unsupported|cannot be combined with tool|(?:json|response_?format|structured).{0,60}\b(?:with|and|beside) (?:tool|function)/i,
  ],
  [
    'tools',
    /requires --(?:jinja|enable-auto-tool-choice)|support(?:s|ing)? (?:the )?(?:tools?\b|tool[ _](?:use|call)|function[ _-]call)|(?<!parallel[ _])(?:\btools?\b|\btool[ _](?:use|call(?:s|ing)?)|function[ _-]call(?:s|ing)?)['"`]?(?: \w+){0,3} not (?:be )?(?:supported|available|enabled|implemented|permitted)|unsupported.{0,30}['"`]tools['"`]/i,
  ],
];

/** Answer formats are refused in too many words to demand some of them. */
const formats: readonly (readonly [Feature, RegExp])[] = [
  ['json_schema', /response_?format|text\.format|json_?schema|structured.?output|json.?mode|grammar/i],
  ['json_object', /response_?format|text\.format|json_?object|json.?mode|grammar/i],
];

/** Vague words for reasoning. */
const THINKING = /support (?:for )?(?:thinking|reasoning)|\b(?:think|thinking|reasoning)\b(?: \w+){0,4} not supported/i;

/** The sent features that the refusal is about; none when it is about something else. */
export function refusedFeatures(refusal: Refusal, sent: readonly Feature[]): readonly Feature[] {
  const { status, code = '', message = '', params = [] } = refusal;
  const said = `${code} ${message}`;
  if (!statuses.has(status)) return [];
  if (LOST_DATA.test(said)) {
    const calls = (['calls_of_others', 'calls_sent_back'] as const).find((feature) => sent.includes(feature));
    return calls === undefined ? [] : [calls];
  }
  if (sent.includes('calls_sent_back') && NO_EMPTY_CONTENT.test(said)) return ['calls_sent_back'];
  if (sent.includes('system_message') && NO_SYSTEM_MESSAGE.test(said)) return ['system_message'];
  if (/tool_use_failed/i.test(code)) return [];
  const unread = unreadableSchema(said, sent);
  if (unread !== undefined) return [unread];
  if (sent.includes('reasoning_sent_back') && /invalid_encrypted_content/i.test(code)) return ['reasoning_sent_back'];
  const words = status === 404 || status >= 500 ? PLAINLY_NOT_TAKEN : NOT_TAKEN;
  if (!isSentence(said, sent)) {
    const named = params.flatMap((param) => featureNamed(param, sent) ?? []);
    const found = named.filter((feature) => isFormat(feature) || words.test(said));
    if (found.length > 0) return withItsPair(found, said, sent);
  }
  const isSent = ([feature]: readonly [Feature, RegExp]): boolean => sent.includes(feature);
  const sentence = sentences.filter(isSent).find(([, pattern]) => pattern.test(said));
  if (sentence !== undefined && words.test(said)) return [sentence[0]];
  if (words.test(said)) {
    // "temperature is not supported unless reasoning_effort is none"
    const subject = said.replace(/\bunless\b[\s\S]*$/i, '');
    const named = parameters.filter(isSent).filter(([, pattern]) => pattern.test(subject));
    const found = named.map(([feature]) => feature);
    // "`temperature` and `top_p` cannot both be specified"
    if (found.includes('top_p') && /\bboth\b/i.test(said)) return ['top_p'];
    if (found.length > 0) return withItsPair(found, said, sent);
  }
  const format = formats.filter(isSent).find(([, pattern]) => pattern.test(said));
  if (format !== undefined && (status < 500 ? status !== 404 : status === 501 || words.test(said))) {
    return [sent.includes('tools_with_format') ? 'tools_with_format' : format[0]];
  }
  if (sent.includes('reasoning_effort') && THINKING.test(said) && words.test(said)) return ['reasoning_effort'];
  return sent.includes('responses') && isMissingPath(refusal) ? ['responses'] : [];
}

function unreadableSchema(said: string, sent: readonly Feature[]): Feature | undefined {
  if (SCHEMA_UNREADABLE.test(said)) {
    return (['tools_with_format', 'json_schema', 'tools'] as const).find((feature) => sent.includes(feature));
  }
  return TOOL_SCHEMA_UNREADABLE.test(said) && sent.includes('tools') ? 'tools' : undefined;
}

/** True for a response to an address that the server does not have; a missing model is something else. */
export function isMissingPath({ status, code = '', message = '' }: Refusal): boolean {
  return status === 405 || status === 501 || (status === 404 && !/model|deployment/i.test(`${code} ${message}`));
}

/** OpenAI and Anthropic took `temperature` and `top_p` from the same models, and refuse only one at a time. */
function withItsPair(found: readonly Feature[], said: string, sent: readonly Feature[]): readonly Feature[] {
  const isGone = found.includes('temperature') && /only the default|deprecated/i.test(said);
  return isGone ? [...found, ...sent.filter((feature) => feature === 'top_p' && !found.includes(feature))] : found;
}

function isFormat(feature: Feature): boolean {
  return feature === 'json_schema' || feature === 'json_object';
}

function isSentence(said: string, sent: readonly Feature[]): boolean {
  return sentences.some(([feature, pattern]) => sent.includes(feature) && pattern.test(said));
}

/** `tools` for `tools`, but nothing for `tools[0].function.parameters`, which is about one tool. */
function featureNamed(param: string, sent: readonly Feature[]): Feature | undefined {
  if (/^(?:response_format|text\.format)\b/.test(param)) {
    return sent.find((feature) => feature === 'tools_with_format') ?? sent.find(isFormat);
  }
  if (/^messages\b.*\breasoning/.test(param)) return sent.find((feature) => feature === 'reasoning_sent_back');
  if (/^include\b/.test(param)) return sent.find((feature) => feature === 'encrypted_reasoning');
  if (/^reasoning\b/.test(param)) return sent.find((feature) => feature === 'reasoning_effort');
  if (/^stream_options\b/.test(param)) return sent.find((feature) => feature === 'stream_options');
  return sent.find((feature) => feature === param);
}
