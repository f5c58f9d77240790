// Normalizes words of goals, tool names and descriptions for comparison.
import { stemmer } from 'stemmer';

export interface Term {
  /** The word in lower case. */
  readonly word: string;
  readonly stem: string;
  readonly isPlural: boolean;
}

/** Words without meaning of their own, which are neither indexed nor compared. */
const functionWords = new Set(
  `a about above after all also an and any are as at be been before being below between both but by can could did do does
  each either every few for from further had has have having he her here hers him his how i if in into is it its itself
  just let may me might more most my no nor not now of off on once only onto or other our out over own per please same
  shall she should so some such than that the their them then there these they this those through to too under until up
  us using very via was we were what when where which while who whom whose why will with within would you your`.split(
    /\s+/,
  ),
);

/** Splits `getUser`, `get-user` and `API_get_user` into words; `HTTPServer` is two words, and `PRs` is one. */
export function wordsOfName(name: string): readonly string[] {
  return name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}(?!s(?!\p{L}))\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

export function termsOfName(name: string): readonly Term[] {
  return wordsOfName(name).map(termOf);
}

/** The terms of a text without function words, in their order. */
export function termsOfText(text: string): readonly Term[] {
  const words = text.match(/\p{L}[\p{L}\p{N}'’]*/gu) ?? [];
  return words
    .flatMap((word) => wordsOfName(word.replace(/['’]s?$/, '')))
    .flatMap((word) => (functionWords.has(word) ? [] : [termOf(word)]));
}

export function isFunctionWord(word: string): boolean {
  return functionWords.has(word.toLowerCase());
}

export function termOf(word: string): Term {
  return { word, stem: stemOf(word), isPlural: isPlural(word) };
}

/** Abbreviations and the stems of their full words. */
const spelledOut: Readonly<Record<string, string>> = {
  repo: 'repositori',
  dir: 'directori',
  folder: 'directori',
  doc: 'document',
  db: 'databas',
  pr: 'pull',
  msg: 'messag',
  org: 'organ',
  info: 'inform',
};

export function stemOf(word: string): string {
  const stem = stemmer(word.toLowerCase());
  return Object.hasOwn(spelledOut, stem) ? (spelledOut[stem] ?? stem) : stem;
}

/** The singular: `issue` for `issues`, `query` for `queries`. */
export function singularOf(word: string): string {
  if (!isPlural(word)) return word;
  if (/[^aeiou]ies$/.test(word)) return word.replace(/ies$/, 'y');
  return word.replace(/(x|ch|sh|ss)es$/, '$1').replace(/([^s])s$/, '$1');
}

/** The plural: `issues` for `issue`, `queries` for `query`. */
export function pluralOf(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

const SINGULAR_ENDS = /(?:ss|us|is|news|series|status|analysis)$/;

export function isPlural(word: string): boolean {
  return word.length > 2 && word.endsWith('s') && !SINGULAR_ENDS.test(word);
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
