// Checks whether a text tells a fact: its words and figures must be present and near each other.

/** Tells whether a text states the fact. */
export type Check = (text: string) => boolean;

const escaped = (word: string | number): string => String(word).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
/** Matches a whole word, also inside JSON. */
const bounded = (word: string | number): string => `(?<![\\w.-])${escaped(word)}(?![\\w]|\\.\\d)`;

/** Requires all checks, anywhere in the text. */
export function has(...words: readonly (string | number)[]): Check {
  return (text) => words.every((word) => new RegExp(bounded(word)).test(text));
}

/** Matches a part of a text in its JSON form. */
export function says(part: string): Check {
  const written = JSON.stringify(part).slice(1, -1);
  return (text) => text.includes(written);
}

/** Requires both with a limited distance in characters. */
export function near(one: string | number, other: string | number, within = 160): Check {
  const either = `${bounded(one)}[^]{0,${within}}${bounded(other)}|${bounded(other)}[^]{0,${within}}${bounded(one)}`;
  return (text) => new RegExp(either).test(text);
}

/** Requires a count: the figure right after the word. */
export function tally(word: string, times: number): Check {
  return (text) => new RegExp(`${bounded(word)}"?\\s*[:=,]\\s*${times}(?!\\d)`).test(text);
}

/** Requires a number of items, after any word for it. */
export function many(count: number): Check {
  return (text) =>
    new RegExp(`(count|keys|length|total|size|items|lines|tests)"?\\s*[:=]\\s*${count}(?!\\d)`).test(text);
}

export function any(...checks: readonly Check[]): Check {
  return (text) => checks.some((check) => check(text));
}

export function all(...checks: readonly Check[]): Check {
  return (text) => checks.every((check) => check(text));
}
