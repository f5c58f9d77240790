// Cuts a Lisp text into tokens. Never fails: editors show and complete texts that are half written.

export interface LispToken {
  readonly kind: 'open' | 'close' | 'string' | 'regex' | 'number' | 'keyword' | 'symbol' | 'comment' | 'mark';
  /** As written, with its quotes or colon. */
  readonly text: string;
  /** Offsets in the text; `to` is one past the last character. */
  readonly from: number;
  readonly to: number;
}

const TOKEN =
  /(?<comment>;[^\n]*|#_)|(?<regex>#"(?:[^"\\]|\\[\s\S])*"?)|(?<string>"(?:[^"\\]|\\[\s\S])*"?|\\(?:[a-z]+|\S))|(?<open>#?[({]|\[)|(?<close>[)\]}])|(?<mark>[`'@^~])|(?<keyword>:[^\s,()[\]{}"`;@^~\\]*)|(?<number>[+-]?\d[^\s,()[\]{}"`;@^~\\]*)|(?<symbol>[^\s,()[\]{}"`;@^~\\]+)/g;

const kinds = ['comment', 'regex', 'string', 'open', 'close', 'mark', 'keyword', 'number', 'symbol'] as const;

export function lispTokens(text: string): readonly LispToken[] {
  return [...text.matchAll(TOKEN)].map((match) => ({
    kind: kinds.find((each) => match.groups?.[each] !== undefined) ?? 'symbol',
    text: match[0],
    from: match.index,
    to: match.index + match[0].length,
  }));
}
