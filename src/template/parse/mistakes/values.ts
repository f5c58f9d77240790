// Finds values that need quotes: they contain ": ", begin with a sign of YAML, or go on after their closing quote.
import type { YamlLine } from '../yaml-lines.ts';
import { type BrokenText, type Explanation, inQuotes, type Mistake, rowsNear, shortened } from './mistake.ts';

export function unquotedValues(broken: BrokenText): readonly Explanation[] {
  const inLines = rowsNear(broken, 1, 0).flatMap((line) => mistakeOf(line, broken) ?? []);
  return [...inLines, ...longText(broken)].map((each) => [each]);
}

/** A text without quotes goes on in the next line, with words before a colon. */
function longText({ lines, row, text }: BrokenText): readonly Mistake[] {
  // The parser may report the first line of the text, or the line with the colon.
  return [row + 1, row].flatMap((at) => {
    const line = lines[at];
    const above = lines[at - 1];
    if (line?.key === undefined || above?.key === undefined || line.inBrackets) return [];
    const isText = /^[^"'|>[{&*!]/.test(above.value) && line.indent > above.column;
    // A single word in lower case is a key with a wrong indentation.
    if (!isText || /^[a-z_][\w-]*$/.test(line.key)) return [];
    const last = lines.slice(at).findIndex((each) => each.indent <= above.column);
    const end = lines[last < 0 ? lines.length - 1 : at + last - 1] ?? line;
    const from = above.from + above.valueColumn;
    const to = end.from + end.text.trimEnd().length;
    const quote = text.slice(from, to).includes('"') ? "'" : '"';
    if (text.slice(from, to).includes(quote)) return [];
    const edits = [from, to].map((place) => ({ from: place, to: place, text: quote }));
    const hint = `put the whole text in quotes, or begin it below "${above.key}: |"`;
    const colonAt = line.from + line.column + line.key.length;
    const told = { code: 'YAML_COLON_UNQUOTED', message: 'a text that contains ": " needs quotes' };
    return [
      {
        ...told,
        from: line.from + line.column,
        to: colonAt + 1,
        hint,
        edits,
        offered: true,
        title: 'Put the text in quotes',
      },
    ];
  });
}

function mistakeOf(line: YamlLine, broken: BrokenText): Mistake | undefined {
  const { value } = line;
  if (value === '' || line.inBrackets) return undefined;
  if (/^[|>]/.test(value)) return blockText(line, broken);
  const quote = /^["']/.exec(value)?.[0];
  if (quote !== undefined) return textAfterQuote(line, quote);
  if (/^[@`%*!&?]/.test(value)) return badStart(line);
  // `[draft] write a letter`
  if (/^(?:\[[^\]]*\]|\{[^}]*\})[^\]},]+$/.test(value)) return badStart(line);
  if (line.key !== undefined && /^[^[{].*:(?:\s|$)/.test(value)) return colon(line);
  return undefined;
}

function quoted(line: YamlLine, text: string, told: Pick<Mistake, 'code' | 'message'>, at = 0): Mistake {
  const from = line.from + line.valueColumn;
  const to = from + line.value.length;
  const written = line.key === undefined ? text : `${line.key}: ${text}`;
  const hint = `write ${shortened(written, 100)}`;
  return { ...told, from: from + at, to, hint, edits: [{ from, to, text }], offered: true };
}

function colon(line: YamlLine): Mistake {
  return quoted(line, inQuotes(line.value), {
    code: 'YAML_COLON_UNQUOTED',
    message: 'a value that contains ": " needs quotes',
  });
}

function badStart(line: YamlLine): Mistake | undefined {
  if (/^![\w-]+(?:\s|$)/.test(line.value) || /^&\w+(?:\s|$)/.test(line.value)) return undefined;
  return quoted(line, inQuotes(line.value), {
    code: 'YAML_VALUE_UNQUOTED',
    message: `a text that begins with "${line.value.charAt(0)}" needs quotes`,
  });
}

/** `'don't do it'`, or `"quoted" and more`. */
function textAfterQuote(line: YamlLine, quote: string): Mistake | undefined {
  const value = line.value.replace(/\s+#[^"']*$/, '');
  const closing = value.indexOf(quote, 1);
  const rest = value.slice(closing + 1);
  if (closing < 0 || rest.trim() === '' || /^\s+#/.test(rest) || /^\s*[:,\]}]/.test(rest)) return undefined;
  const inner = value.length > 1 && value.endsWith(quote) ? value.slice(1, -1) : value;
  const at = closing + 1;
  return quoted(
    { ...line, value },
    inQuotes(inner),
    { code: 'YAML_TEXT_AFTER_QUOTE', message: `the quoted text ends before "${shortened(rest.trim(), 40)}"` },
    at + rest.length - rest.trimStart().length,
  );
}

/** `prompt: | Say hello` */
function blockText(line: YamlLine, { lines, row }: BrokenText): Mistake | undefined {
  const [whole = '', sign = '', text = ''] = /^([|>][-+0-9]*)[ \t]+([^#\s].*)$/.exec(line.value) ?? [];
  if (whole === '') return undefined;
  const next = lines[row + 1];
  const from = line.from + line.valueColumn;
  const to = from + whole.length;
  const at = to - text.length;
  const indent = ' '.repeat(line.column + 2);
  const goesOn = next !== undefined && next.indent > line.column;
  const edit = { from: from + sign.length, to: at, text: `\n${goesOn ? ' '.repeat(next.indent) : indent}` };
  return {
    code: 'YAML_BLOCK_TEXT_MISPLACED',
    message: `the text after "${sign}" must begin on the next line`,
    from: at,
    to,
    hint: `write it below, indented by ${line.column + 2} spaces`,
    edits: [edit],
    offered: true,
  };
}
