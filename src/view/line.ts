// A line of text for people: spans with a tone, which a terminal turns into colour and everything else leaves out.

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'dim' | 'strong';

export interface Span {
  readonly text: string;
  readonly tone?: Tone;
}

export type Line = readonly Span[];

/** Text from data cannot steer a terminal: control and direction characters become spaces. */
export function span(text: string, tone?: Tone): Span {
  const clean = text.replace(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ');
  return tone === undefined ? { text: clean } : { text: clean, tone };
}

export function plainText(line: Line): string {
  return line.map(({ text }) => text).join('');
}

/** In code points. */
export function widthOf(line: Line): number {
  return line.reduce((sum, { text }) => sum + [...text].length, 0);
}

/** The beginning of a line that fits into so many columns, with an ellipsis where something is missing. */
export function shorten(line: Line, columns: number): Line {
  if (widthOf(line) <= columns) return line;
  const kept: Span[] = [];
  let left = Math.max(0, columns - 1);
  for (const each of line) {
    const characters = [...each.text];
    kept.push({ ...each, text: characters.slice(0, left).join('') });
    left -= characters.length;
    if (left <= 0) break;
  }
  return [...kept, { text: '…' }];
}
