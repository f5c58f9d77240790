// Chooses between the Responses API and chat completions, the two ways to ask a server of OpenAI's kind.
import type { ModelProfile } from '../model/profile.ts';
import type { Dialect } from './dialect.ts';

export type ApiName = 'chat' | 'responses';

/**
 * `auto`: Responses for OpenAI and Azure, and for a server that takes tools with reasoning only there; chat completions
 * for any other, and for a server that has no Responses API.
 */
export function chooseApi(
  { api = 'auto' }: Partial<Pick<ModelProfile, 'api'>>,
  baseUrl: string,
  dialect: Dialect,
): ApiName {
  if (api !== 'auto') return api;
  if (!dialect.takes('responses')) return 'chat';
  return isOpenaiOrAzure(baseUrl) || !dialect.takes('tools_with_reasoning') ? 'responses' : 'chat';
}

const AZURE = /\.(?:openai\.azure|cognitiveservices\.azure|services\.ai\.azure)\.(?:com|us|cn)$/;

/** OpenAI's servers, also those of a region, and Azure at the address `/openai/v1`, where it has OpenAI's API. */
export function isOpenaiOrAzure(baseUrl: string): boolean {
  const url = URL.parse(baseUrl);
  if (url === null) return false;
  if (/(?:^|\.)api\.openai\.com$/.test(url.hostname)) return true;
  return AZURE.test(url.hostname) && /^\/openai\/v1\/?$/.test(url.pathname);
}
