// Finds quotes that are never closed.
import type { YamlToken } from '../yaml-tokens.ts';
import { endOfLine, lineOf } from './brackets.ts';
import type { BrokenText, Explanation, Mistake } from './mistake.ts';

/** The most quoted texts that are tried. */
const MOST = 4;

export function unclosedQuotes({ text, tokens, error }: BrokenText): readonly Explanation[] {
  const before = tokens.findLast(
    ({ type, from, to }) => type.endsWith('quoted-scalar') && from < error.from && to <= error.from + 1,
  );
  const suspects = tokens.filter((token) => token.from <= error.from && (isSuspect(token) || isTooLong(token, before)));
  // The quote that is missing opened the last text before the error, or a text that runs over several lines.
  return suspects.slice(-MOST).flatMap((token) => closings(text, token).map((each) => [each]));
}

function isSuspect({ type, source }: YamlToken): boolean {
  if (!type.endsWith('quoted-scalar')) return false;
  return source.includes('\n') || source.length === 1 || source.at(-1) !== source.at(0);
}

/** `"data, glob: "` in `{ folder: "data, glob: "x" }` */
function isTooLong(token: YamlToken, before: YamlToken | undefined): boolean {
  return token === before && /[,}\]]/.test(token.source);
}

/** The places where the quote may be missing: before a separator on its line, or at the end of the line. */
function closings(text: string, { source, from }: YamlToken): readonly Mistake[] {
  const quote = source.charAt(0);
  const end = endOfLine(text, from);
  const line = text.slice(from, end);
  const separator = /^.[^,}\]]*?(?=\s*[,}\]])/.exec(line)?.[0];
  const brackets = line.replace(/[\s,}\]]+$/, '');
  const ends = [...new Set([line.length, brackets.length, separator?.length ?? 0])].filter((each) => each > 0);
  return ends.map((length) => ({
    code: 'YAML_UNCLOSED',
    message: `the quote that opens here is never closed`,
    from,
    to: from + 1,
    hint:
      length === line.length
        ? `add ${quote} at the end of line ${lineOf(text, from)}`
        : `write ${line.slice(0, length)}${quote}`,
    edits: [{ from: from + length, to: from + length, text: quote }],
    offered: true,
  }));
}
