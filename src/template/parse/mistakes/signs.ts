// Finds signs that no YAML has: marks of a merge conflict, fences of Markdown, and unknown escapes in double quotes.
import type { BrokenText, Explanation, Mistake, TextEdit } from './mistake.ts';

const CONFLICT = /^(?:<{7}|={7}|>{7})(?: .*)?\r?$/gm;

export function mergeConflict({ text }: BrokenText): readonly Explanation[] {
  const [first] = text.matchAll(CONFLICT);
  if (first === undefined || !first[0].startsWith('<')) return [];
  // Only the author knows which half is right; without the first half the text may be readable.
  const edits = [...text.matchAll(/^<{7}[^\n]*\n[\s\S]*?^={7}\r?\n|^>{7}[^\n]*\n?/gm)].map(removed);
  return [
    [
      {
        code: 'YAML_CONFLICT',
        message: 'the file has a merge conflict that was not resolved',
        from: first.index,
        to: first.index + first[0].trimEnd().length,
        hint: 'keep one of the two versions, and remove the lines with <<<<<<<, ======= and >>>>>>>',
        edits,
        offered: false,
      },
    ],
  ];
}

export function markdownFence({ text }: BrokenText): readonly Explanation[] {
  const fences = [...text.matchAll(/^[ \t]*(?:```|~~~)[^\n]*\n?/gm)];
  const [first] = fences;
  if (first === undefined) return [];
  return [
    [
      {
        code: 'YAML_FENCE',
        message: 'this line is a fence of Markdown, not of YAML',
        from: first.index,
        to: first.index + first[0].trimEnd().length,
        hint: `remove ${fences.length === 1 ? 'the line' : 'the lines that begin with ```'}`,
        edits: fences.map(removed),
        offered: true,
        title: 'Remove the fences of Markdown',
      },
    ],
  ];
}

const FIXED = /^([ ]*(?:- )?[A-Za-z_][\w-]*:)[\u00a0\u2007\u202f]+(?=(\S[^\n\r]*))/gm;

/** `name: x` with a fixed space, as web pages and PDF files have them. */
export function fixedSpaces({ text }: BrokenText): readonly Explanation[] {
  const mistakes = [...text.matchAll(FIXED)].map(({ index, 0: whole, 1: key = '', 2: value = '' }): Mistake => {
    const from = index + key.length;
    return {
      code: 'YAML_SPACE_MISSING',
      message: `a fixed space follows "${key.trim()}", where YAML needs an ordinary one`,
      from: index + key.length - key.trimStart().length,
      to: index + whole.length,
      hint: `write ${key.trim()} ${value.trimEnd()}`,
      edits: [{ from, to: index + whole.length, text: ' ' }],
      offered: true,
    };
  });
  return mistakes.length === 0 ? [] : [mistakes];
}

const VARIABLE = /(?<=[:,[{][ \t]+)(?=[^\s"'#])(?:(?!: )[^"'{}[\],\n$])*\$\{[^}\n]*\}[^"'{}[\],\n]*/g;

/** `{ Authorization: Bearer ${API_KEY} }` */
export function unquotedVariables({ text, error }: BrokenText): readonly Explanation[] {
  const from = text.lastIndexOf('\n', error.from - 1) + 1;
  const end = text.indexOf('\n', error.from);
  const line = text.slice(from, end < 0 ? text.length : end);
  if (!/[{[]/.test(line)) return [];
  const mistakes = [...line.matchAll(VARIABLE)].map((found): Mistake => {
    const value = found[0].trimEnd();
    const at = from + found.index;
    return {
      code: 'YAML_EXPRESSION_UNQUOTED',
      message: `"${value}" needs quotes here, because YAML reads a bare { as a map`,
      from: at,
      to: at + value.length,
      hint: `write "${value}"`,
      edits: [{ from: at, to: at + value.length, text: `"${value}"` }],
      offered: true,
    };
  });
  return mistakes.length === 0 ? [] : [mistakes];
}

function removed({ index, 0: whole }: RegExpExecArray): TextEdit {
  return { from: index, to: index + whole.length, text: '' };
}

const ESCAPE =
  /\\(?:[0abtnvfre "/\\N_LP\t]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|\r?\n)|(\\(?:\r?\n|[\s\S]|$))/g;

/** A text with one unknown escape often has several, as in `"\d+\.\d+"`. */
export function unknownEscapes({ tokens, error }: BrokenText): readonly Explanation[] {
  const quoted = tokens.find(
    ({ type, from, to }) => type === 'double-quoted-scalar' && from <= error.from && error.from <= to,
  );
  if (quoted === undefined) return [];
  const wrong = [...quoted.source.matchAll(ESCAPE)].filter((each) => each[1] !== undefined);
  const [first] = wrong;
  if (first === undefined) return [];
  const at = quoted.from + first.index;
  const unknown = first[0];
  const mistake: Mistake = {
    code: 'YAML_ESCAPE_UNKNOWN',
    message: `"${unknown}" is no escape of double quotes`,
    from: at,
    to: at + unknown.length,
    hint: `write "\\${unknown}", or put the text in single quotes`,
    edits: wrong.map(({ index }) => ({ from: quoted.from + index, to: quoted.from + index, text: '\\' })),
    offered: true,
    title: 'Write each backslash twice',
  };
  return [[mistake]];
}
