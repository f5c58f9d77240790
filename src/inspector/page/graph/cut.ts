// Shortens a text to the space it has in the graph.

/** The end of the text stays, because it tells repairs apart: `plan_re…h~2`. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 4)}…${text.slice(-3)}` : text;
}
