// The tokenizer that a host has installed beside the package, and its absence.
import { expect, it } from 'vitest';
import { installedTokenizer } from '../../src/runtime/ports/tokenizer.ts';

const installed = new URL('fixtures/tokenizer.ts', import.meta.url).href;

it('the installed tokenizer counts words and special tokens', async () => {
  const count = await installedTokenizer(installed);
  expect(count?.('one two three')).toBe(3);
  expect(count?.('up to <|end|> here')).toBe(4);
});

it('a long word is passed to the tokenizer in pieces', async () => {
  const count = await installedTokenizer(installed);
  expect(count?.('x'.repeat(1_000))).toBe(10);
});

it.each(['nobody-has-installed-this', 'node:path'])('there is no tokenizer when %s counts no tokens', async (name) => {
  expect(await installedTokenizer(name)).toBeUndefined();
});
