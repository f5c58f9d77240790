// Names request features for people, and says what requests do without them.
import { type Feature, isFeature } from './features.ts';

interface FeatureWords {
  /** Follows "the server does not take". */
  readonly name: string;
  /** The substitute, as a sentence without a period. */
  readonly instead: string;
}

const without = (parameter: string): FeatureWords => ({
  name: parameter,
  instead: `\`${parameter}\` is left out`,
});

const words: Readonly<Record<Feature, FeatureWords>> = {
  system_message: { name: 'system messages', instead: 'their text begins the first message of the user' },
  tools: { name: 'tools', instead: 'agents call their tools by data in their answers' },
  tools_with_format: {
    name: 'tools beside an answer format',
    instead: 'beside tools, the shape of the answer is described in words',
  },
  tools_with_reasoning: {
    name: 'tools while the model reasons',
    instead: 'beside tools the model does not reason, or calls its tools by data where it must reason',
  },
  no_reasoning: {
    name: '`reasoning: none`',
    instead: 'the model reasons as much as it wants, and calls its tools by data where it may not do both',
  },
  calls_without_tools: {
    name: 'earlier tool calls without tools',
    instead: 'earlier tool calls are told in words',
  },
  calls_of_others: {
    name: 'tool calls of other models',
    instead: 'tool calls of other models are told in words',
  },
  calls_sent_back: { name: 'earlier tool calls', instead: 'earlier tool calls are told in words' },
  tool_choice: {
    name: 'a choice of tools',
    instead: 'the last turn of an agent is told in words to call no more tools',
  },
  parallel_tool_calls: without('parallel_tool_calls'),
  json_schema: {
    name: 'JSON schemas',
    instead: 'the schema stands in the prompt, in JSON mode if the server has that',
  },
  json_object: { name: 'JSON mode', instead: 'answers in JSON are asked for in words' },
  streamed_format: {
    name: 'a stream of an answer in a format',
    instead: 'such answers are not streamed',
  },
  stream_options: {
    name: 'a request for the usage of a stream',
    instead: 'usage is estimated where a stream does not tell it',
  },
  max_tokens: { name: 'max_tokens', instead: '`max_completion_tokens` is sent' },
  max_completion_tokens: { name: 'max_completion_tokens', instead: '`max_tokens` is sent' },
  temperature: without('temperature'),
  top_p: without('top_p'),
  seed: without('seed'),
  reasoning_effort: { name: 'reasoning', instead: '`reasoning` is left out' },
  reasoning_sent_back: {
    name: 'the reasoning of its earlier replies',
    instead: 'the model does not read its earlier reasoning',
  },
  encrypted_reasoning: { name: 'encrypted reasoning', instead: 'the model does not read its earlier reasoning' },
  prompt_cache_key: without('prompt_cache_key'),
  responses: { name: 'the Responses API', instead: 'chat completions are asked for' },
};

/** A feature of an earlier version that is now unknown keeps its name. */
export function featureName(feature: string): string {
  return isFeature(feature) ? words[feature].name : feature;
}

/** @param api the API by which the model is now asked */
export function insteadOf(feature: string, api: 'chat' | 'responses'): string {
  if (feature === 'tools_with_reasoning' && api === 'responses') return 'the Responses API is asked, which takes both';
  return isFeature(feature) ? words[feature].instead : `\`${feature}\` is left out`;
}

/**
 * Says what a model does not take, without the name of the model.
 * @param next the API of the next request
 */
export function refusalText(refused: readonly Feature[], next: 'chat' | 'responses'): string {
  if (refused.includes('responses')) return 'has no Responses API; further requests use chat completions';
  if (refused.includes('tools_with_reasoning') && next === 'responses') {
    return 'takes tools while it reasons only by the Responses API; further requests use that';
  }
  return `does not take ${refused.map(featureName).join(', ')}; further requests go without`;
}
