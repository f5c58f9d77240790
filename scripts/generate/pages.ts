// The pages of a reference by their paths under docs/reference, and the Markdown that they share.

export { anchorOf } from '../../src/cli/docs/markdown.ts';

/** Markdown texts by path: `cli/run.md`. */
export type Pages = Readonly<Record<string, string>>;

/** The text in a cell of a table. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Lines as one text with a line break at its end. */
export function page(...lines: readonly string[]): string {
  return `${lines.join('\n').trimEnd()}\n`;
}
