// Uses an installed tokenizer package, so that tokens are counted and not estimated.
import { boundedCount, type CountTokens } from '../../context/tokens.ts';

/** Undefined when the package is not installed. Node resolves it from this package and loads it once. */
export async function installedTokenizer(name = 'gpt-tokenizer'): Promise<CountTokens | undefined> {
  const found: unknown = await import(name).catch(() => undefined);
  if (typeof found !== 'object' || found === null || !('countTokens' in found)) return undefined;
  const { countTokens } = found;
  if (typeof countTokens !== 'function') return undefined;
  // Special tokens count as plain text; otherwise the encoder throws on them.
  return boundedCount((text) => Number(countTokens(text, { disallowedSpecial: new Set() })));
}
