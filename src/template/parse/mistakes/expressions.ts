// Finds expressions without quotes: YAML reads `{{ input.folder }}` as a map with a map as its key.
import { type BrokenText, type Explanation, inQuotes, type Mistake, shortened } from './mistake.ts';

/** The rest of a text inside brackets: expressions, and everything up to the next separator. */
const INSIDE = /(?:\{\{[^\n]*?\}\}|[^,\]}{\n])*/y;
const OUTSIDE = /[^\n]*/y;

/** All expressions without quotes are one explanation, because a file with one of them often has several. */
export function unquotedExpressions({ text, tokens }: BrokenText): readonly Explanation[] {
  const mistakes: Mistake[] = [];
  let depth = 0;
  let end = 0;
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    const begins = token.source === '{' && next?.source === '{' && next.from === token.to;
    if (begins && token.from >= end && token.type === 'flow-map-start') {
      const found = expressionAt(text, startOf(text, tokens[index - 1], token.from), token.from, depth > 0);
      if (found !== undefined) {
        mistakes.push(found);
        end = found.to;
      }
    }
    if (token.from >= end && token.type.startsWith('flow-') && token.type.endsWith('-start')) depth += 1;
    else if (token.from >= end && token.type.startsWith('flow-') && token.type.endsWith('-end')) depth -= 1;
    if (token.type === 'flow-error-end' || depth < 0) depth = 0;
  }
  return mistakes.length === 0 ? [] : [mistakes];
}

/** In brackets, a text such as `data/` before an expression is a token of its own. */
function startOf(text: string, before: BrokenText['tokens'][number] | undefined, from: number): number {
  if (before === undefined || before.type !== 'plain' || text.slice(before.to, from).trim() !== '') return from;
  return before.source.includes('\n') ? from : before.from;
}

function expressionAt(text: string, from: number, braces: number, inBrackets: boolean): Mistake | undefined {
  const line = text.slice(braces, text.indexOf('\n', braces) < 0 ? text.length : text.indexOf('\n', braces));
  if (!line.includes('}}')) return unclosed(text, from, braces, line);
  const rest = inBrackets ? INSIDE : OUTSIDE;
  rest.lastIndex = braces;
  const behind = rest.exec(text)?.[0] ?? '';
  const whole = (text.slice(from, braces) + (inBrackets ? behind : behind.replace(/\s+#.*$/, ''))).trimEnd();
  const meant = whole.replace(/^[$“”„‘’]+(?=\{\{)/u, '').replace(/(?<=\}\})[“”‘’]+$/u, '');
  const quoted = inQuotes(meant);
  return {
    code: 'YAML_EXPRESSION_UNQUOTED',
    message: `"${shortened(whole)}" needs quotes here, because YAML reads a bare { as a map`,
    from,
    to: from + whole.length,
    hint: `write ${quoted}`,
    edits: [{ from, to: from + whole.length, text: quoted }],
    offered: true,
  };
}

const OPEN = /^\{\{([^{},"'#]*[^{},"'#\s])\s*\}?/;

/** `{{ input.folder }` */
function unclosed(text: string, from: number, braces: number, line: string): Mistake | undefined {
  const [whole, inner = ''] = OPEN.exec(line) ?? [];
  if (whole === undefined) return undefined;
  const to = braces + whole.length;
  const quoted = inQuotes(`${text.slice(from, braces)}{{ ${inner.trim()} }}`);
  return {
    code: 'YAML_UNCLOSED',
    message: 'this "{{" is never closed',
    from: braces,
    to: braces + 2,
    hint: `write ${quoted}`,
    edits: [{ from, to, text: quoted }],
    offered: true,
  };
}
