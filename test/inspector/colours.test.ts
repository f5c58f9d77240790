// The colors of the page: the contrast of texts and forms in both themes, computed from the style sheet.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../sources.ts';

const sheet = readFileSync(join(root, 'src/inspector/page/style/colours.css'), 'utf8');

function coloursOf(theme: 'light' | 'dark'): ReadonlyMap<string, string> {
  const pairs = sheet.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\);/g);
  return new Map([...pairs].map(([, name = '', light = '', dark = '']) => [name, theme === 'light' ? light : dark]));
}

function luminance(colour: string): number {
  const part = (at: number): number => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
}

const statuses = ['completed', 'failed', 'running', 'retrying', 'queued', 'asks', 'waiting', 'not-run', 'replaced'];
const grounds = ['ground', 'sheet', 'raised', 'sunk'];

const texts = [
  ...statuses.map((status) => [`status-${status}-text`, `status-${status}-fill`]),
  ...['text', 'dim', 'accent', 'model', 'good', 'bad', 'warn', 'busy'].flatMap((text) =>
    grounds.map((ground) => [text, ground]),
  ),
  ...['good', 'bad', 'warn', 'busy', 'quiet'].map((tone) => [tone, `${tone}-ground`]),
  ['on-accent', 'accent'],
] as const;

const forms = [
  ...statuses.flatMap((status) => ['ground', 'sheet'].map((ground) => [`status-${status}-edge`, ground])),
  ...['edge-strong', 'line', 'accent'].flatMap((form) => ['ground', 'sheet'].map((ground) => [form, ground])),
] as const;

describe.each(['light', 'dark'] as const)('the %s colors', (theme) => {
  const colours = coloursOf(theme);

  function contrast(one = '', other = ''): number {
    const [first, second] = [one, other].map((name) => luminance(colours.get(name) ?? `no color ${name}`)) as [
      number,
      number,
    ];
    return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
  }

  it('give text a contrast of 4.5 to 1 on its ground', () => {
    expect(texts.filter(([text, ground]) => !(contrast(text, ground) >= 4.5))).toEqual([]);
  });

  it('give forms a contrast of 3 to 1 on their ground', () => {
    expect(forms.filter(([form, ground]) => !(contrast(form, ground) >= 3))).toEqual([]);
  });
});
