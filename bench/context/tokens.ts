// Compares the estimate of tokens with an exact count, on recorded results, sources and unusual text.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { boundedCount, type CountTokens, estimateTokens } from '../../src/context/tokens.ts';
import { printTable } from '../table.ts';
import { resultSets } from './result-sets.ts';

const root = join(import.meta.dirname, '../..');
const read = (...parts: readonly string[]): string => readFileSync(join(root, ...parts), 'utf8');
const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));

const corpus: ReadonlyMap<string, string> = new Map([
  ...resultSets.map(({ name, value }) => [`results: ${name}`, JSON.stringify(value)] as const),
  ['sources: decide.ts', read('src/engine/decide.ts')],
  ['sources: generated validators', read('src/template/schema/generated-validators.js')],
  ...docs.map((name) => [`docs: ${name}`, read('docs', name)] as const),
  ...['a', '7', '😀', ' ', '-', '漢', 'aZ9+'].map(
    (unit) => [`100,000 of ${JSON.stringify(unit)}`, unit.repeat(100_000 / unit.length)] as const,
  ),
]);

/** gpt-tokenizer, when it is installed beside this bench: `npm install --prefix bench gpt-tokenizer@4`. */
async function exactCount(): Promise<CountTokens | undefined> {
  const name = 'gpt-tokenizer';
  const found: unknown = await import(name).catch(() => undefined);
  if (typeof found !== 'object' || found === null || !('countTokens' in found)) return undefined;
  const { countTokens } = found;
  if (typeof countTokens !== 'function') return undefined;
  return boundedCount((text) => Number(countTokens(text, { disallowedSpecial: new Set() })));
}

function timed(count: CountTokens, text: string): readonly [tokens: number, milliseconds: number] {
  const began = performance.now();
  const tokens = count(text);
  return [tokens, performance.now() - began];
}

const exact = await exactCount();
if (exact === undefined) console.log('gpt-tokenizer is not installed: the estimate stands alone');
printTable(
  'Tokens by the estimate and by an encoder',
  ['text', 'characters', 'estimate', 'ms', ...(exact === undefined ? [] : ['exact', 'ms', 'estimate ÷ exact'])],
  [...corpus].map(([name, text]) => {
    const guess = timed(estimateTokens, text);
    if (exact === undefined) return [name, text.length, ...guess];
    const known = timed(exact, text);
    return [name, text.length, ...guess, ...known, guess[0] / known[0]];
  }),
);
