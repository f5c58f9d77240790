// Finds lines that are indented with tabs, or by a number of spaces that fits no line around them.
import { counted } from '../../../base/counted.ts';
import type { YamlLine } from '../yaml-lines.ts';
import { type BrokenText, type Explanation, type Mistake, rowsNear, type TextEdit } from './mistake.ts';

/** Blanks that YAML does not accept as indentation: tabs, and the fixed spaces of web pages. */
const BLANKS = /^[ \u00a0\u2007\u202f]*[\t\u00a0\u2007\u202f][\s\u00a0\u2007\u202f]*/;

export function tabs({ lines }: BrokenText): readonly Explanation[] {
  const found = lines.filter(({ text, inBrackets }) => BLANKS.test(text) && !inBrackets);
  const [first] = found;
  if (first === undefined) return [];
  const isTab = /^ *\t/.test(first.text);
  const rows = found.map(({ index }) => index + 1);
  const blank = isTab ? 'tab' : 'fixed space, as web pages use them';
  const message =
    rows.length === 1
      ? `the line is indented with a ${blank}`
      : `${rows.length === 2 ? `lines ${rows.join(' and ')}` : counted(rows.length, 'line')} are indented with ${isTab ? 'tabs' : 'fixed spaces, as web pages use them'}`;
  return [2, 4, 8, 6].map((width) => [
    {
      code: 'YAML_TAB',
      message,
      from: first.from,
      to: first.from + (BLANKS.exec(first.text)?.[0].length ?? 1),
      hint: 'indent with spaces',
      edits: found.map(({ from, text }) => spaces(from, BLANKS.exec(text)?.[0] ?? '', width)),
      offered: true,
    },
  ]);
}

/** The text of a block that begins with `|` or `>` stands no deeper than its key. */
export function blocksWithoutIndent({ text, lines, row }: BrokenText): readonly Explanation[] {
  const at = lines.findLastIndex(({ value }, index) => index <= row && /^[|>][-+0-9]*$/.test(value));
  const head = lines[at];
  if (head?.key === undefined) return [];
  const end = lines.slice(at + 1).findIndex(({ key, column, indent }) => key !== undefined || column > indent);
  const body = lines.slice(at + 1, end < 0 ? undefined : at + 1 + end);
  const [first] = body;
  if (first === undefined || first.indent > head.column) return [];
  const by = ' '.repeat(head.column + 2 - first.indent);
  return [
    [
      {
        code: 'YAML_INDENT',
        message: `the text of "${head.key}" must be indented deeper than "${head.key}"`,
        from: first.from + first.indent,
        to: first.from + text.slice(first.from).split('\n', 1).join('').trimEnd().length,
        hint: `indent ${body.length === 1 ? 'it' : `its ${body.length} lines`} by ${counted(head.column + 2, 'space')}`,
        edits: body.map(({ from }) => ({ from, to: from, text: by })),
        offered: true,
      },
    ],
  ];
}

function spaces(from: number, blanks: string, width: number): TextEdit {
  const text = blanks.replaceAll('\t', ' '.repeat(width)).replace(/[^ ]/g, ' ');
  return { from, to: from + blanks.length, text };
}

/** Lines that are tried with another indentation, from the line of the error. */
const BEFORE = 2;
const AFTER = 1;
/** The most changes of indentation that are tried. */
const TRIED = 8;
/** The most indentations that are tried for one line. */
const NEAREST = 3;
/** Lines around that show which indentations are in use. */
const AROUND = 30;

/** Errors at a value which the next line seems to continue. */
const JOINED: ReadonlySet<string> = new Set(['BLOCK_AS_IMPLICIT_KEY', 'MULTILINE_IMPLICIT_KEY']);

/** Lines whose indentation no other line has come first, and small corrections before large ones. */
export function wrongIndents(broken: BrokenText): readonly Explanation[] {
  const shifts = rowsNear(broken, BEFORE, AFTER)
    .filter(({ inBrackets }) => !inBrackets)
    .flatMap((line) => targetsOf(line, broken.lines));
  const odd = shifts.filter(({ line, used }) => !used.has(line.indent));
  const likely = broken.lines[broken.row + (JOINED.has(broken.error.code) ? 1 : 0)];
  const unlikely = ({ line }: Shift): number => (line === likely ? 0 : 1);
  /** A line more often belongs to the level of the line above it than to another. */
  const apart = ({ line, target }: Shift): number =>
    broken.lines[broken.lines.indexOf(line) - 1]?.indent === target ? 0 : 1;
  const tried = (odd.length > 0 ? odd : shifts)
    .toSorted((a, b) => distance(a) - distance(b) || unlikely(a) - unlikely(b) || apart(a) - apart(b))
    .slice(0, TRIED);
  return tried.flatMap((shift) => {
    const block = blockOf(shift, broken.lines);
    const ways = block.length === 1 ? [block] : [[shift.line], block];
    return ways.map((lines): Explanation => [shifted(shift, lines)]);
  });
}

interface Shift {
  readonly line: YamlLine;
  readonly target: number;
  /** The indentations of the lines around. */
  readonly used: ReadonlySet<number>;
}

function distance({ line, target }: Shift): number {
  return Math.abs(target - line.indent);
}

function targetsOf(line: YamlLine, lines: readonly YamlLine[]): readonly Shift[] {
  const at = lines.indexOf(line);
  const around = lines.slice(Math.max(0, at - AROUND), at + AROUND).filter((each) => each !== line);
  const used = new Set(around.flatMap(({ indent, column }) => [indent, column]));
  const near = [...used].filter((each) => each !== line.indent).map((target) => ({ line, target, used }));
  return near.toSorted((a, b) => distance(a) - distance(b)).slice(0, NEAREST);
}

/** The line with the lines that belong to it. */
function blockOf({ line, target }: Shift, lines: readonly YamlLine[]): readonly YamlLine[] {
  const at = lines.indexOf(line);
  const end = lines.slice(at + 1).findIndex(({ indent }) => indent <= Math.max(line.indent, target));
  return lines.slice(at, end < 0 ? lines.length : at + 1 + end);
}

function shifted({ line, target }: Shift, lines: readonly YamlLine[]): Mistake {
  const by = target - line.indent;
  const edits = lines.map(({ from, indent }) => ({
    from,
    to: from + indent,
    text: ' '.repeat(Math.max(0, indent + by)),
  }));
  const name = line.key === undefined ? 'this line' : `"${line.key}"`;
  const what = line.column > line.indent ? 'this list item' : name;
  return {
    code: 'YAML_INDENT',
    message: `${what} is indented by ${counted(line.indent, 'space')}, where ${target} ${target === 1 ? 'is' : 'are'} expected`,
    from: line.from + line.indent,
    to: line.from + line.column + Math.max(1, line.key?.length ?? line.value.length),
    hint: target === 0 ? 'remove the spaces before it' : `indent it by ${counted(target, 'space')}`,
    edits,
    offered: true,
    isGuess: true,
  };
}
