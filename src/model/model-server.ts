// The server behind a model: its provider under the names of the GenAI conventions, and its address.
import { defined } from '../base/json.ts';

export interface ModelServer {
  /** Such as `openai` or `aws.bedrock`. */
  readonly provider?: string;
  /** The host. */
  readonly address?: string;
  readonly port?: number;
}

/** Providers by the end of the host's name. Any other server offers an API of OpenAI. */
const hosts: readonly (readonly [end: string, provider: string])[] = [
  ['openai.azure.com', 'azure.ai.openai'],
  ['services.ai.azure.com', 'azure.ai.inference'],
  ['models.ai.azure.com', 'azure.ai.inference'],
  ['anthropic.com', 'anthropic'],
  ['generativelanguage.googleapis.com', 'gcp.gemini'],
  ['aiplatform.googleapis.com', 'gcp.vertex_ai'],
  ['amazonaws.com', 'aws.bedrock'],
  ['mistral.ai', 'mistral_ai'],
  ['groq.com', 'groq'],
  ['deepseek.com', 'deepseek'],
  ['perplexity.ai', 'perplexity'],
  ['x.ai', 'x_ai'],
  ['cohere.ai', 'cohere'],
  ['cohere.com', 'cohere'],
  ['moonshot.ai', 'moonshot_ai'],
  ['moonshot.cn', 'moonshot_ai'],
  ['ml.cloud.ibm.com', 'ibm.watsonx.ai'],
];

/** @param baseUrl without references to the environment */
export function serverAt(baseUrl: string): ModelServer | undefined {
  const url = URL.parse(baseUrl);
  if (url === null || url.hostname === '') return undefined;
  const { hostname, port, protocol } = url;
  const known = hosts.find(([end]) => hostname === end || hostname.endsWith(`.${end}`));
  const usual = protocol === 'http:' ? 80 : 443;
  return { provider: known?.[1] ?? 'openai', address: hostname, port: port === '' ? usual : Number(port) };
}

/** Names of the AI SDK's providers, and the names of the conventions. Longer names come first. */
const sdkNames: readonly (readonly [start: string, provider: string])[] = [
  ['google.vertex', 'gcp.vertex_ai'],
  ['google.generative-ai', 'gcp.gemini'],
  ['google', 'gcp.gen_ai'],
  ['vertex', 'gcp.vertex_ai'],
  ['amazon-bedrock', 'aws.bedrock'],
  ['bedrock', 'aws.bedrock'],
  ['azure', 'azure.ai.openai'],
  ['mistral', 'mistral_ai'],
  ['xai', 'x_ai'],
  ['moonshotai', 'moonshot_ai'],
  ['watsonx', 'ibm.watsonx.ai'],
];

/** @param named the provider as the AI SDK names it, such as `anthropic.messages` */
export function serverOfSdk(named: string): ModelServer {
  const known = sdkNames.find(
    ([start]) => named === start || named.startsWith(`${start}.`) || named.startsWith(`${start}-`),
  );
  return defined({ provider: known?.[1] ?? (named.split('.')[0] || undefined) });
}
