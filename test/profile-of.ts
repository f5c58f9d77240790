// A model profile with the values that a template gets by default, and what a test sets.
import type { ModelProfile } from '../src/model/profile.ts';

export function profileOf(profile: Partial<ModelProfile> = {}): ModelProfile {
  return {
    provider: 'openai',
    model: 'scripted',
    api: 'auto',
    tools: true,
    fallback: [],
    maxOutputTokens: 1_000,
    minOutputTokens: 100,
    timeout: 30_000,
    stallTimeout: 30_000,
    maxRetries: 2,
    maxRetryAfter: 60_000,
    ...profile,
  };
}
