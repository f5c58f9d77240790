// The tokenizer that somebody has installed beside us, so that tokens are counted and not guessed.
import { boundedCount, type CountTokens } from '../../context/tokens.ts';

/** Undefined when there is none. It is looked for where this package lies, and read only once. */
export async function installedTokenizer(name = 'gpt-tokenizer'): Promise<CountTokens | undefined> {
  const found: unknown = await import(name).catch(() => undefined);
  if (typeof found !== 'object' || found === null || !('countTokens' in found)) return undefined;
  const { countTokens } = found;
  if (typeof countTokens !== 'function') return undefined;
  // Special tokens count as plain text; otherwise the encoder throws on them.
  return boundedCount((text) => Number(countTokens(text, { disallowedSpecial: new Set() })));
}
