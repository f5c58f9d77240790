// Finds commas in brackets that are missing between two entries, or that follow no entry.
import type { YamlToken } from '../yaml-tokens.ts';
import { type BrokenText, type Explanation, type Mistake, shortened } from './mistake.ts';

export function missingCommas({ tokens, error }: BrokenText): readonly Explanation[] {
  const found: Explanation[] = [];
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.from > error.from + NEAR) break;
    const next = tokens[index + 1];
    if (isStart(token)) depth += 1;
    else if (isEnd(token)) depth = Math.max(0, depth - 1);
    else if (token.type === 'flow-error-end') depth = 0;
    if (depth === 0 || next === undefined || token.to < error.from - NEAR) continue;
    const mistake = joinedWords(token, next) ?? neighbors(token, next) ?? extra(token, next);
    if (mistake !== undefined) found.push([mistake]);
  }
  return found;
}

/** The parser reports a missing comma near it, at most this many characters apart. */
const NEAR = 200;

function isStart({ type }: YamlToken): boolean {
  return type === 'flow-map-start' || type === 'flow-seq-start';
}

function isEnd({ type }: YamlToken): boolean {
  return type === 'flow-map-end' || type === 'flow-seq-end';
}

/** `list handler` before a colon in `{ name: list handler: files.list }` */
function joinedWords({ type, source, from }: YamlToken, next: YamlToken): Mistake | undefined {
  if (type !== 'plain' || next.type !== 'map-value-ind') return undefined;
  const [, value, gap = '', key] = /^([\s\S]*\S)(\s+)([\w-]+)$/.exec(source) ?? [];
  return value === undefined || key === undefined ? undefined : missing(value, from + value.length, `,${gap}${key}`);
}

/** `"a" "b"`, `[a] [b]`, `"a" b` */
function neighbors(token: YamlToken, next: YamlToken): Mistake | undefined {
  const ends = isEnd(token) || token.type.endsWith('quoted-scalar');
  const begins = isStart(next) || next.type.endsWith('quoted-scalar') || next.type === 'plain';
  const begun = isStart(next) || next.type.endsWith('quoted-scalar');
  if (!((ends && begins) || (token.type === 'plain' && begun))) return undefined;
  return missing(token.source, token.to, `, ${next.source}`);
}

/** `[a,, b]` and `[, a]` */
function extra(token: YamlToken, next: YamlToken): Mistake | undefined {
  if (next.type !== 'comma' || (token.type !== 'comma' && !isStart(token))) return undefined;
  return {
    code: 'YAML_COMMA_EXTRA',
    message: 'no entry stands before this comma',
    from: next.from,
    to: next.to,
    hint: 'remove the comma',
    edits: [{ from: next.from, to: next.to, text: '' }],
    offered: true,
  };
}

function missing(before: string, at: number, behind: string): Mistake {
  return {
    code: 'YAML_COMMA_MISSING',
    message: `a comma is missing after "${shortened(before.replace(/^(["'])(.*)\1$/, '$2'), 40)}"`,
    from: at - before.length,
    to: at,
    hint: `write ${shortened(before, 40)}${shortened(behind.split('\n')[0] ?? '', 40)}`,
    edits: [{ from: at, to: at, text: ',' }],
    offered: true,
    title: 'Add a comma',
  };
}
