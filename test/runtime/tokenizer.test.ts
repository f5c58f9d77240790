// The tokenizer that is installed beside the package, and what is done without one.
import { expect, it } from 'vitest';
import { installedTokenizer } from '../../src/runtime/ports/tokenizer.ts';

const installed = new URL('fixtures/tokenizer.ts', import.meta.url).href;

it('counts as the installed one does, whatever the text holds', async () => {
  const count = await installedTokenizer(installed);
  expect(count?.('one two three')).toBe(3);
  expect(count?.('up to <|end|> here')).toBe(4);
});

it('hands what no encoder keeps whole over in pieces', async () => {
  const count = await installedTokenizer(installed);
  expect(count?.('x'.repeat(1_000))).toBe(10);
});

it.each(['nobody-has-installed-this', 'node:path'])('is none where %s counts no tokens', async (name) => {
  expect(await installedTokenizer(name)).toBeUndefined();
});
