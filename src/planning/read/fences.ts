// Finds the code fences in a text.

export interface Fence {
  /** The word after the opening mark, in lower case; empty without one. */
  readonly label: string;
  readonly body: string;
  /** The offset of the body in the text. */
  readonly from: number;
}

const FENCE = /```([\w+-]*)[ \t]*\r?\n([\s\S]*?)```/g;

export function fencesIn(text: string): readonly Fence[] {
  return [...text.matchAll(FENCE)].map((found) => {
    const [whole, label = '', body = ''] = found;
    return { label: label.toLowerCase(), body, from: found.index + whole.indexOf('\n') + 1 };
  });
}
