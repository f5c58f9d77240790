// Reads each line of YAML for itself, so that a broken line can be told from the lines around it.
import type { YamlToken } from './yaml-tokens.ts';

/** A line with content: no blank line, no comment, and no line of a text that spans several lines. */
export interface YamlLine {
  /** Counts from 0. */
  readonly index: number;
  /** The offset of its beginning. */
  readonly from: number;
  readonly text: string;
  /** The number of blanks at its beginning. */
  readonly indent: number;
  /** The column behind the dashes of list items; counts from 0. */
  readonly column: number;
  readonly key?: string;
  /** The column of the value, or of an item without a key. */
  readonly valueColumn: number;
  /** The value without the comment; may be empty. */
  readonly value: string;
  /** The line begins inside brackets. */
  readonly inBrackets: boolean;
}

const KEY = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'#[\]{},|>&*!%@`?-][^#]*?)\s*:(?=\s|$)/;

export function yamlLinesOf(text: string, tokens: readonly YamlToken[]): readonly YamlLine[] {
  const isHidden = within(linesOfTexts(tokens));
  const isInBrackets = within(linesInBrackets(tokens));
  const lines: YamlLine[] = [];
  let index = 0;
  for (let from = 0; from <= text.length; index += 1) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    const line = text.slice(from, to).replace(/\r$/, '');
    const content = line.trim();
    const hidden = isHidden(from);
    const inBrackets = isInBrackets(from);
    if (content !== '' && !content.startsWith('#') && !hidden) {
      lines.push({ index, from, text: line, inBrackets, ...partsOf(line) });
    }
    from = to + 1;
  }
  return lines;
}

function partsOf(line: string): Pick<YamlLine, 'indent' | 'column' | 'key' | 'valueColumn' | 'value'> {
  const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
  const dashes = /^(?:-[ \t]+)*/.exec(line.slice(indent))?.[0].length ?? 0;
  const column = indent + dashes;
  const rest = line.slice(column);
  const found = KEY.exec(rest);
  if (found === null) return { indent, column, valueColumn: column, value: withoutComment(rest) };
  const [whole, written = ''] = found;
  const gap = /^\s*/.exec(rest.slice(whole.length))?.[0].length ?? 0;
  const valueColumn = column + whole.length + gap;
  const key = written.replace(/^(["'])(.*)\1$/, '$2');
  return { indent, column, key, valueColumn, value: withoutComment(line.slice(valueColumn)) };
}

/** A comment of a quoted value is kept, because the end of the quotes is uncertain in a broken line. */
function withoutComment(value: string): string {
  return (/^["']/.test(value) ? value : value.replace(/(?:^|\s)#.*$/, '')).trimEnd();
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Tells whether an offset is inside one of the stretches, which are in order. Offsets must ascend. */
function within(stretches: readonly Stretch[]): (offset: number) => boolean {
  let at = 0;
  return (offset) => {
    while ((stretches[at]?.to ?? Number.POSITIVE_INFINITY) <= offset) at += 1;
    return (stretches[at]?.from ?? offset) < offset;
  };
}

const LOOKS_LIKE_KEY = /\n[ ]*(?:- +)?[\w-]+:(?:[ ]|\r?\n|$)/;

/** Block texts, and quoted texts of several lines, unless they seem to contain keys because a quote is missing. */
function linesOfTexts(tokens: readonly YamlToken[]): readonly Stretch[] {
  return tokens.filter(({ type, source, from }, at) => {
    if (!source.includes('\n')) return false;
    if (type === 'plain') return tokens[at - 1]?.type === 'block-scalar-header' || isBlockText(tokens, at, from);
    return type.endsWith('quoted-scalar') && !LOOKS_LIKE_KEY.test(source);
  });
}

/** A comment may stand between the header of a block text and its content. */
function isBlockText(tokens: readonly YamlToken[], at: number, from: number): boolean {
  const before = tokens[at - 1];
  return before?.type === 'comment' && tokens[at - 2]?.type === 'block-scalar-header' && before.to < from;
}

function linesInBrackets(tokens: readonly YamlToken[]): readonly Stretch[] {
  const found: Stretch[] = [];
  let depth = 0;
  let from = 0;
  for (const token of tokens) {
    if (token.type === 'flow-map-start' || token.type === 'flow-seq-start') {
      if (depth === 0) from = token.from;
      depth += 1;
    } else if (depth > 0 && (token.type === 'flow-map-end' || token.type === 'flow-seq-end')) {
      depth -= 1;
      if (depth === 0) found.push({ from, to: token.to });
    } else if (token.type === 'flow-error-end') {
      depth = 0;
    }
  }
  return found;
}
