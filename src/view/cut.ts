// Cuts a text to a number of characters.

/** Cuts at the end of a word where that keeps at least half, and adds an ellipsis. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, length - 1);
  const end = kept.search(/\s+\S*$/);
  return `${end >= length / 2 ? kept.slice(0, end) : kept}…`;
}
