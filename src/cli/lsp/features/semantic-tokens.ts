// Semantic tokens: the parts of Lisp and of references, so that editors color them without a grammar of their own.
import { type SemanticTokens, SemanticTokensBuilder, type SemanticTokensLegend } from 'vscode-languageserver';
import { specialNames } from '../../../lisp/analyze/analyze.ts';
import { findBuiltin } from '../../../lisp/builtins.ts';
import { type LispToken, lispTokens } from '../../../lisp/tokens.ts';
import { type OutlineScalar, offsetIn, scalarsIn } from '../../../template/parse/outline.ts';
import { referenceRoots } from '../../../template/references.ts';
import { isLispAt } from '../../../template/step-occurrences.ts';
import type { AnalyzedDocument } from '../analyzed-document.ts';

const tokenTypes = [
  'keyword',
  'function',
  'variable',
  'parameter',
  'property',
  'string',
  'regexp',
  'number',
  'comment',
] as const;
const tokenModifiers = ['defaultLibrary', 'declaration'] as const;

type TokenType = (typeof tokenTypes)[number];
type TokenModifier = (typeof tokenModifiers)[number];

export const semanticTokensLegend: SemanticTokensLegend = {
  tokenTypes: [...tokenTypes],
  tokenModifiers: [...tokenModifiers],
};

/** A token by offsets in the decoded text of a scalar. */
interface TextToken {
  readonly from: number;
  readonly to: number;
  readonly type: TokenType;
  readonly modifier?: TokenModifier;
}

export function semanticTokens(document: AnalyzedDocument): SemanticTokens {
  const builder = new SemanticTokensBuilder();
  const { outline, kind } = document;
  for (const { scalar, path } of scalarsIn(outline.root)) {
    if (scalar.style === 'alias') continue;
    const tokens = isLispAt(scalar, path, kind) ? ofLisp(scalar.text) : ofReferences(scalar.text);
    for (const token of tokens) push(builder, document, scalar, token);
  }
  return builder.build();
}

/** Tokens of the protocol lie in one line; the parts of a longer token are pushed line by line. */
function push(
  builder: SemanticTokensBuilder,
  { text }: AnalyzedDocument,
  scalar: OutlineScalar,
  token: TextToken,
): void {
  const modifiers = token.modifier === undefined ? 0 : 1 << tokenModifiers.indexOf(token.modifier);
  let from = token.from;
  for (const part of scalar.text.slice(token.from, token.to).split('\n')) {
    if (part !== '') {
      const start = text.positionAt(offsetIn(scalar, from));
      // The last character may be written as two, such as a quote behind a backslash.
      const behind = text.positionAt(offsetIn(scalar, from + part.length));
      const end = behind.line === start.line ? behind : text.positionAt(offsetIn(scalar, from + part.length - 1) + 1);
      // A folded line ends somewhere else than its text says.
      if (end.line === start.line && end.character > start.character) {
        builder.push(
          start.line,
          start.character,
          end.character - start.character,
          tokenTypes.indexOf(token.type),
          modifiers,
        );
      }
    }
    from += part.length + 1;
  }
}

const special: ReadonlySet<string> = new Set(specialNames);
const DEFINING = /^(?:def|defn|defn-|defonce)$/;

function ofLisp(text: string): readonly TextToken[] {
  const tokens = lispTokens(text);
  const own = new Set(tokens.flatMap((token, nth) => (isDefined(tokens, nth) ? [token.text] : [])));
  return tokens.flatMap((token, nth) => {
    const found = typeOf(token, tokens, nth, own);
    return found === undefined ? [] : [{ from: token.from, to: token.to, ...found }];
  });
}

function typeOf(
  { kind, text }: LispToken,
  tokens: readonly LispToken[],
  nth: number,
  own: ReadonlySet<string>,
): Pick<TextToken, 'type' | 'modifier'> | undefined {
  switch (kind) {
    case 'comment':
    case 'string':
    case 'number':
      return { type: kind };
    case 'regex':
      return { type: 'regexp' };
    case 'keyword':
      return { type: 'property' };
    case 'open':
    case 'close':
    case 'mark':
      return undefined;
    case 'symbol':
      if (text === 'nil' || text === 'true' || text === 'false') return { type: 'keyword' };
      if (text.startsWith('data/')) return { type: 'variable', modifier: 'defaultLibrary' };
      if (/^%(?:\d+|&)?$/.test(text)) return { type: 'parameter' };
      if (isDefined(tokens, nth)) return { type: 'function', modifier: 'declaration' };
      if (own.has(text)) return { type: 'function' };
      if (special.has(text) && isHead(tokens, nth)) return { type: 'keyword' };
      return findBuiltin(text) === undefined ? { type: 'variable' } : { type: 'function', modifier: 'defaultLibrary' };
  }
}

function isHead(tokens: readonly LispToken[], nth: number): boolean {
  return tokens[nth - 1]?.kind === 'open' && tokens[nth - 1]?.text.endsWith('(') === true;
}

/** True for `add` in `(defn add [x] …)`. */
function isDefined(tokens: readonly LispToken[], nth: number): boolean {
  const before = tokens[nth - 1];
  return before?.kind === 'symbol' && DEFINING.test(before.text) && isHead(tokens, nth - 1);
}

const PLACEHOLDER = /\{\{(?:(?!\}\}).)*(?:\}\}|$)/gs;
const PART = /"[^"]*"|'[^']*'|[A-Za-z_$][\w$-]*|\d+/g;
const roots: ReadonlySet<string> = new Set(referenceRoots);

/** `results` of `{{ results.step.rows[0] }}` is a variable, its parts are properties; `{{ "{{" }}` is a text. */
function ofReferences(text: string): readonly TextToken[] {
  if (!text.includes('{{')) return [];
  return [...text.matchAll(PLACEHOLDER)].flatMap(({ 0: placeholder, index }) =>
    [...placeholder.matchAll(PART)].map(({ 0: part, index: at }, nth): TextToken => {
      const span = { from: index + at, to: index + at + part.length };
      if (nth === 0 && roots.has(part)) return { ...span, type: 'variable', modifier: 'defaultLibrary' };
      if (/^\d/.test(part)) return { ...span, type: 'number' };
      return { ...span, type: /^["']/.test(part) ? 'string' : nth === 0 ? 'variable' : 'property' };
    }),
  );
}
