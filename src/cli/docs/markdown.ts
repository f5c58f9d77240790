// Reads Markdown pages: their titles, their sections, and the anchors of their headings.

/** The anchor of a heading, as GitHub makes it; the site makes the same. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

interface Heading {
  readonly level: number;
  readonly anchor: string;
  readonly line: number;
}

/** The headings of a page. Comments of examples are none. */
function headingsIn(lines: readonly string[]): readonly Heading[] {
  let inExample = false;
  return lines.flatMap((text, line) => {
    if (text.startsWith('```')) inExample = !inExample;
    const [, marks = '', title = ''] = (inExample ? undefined : /^(#+) (.*)$/.exec(text)) ?? [];
    return marks === '' ? [] : [{ level: marks.length, anchor: anchorOf(title), line }];
  });
}

export function titleOf(page: string): string {
  return /^# (.*)$/m.exec(page)?.[1] ?? '';
}

export function anchorsIn(page: string): readonly string[] {
  return headingsIn(page.split('\n')).map(({ anchor }) => anchor);
}

/** The part of a page from the heading with this anchor to the next one of its level or above. */
export function sectionOf(page: string, anchor: string): string | undefined {
  const lines = page.split('\n');
  const headings = headingsIn(lines);
  const start = headings.find((heading) => heading.anchor === anchor);
  if (start === undefined) return undefined;
  const end = headings.find(({ level, line }) => line > start.line && level <= start.level);
  return `${lines.slice(start.line, end?.line).join('\n').trimEnd()}\n`;
}
