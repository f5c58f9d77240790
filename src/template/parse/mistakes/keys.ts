// Finds lines that are no key and no list item, because a colon, a space or a dash is missing.
import { counted } from '../../../base/counted.ts';
import type { YamlLine } from '../yaml-lines.ts';
import { type BrokenText, type Explanation, type Mistake, rowsNear, shortened } from './mistake.ts';

export function incompleteKeys(broken: BrokenText): readonly Explanation[] {
  return rowsNear(broken, 2, 1).flatMap((line) => {
    if (line.key !== undefined || line.inBrackets) return [];
    return mistakesOf(line).map((each) => [each]);
  });
}

/** A list that stands under no key: `steps:` is missing above it. */
export function listsWithoutKey({ lines, row }: BrokenText): readonly Explanation[] {
  return [row, row + 1].flatMap((at) => {
    const line = lines[at];
    const above = lines[at - 1];
    if (line === undefined || line.column === line.indent || line.inBrackets) return [];
    const isUnderKey = above?.value === '' || (above !== undefined && above.indent >= line.indent);
    if (isUnderKey) return [];
    const first = { from: line.from, to: line.from, text: `${' '.repeat(above?.column ?? 0)}steps:\n` };
    return [
      [
        {
          code: 'YAML_KEY_MISSING',
          message: 'this list belongs to no key',
          from: line.from + line.indent,
          to: line.from + line.text.length,
          hint: 'write its key on the line above, such as steps:',
          edits: [first],
          offered: false,
        },
      ],
    ];
  });
}

/** Lines that are indented under a key which has a value already: the line with their own key is missing. */
export function linesWithoutKey({ lines, row }: BrokenText): readonly Explanation[] {
  return [row + 1, row].flatMap((at) => {
    const line = lines[at];
    const above = lines[at - 1];
    if (line?.key === undefined || above?.key === undefined || line.inBrackets) return [];
    if (above.value === '' || line.indent <= above.column) return [];
    const own = { from: line.from, to: line.from, text: `${' '.repeat(above.column)}missing:\n` };
    return [
      [
        {
          code: 'YAML_KEY_MISSING',
          message: `"${line.key}" is indented under "${above.key}", which has a value already`,
          from: line.from + line.indent,
          to: line.from + line.column + line.key.length,
          hint: `indent it by ${counted(above.column, 'space')}, or write the key it belongs to on the line above`,
          edits: [own],
          offered: false,
        },
      ],
    ];
  });
}

/** Prose beside a comment, whose "#" is missing. */
export function unmarkedComments({ text, lines, row }: BrokenText): readonly Explanation[] {
  return lines.slice(0, row + 2).flatMap((line) => {
    const slashes = /^\/\/+ ?/.exec(line.value)?.[0];
    if (slashes !== undefined && line.key === undefined) return [[unmarked(line, slashes.length)]];
    const isProse = line.key === undefined && line.column === line.indent && /\w+ \w+ \w+/.test(line.value);
    if (!isProse || !/(?:^|\n)[ \t]*#[^\n]*\n$/.test(text.slice(Math.max(0, line.from - 400), line.from))) return [];
    return [[unmarked(line, 0)]];
  });
}

/** `length`: the number of signs that take the place of "#". */
function unmarked(line: YamlLine, length: number): Mistake {
  const from = line.from + line.indent;
  return {
    code: 'YAML_COMMENT_UNMARKED',
    message: 'this line is neither a key nor a comment',
    from,
    to: line.from + line.text.length,
    hint: 'begin it with "# "',
    edits: [{ from, to: from + length, text: '# ' }],
    offered: true,
  };
}

function mistakesOf(line: YamlLine): readonly Mistake[] {
  const { value } = line;
  const told = (code: string, message: string, text: string, offered = true): Mistake => {
    const from = line.from + line.column;
    const to = from + value.length;
    return { code, message, from, to, hint: `write ${shortened(text, 100)}`, edits: [{ from, to, text }], offered };
  };
  const [, dashed] = /^-(\w.*:(?:\s.*)?)$/.exec(value) ?? [];
  if (dashed !== undefined) return [told('YAML_SPACE_MISSING', 'a space is missing after "-"', `- ${dashed}`)];
  const [, glued = '', rest = ''] = /^([\w-]+):(\S.*)$/.exec(value) ?? [];
  if (glued !== '') return [told('YAML_SPACE_MISSING', `a space is missing after "${glued}:"`, `${glued}: ${rest}`)];
  const [, key = '', sign = '', text = ''] = /^([\w-]+)(\s*(?:=>?|:=)\s*|\s+)(\S.*)$/.exec(value) ?? [];
  if (key !== '') {
    const isSign = sign.trim() !== '';
    const message = isSign ? `"${sign.trim()}" is no colon` : `a colon is missing after "${key}"`;
    return [told('YAML_COLON_MISSING', message, `${key}: ${text}`)];
  }
  if (!/^[\w.*-]+$/.test(value)) return [];
  const hint = `write "${value}:" for a key, or "- ${value}" for a list item`;
  return [`- ${value}`, `${value}:`].map((each) => ({
    ...told('YAML_COLON_MISSING', `"${value}" is neither a key nor a list item`, each, false),
    hint,
  }));
}
