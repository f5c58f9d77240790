// Splits YAML into tokens with their offsets, also where its syntax is broken.
import { CST, Lexer } from 'yaml';

export interface YamlToken {
  /** The names of the `yaml` package, and `plain` for plain texts and the contents of block texts. */
  readonly type: CST.TokenType | 'plain';
  readonly source: string;
  readonly from: number;
  readonly to: number;
}

const MARKS = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

/** Without spaces and line breaks. `flow-error-end` stands where a line ends a bracket that was not closed. */
export function tokensOf(text: string): readonly YamlToken[] {
  const tokens: YamlToken[] = [];
  let from = 0;
  let isScalar = false;
  for (const source of new Lexer().lex(text)) {
    if (source === CST.SCALAR) {
      isScalar = true;
      continue;
    }
    const type = isScalar ? 'plain' : (CST.tokenType(source) ?? 'plain');
    isScalar = false;
    const to = MARKS.has(source) ? from : from + source.length;
    if (type !== 'space' && type !== 'newline' && type !== 'doc-mode') tokens.push({ type, source, from, to });
    from = to;
  }
  return tokens;
}

export interface OpenBracket {
  readonly sign: '{' | '[';
  readonly from: number;
}

const CLOSERS = { '{': '}', '[': ']' } as const;

export function closerOf({ sign }: OpenBracket): '}' | ']' {
  return CLOSERS[sign];
}

/** A bracket that is never closed, or a closing bracket that does not fit. */
export type BracketFault =
  | { readonly type: 'unclosed'; readonly open: readonly OpenBracket[]; readonly at: number }
  | { readonly type: 'wrong'; readonly open: OpenBracket; readonly at: number; readonly sign: string }
  | { readonly type: 'extra'; readonly at: number; readonly sign: string };

/** Matches the brackets of a text of `length` characters. */
export function bracketsOf(tokens: readonly YamlToken[], length: number): readonly BracketFault[] {
  const faults: BracketFault[] = [];
  let open: OpenBracket[] = [];
  for (const { type, source, from } of tokens) {
    if (type === 'flow-map-start' || type === 'flow-seq-start') open.push({ sign: source === '{' ? '{' : '[', from });
    else if (type === 'flow-map-end' || type === 'flow-seq-end') {
      const last = open.pop();
      if (last === undefined) faults.push({ type: 'extra', at: from, sign: source });
      else if (closerOf(last) !== source) faults.push({ type: 'wrong', open: last, at: from, sign: source });
    } else if (type === 'flow-error-end') {
      if (open.length > 0) faults.push({ type: 'unclosed', open, at: from });
      open = [];
    }
  }
  if (open.length > 0) faults.push({ type: 'unclosed', open, at: length });
  return faults;
}
