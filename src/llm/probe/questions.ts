// The questions that find out what a model and its server can do, each with its check of the answer.
import { defined, isJsonArray, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { readValue } from '../../model/read-value.ts';
import type { ModelReply } from '../../model/reply.ts';
import type { Message, ModelRequest, ToolOffer } from '../../model/request.ts';
import type { Feature } from '../features.ts';

/** `substitute`: the work gets done in another way. */
export type ProbeOutcome = 'yes' | 'substitute' | 'no';

export interface ProbeFinding {
  readonly outcome: ProbeOutcome;
  readonly detail: string;
}

/** An answered question. */
interface ProbeAnswer {
  readonly reply: ModelReply;
  /** The pieces of text that arrived. */
  readonly pieces: number;
  /** The request went without the feature, because the server refuses it. */
  lacks(feature: Feature): boolean;
  /** Tools were offered in words, and are called by data in the answer. */
  readonly isByData: boolean;
}

export const probeNames = ['text', 'JSON', 'tools', 'several tools', 'last turn', 'stream'] as const;
export type ProbeName = (typeof probeNames)[number];

export interface ProbeQuestion {
  readonly name: ProbeName;
  /** Undefined when an earlier answer makes the question pointless. */
  request(earlier: ReadonlyMap<ProbeName, ModelReply>): Omit<ModelRequest, 'model'> | undefined;
  readonly streams?: true;
  find(answer: ProbeAnswer): ProbeFinding;
}

const yes = (detail: string): ProbeFinding => ({ outcome: 'yes', detail });
const substitute = (detail: string): ProbeFinding => ({ outcome: 'substitute', detail });
const no = (detail: string): ProbeFinding => ({ outcome: 'no', detail });

const asking = (content: string, system = 'You are asked by a test. Do as you are told, and nothing else.') =>
  [
    { role: 'system', content: system },
    { role: 'user', content },
  ] as const satisfies readonly Message[];

const place: JsonObject = {
  type: 'object',
  properties: { city: { type: 'string' }, country: { type: 'string' } },
  required: ['city', 'country'],
  additionalProperties: false,
};

const weather: ToolOffer = {
  name: 'weather_in',
  description: 'Tells the weather in a city.',
  input: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
};

const oneCity = asking('What is the weather in Oslo? Call the tool weather_in to find out.');

const plain: ProbeQuestion = {
  name: 'text',
  request: () => ({ messages: asking('Answer with the word: ready') }),
  find: ({ reply }) => saidSomething(reply) ?? yes(`answered ${quoted(reply.text)}`),
};

const json: ProbeQuestion = {
  name: 'JSON',
  // The schema alone says what is asked for, so that the answer shows whether the server keeps to it.
  request: () => ({
    messages: asking('Tell me the capital of France, as JSON.'),
    answer: { name: 'place', schema: place },
  }),
  find({ reply, lacks }) {
    const nothing = saidSomething(reply);
    if (nothing !== undefined) return nothing;
    const read = readValue(reply.text, { fits: isPlace, mayClose: true });
    const way = lacks('json_object') ? 'without a format' : lacks('json_schema') ? 'JSON mode' : 'JSON schema';
    if (read?.fits !== true) return no(`${way}: the answer does not fit the schema: ${quoted(reply.text)}`);
    if (way !== 'JSON schema') return substitute(`${way}, with the schema in words: the answer fits`);
    const isExact = read.place === 'whole' && read.mended === undefined && keysOf(read.value) === 2;
    return isExact
      ? yes('JSON schema: the answer fits')
      : substitute('JSON schema: taken, but not kept to; the answer could be read all the same');
  },
};

const tools: ProbeQuestion = {
  name: 'tools',
  request: () => ({ messages: oneCity, tools: [weather] }),
  find({ reply, lacks, isByData }) {
    const calls = callsOf(reply);
    if (calls === 0) return no(`called no tool; answered ${quoted(reply.text)}`);
    const given = ownProperty(reply.toolCalls?.[0]?.arguments, 'city');
    if (typeof given !== 'string') return no('called the tool with arguments that do not fit its schema');
    if (isByData) return substitute('called by data in the answer');
    return yes(`called${lacks('tools_with_reasoning') ? ', without reasoning' : ''}`);
  },
};

const severalTools: ProbeQuestion = {
  name: 'several tools',
  request: () => ({
    messages: asking(
      'What is the weather in Oslo and in Rome? Call the tool weather_in for both cities at once, in one answer.',
    ),
    tools: [weather],
  }),
  find({ reply }) {
    const calls = callsOf(reply);
    if (calls === 0) return no(`called no tool; answered ${quoted(reply.text)}`);
    return calls > 1
      ? yes(`${calls} calls in one answer`)
      : substitute('one call for each answer: agents need more turns');
  },
};

const lastTurn: ProbeQuestion = {
  name: 'last turn',
  request(earlier) {
    const reply = earlier.get('tools');
    const [call] = reply?.toolCalls ?? [];
    if (reply === undefined || call === undefined) return undefined;
    const { text, toolCalls = [], extra } = reply;
    const results = toolCalls.map(({ id }) => ({ role: 'tool', callId: id, content: 'Sunny, 21 degrees.' }) as const);
    const said: Message = { role: 'assistant', content: text, toolCalls, ...defined({ extra }) };
    return { messages: [...oneCity, said, ...results], tools: [weather], toolChoice: 'none' };
  },
  find({ reply, lacks, isByData }) {
    if (callsOf(reply) > 0) return no('calls tools although it was told to answer');
    const nothing = saidSomething(reply);
    if (nothing !== undefined) return nothing;
    if (lacks('tool_choice') && !isByData) return substitute('answered, told in words to call no more tools');
    return yes('answered after the result of the tool');
  },
};

const stream: ProbeQuestion = {
  name: 'stream',
  streams: true,
  request: () => ({ messages: asking('Count from one to ten, in words.') }),
  find({ reply, pieces, lacks }) {
    const nothing = saidSomething(reply);
    if (nothing !== undefined) return nothing;
    if (pieces < 2) return substitute('the answer came in one piece');
    return yes(`${pieces} pieces${lacks('stream_options') ? ', without usage' : ''}`);
  },
};

export const probeQuestions: readonly ProbeQuestion[] = [plain, json, tools, severalTools, lastTurn, stream];

/** A finding when the reply holds no text. */
function saidSomething({ text, finish, usage }: ModelReply): ProbeFinding | undefined {
  if (finish === 'refusal' || finish === 'filter') return no(`declined to answer: ${quoted(text)}`);
  if (text.trim() !== '') return undefined;
  return finish === 'length'
    ? no(`used all ${usage.output} tokens before an answer; let it reason less`)
    : no('the answer was empty');
}

function callsOf({ toolCalls = [] }: ModelReply): number {
  return toolCalls.filter(({ name }) => name === weather.name).length;
}

function isPlace(value: Json): boolean {
  return ['city', 'country'].every((key) => typeof ownProperty(value, key) === 'string');
}

function keysOf(value: Json): number {
  return isJsonArray(value) ? 0 : Object.keys(value ?? {}).length;
}

const LONGEST_QUOTE = 60;

function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return JSON.stringify(line.length <= LONGEST_QUOTE ? line : `${line.slice(0, LONGEST_QUOTE)}…`);
}
