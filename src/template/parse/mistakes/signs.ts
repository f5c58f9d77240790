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
