// How a shown text is asked for a fact: whatever the way of showing it, the words and figures have to be there, and near each other.

/** Whether a text tells the fact. */
export type Check = (text: string) => boolean;

const escaped = (word: string | number): string => String(word).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
/** As a word of its own, also in the midst of JSON. */
const bounded = (word: string | number): string => `(?<![\\w.-])${escaped(word)}(?![\\w]|\\.\\d)`;

/** Every one of them, anywhere. */
export function has(...words: readonly (string | number)[]): Check {
  return (text) => words.every((word) => new RegExp(bounded(word)).test(text));
}

/** A part of a text, as it stands in JSON. */
export function says(part: string): Check {
  const written = JSON.stringify(part).slice(1, -1);
  return (text) => text.includes(written);
}

/** Both in one breath: no more than so many characters between them. */
export function near(one: string | number, other: string | number, within = 160): Check {
  const either = `${bounded(one)}[^]{0,${within}}${bounded(other)}|${bounded(other)}[^]{0,${within}}${bounded(one)}`;
  return (text) => new RegExp(either).test(text);
}

/** How often something is so: the figure right behind the word. */
export function tally(word: string, times: number): Check {
  return (text) => new RegExp(`${bounded(word)}"?\\s*[:=,]\\s*${times}(?!\\d)`).test(text);
}

/** How many there are, behind any word that says so. */
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
