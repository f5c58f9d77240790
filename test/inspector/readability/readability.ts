// Judges in a browser whether the names on the graph can be read, from what is on the screen: it knows nothing of how the graph is painted.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { colorAt, type Pixels, readPng } from './png.ts';

interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface SeenText {
  readonly text: string;
  /** The id of the step, or of the planning step of the phase. */
  readonly owner: string;
  /** The accessible name of the owner. */
  readonly name: string;
  readonly kind: 'step' | 'phase' | 'other';
  readonly isPart: boolean;
  readonly size: number;
  readonly color: string;
  readonly opacity: number;
  readonly isInside: boolean;
  readonly covered: readonly string[];
  readonly rect: Rect;
}

interface SeenMark {
  readonly id: string;
  readonly kind: 'step' | 'phase';
  readonly shape: string;
  readonly status: string;
  readonly rect: Rect;
}

interface Flaw {
  readonly what: 'small' | 'pale' | 'covered' | 'short' | 'no name' | 'no status';
  readonly where: string;
  readonly detail: string;
}

export interface Readability {
  /** Ids of steps whose name can be read. */
  readonly steps: ReadonlySet<string>;
  readonly phases: ReadonlySet<string>;
  /** Everything that stands wholly in the frame. */
  readonly marks: readonly SeenMark[];
  readonly flaws: readonly Flaw[];
  /** All texts in the graph, with the least size and the least contrast. */
  readonly labels: number;
  readonly leastSize: number;
  readonly leastContrast: number;
}

const labels = readFileSync(join(import.meta.dirname, '../in-page/labels.js'), 'utf8');
const LEAST_SIZE = 10;
const LEAST_CONTRAST = 4.5;
const LEAST_LETTERS = 8;

/** The page must not move. `graph` is the selector of the graph. */
export async function readability(page: Page, graph: string): Promise<Readability> {
  await page.evaluate(`globalThis.judged = ${JSON.stringify(graph)}`);
  const seen = JSON.parse(await page.evaluate(labels)) as { texts: SeenText[]; marks: SeenMark[] };
  const written = readPng(await page.screenshot());
  // Without its texts, the picture shows what is behind them.
  const css = `${graph} text, ${graph} tspan { fill: transparent !important; stroke: transparent !important }
    ${graph} * { color: transparent !important; text-shadow: none !important }`;
  await page.evaluate(`globalThis.wordless = new CSSStyleSheet(); wordless.replaceSync(${JSON.stringify(css)});
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, wordless];`);
  const behind = readPng(await page.screenshot());
  await page.evaluate(
    'document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== wordless); undefined',
  );
  return judge(seen.texts, seen.marks, behind, written);
}

function judge(texts: readonly SeenText[], marks: readonly SeenMark[], behind: Pixels, written: Pixels): Readability {
  const flaws: Flaw[] = [];
  const [steps, phases] = [new Set<string>(), new Set<string>()];
  let [leastSize, leastContrast] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const parts = texts.filter(({ isPart }) => isPart);
  for (const label of parts) {
    const where = `${label.kind} ${label.owner}`;
    const contrast = contrastOf(label, behind, written);
    // A label at the rim of the frame is read after a drag.
    const found: Flaw[] = [];
    if (label.size < LEAST_SIZE - 0.05)
      found.push({ what: 'small', where, detail: `“${label.text}” has ${label.size.toFixed(1)} px` });
    if (label.isInside) {
      leastSize = Math.min(leastSize, label.size);
      leastContrast = Math.min(leastContrast, contrast);
      if (contrast < LEAST_CONTRAST)
        found.push({ what: 'pale', where, detail: `“${label.text}” has a contrast of ${contrast.toFixed(2)}` });
      if (label.covered.length > 0)
        found.push({ what: 'covered', where, detail: `“${label.text}” under ${label.covered[0]}` });
    }
    flaws.push(...found);
    if (found.length === 0 && label.isInside && namesOwner(label))
      (label.kind === 'step' ? steps : phases).add(label.owner);
  }
  for (const mark of marks) {
    const isNamed = (mark.kind === 'step' ? steps : phases).has(mark.id);
    if (!isNamed && mark.kind === 'phase')
      flaws.push({ what: 'no name', where: `phase ${mark.id}`, detail: sizeOf(mark) });
    if (!isNamed && mark.kind === 'step' && !showsStatus(mark, behind))
      flaws.push({ what: 'no status', where: `step ${mark.id}`, detail: sizeOf(mark) });
  }
  return { steps, phases, marks, flaws, labels: parts.length, leastSize, leastContrast };
}

function sizeOf({ rect, status }: SeenMark): string {
  return `${status} ${Math.round(rect.width)} × ${Math.round(rect.height)} px at ${Math.round(rect.x)}, ${Math.round(rect.y)}`;
}

/** The label has the whole name of its owner, or at least eight letters from its beginning. */
function namesOwner({ text, owner, name }: SeenText): boolean {
  const shown = text.replace(/^[^\p{L}\p{N}]+/u, '').replace(/^\d+ (?=\p{L})/u, '');
  const isCut = shown.includes('…');
  const [begin = ''] = shown.split('…');
  const own = (owner.split('/').at(-1) ?? owner).replaceAll('_', ' ');
  const plain = (words: string): string => words.replaceAll('_', ' ').trim().toLowerCase();
  if (begin.trim() === '') return false;
  const isOwn = plain(own).includes(plain(begin)) || plain(name).includes(plain(begin));
  return isOwn && (!isCut || begin.trim().length >= LEAST_LETTERS);
}

/** WCAG contrast with the worst color behind at least a twentieth of the pixels that the label inks. */
function contrastOf({ rect, color, opacity }: SeenText, behind: Pixels, written: Pixels): number {
  const [red = 0, green = 0, blue = 0, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
  const ink = alpha * opacity;
  let worst = Number.POSITIVE_INFINITY;
  for (const ground of groundsIn(rect, behind, 0.05, written)) {
    const parts = [(ground >> 16) & 255, (ground >> 8) & 255, ground & 255] as const;
    const mixed = ([red, green, blue] as const).map((each, i) => each * ink + (parts[i] ?? 0) * (1 - ink));
    const [light, dark] = [luminance(mixed), luminance(parts)].sort((one, other) => other - one);
    worst = Math.min(worst, ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05));
  }
  return worst;
}

/** Colors that fill at least this share of a part of the picture; with `written`, only of the pixels in which it differs. */
function groundsIn(rect: Rect, { width, height, rgb }: Pixels, share: number, written?: Pixels): readonly number[] {
  const counts = new Map<number, number>();
  let all = 0;
  const [left, right] = [Math.max(0, Math.floor(rect.x)), Math.min(width, Math.ceil(rect.x + rect.width))];
  const [top, bottom] = [Math.max(0, Math.floor(rect.y)), Math.min(height, Math.ceil(rect.y + rect.height))];
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const at = (y * width + x) * 3;
      const color = colorAt(rgb, at);
      if (written !== undefined && colorAt(written.rgb, at) === color) continue;
      counts.set(color, (counts.get(color) ?? 0) + 1);
      all += 1;
    }
  return [...counts].filter(([, count]) => count >= all * share).map(([color]) => color);
}

function luminance(parts: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = parts.map((each) => {
    const value = each / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** A cell without a name is at least three pixels wide and high, and its fill or its edge differs from what is around it. */
function showsStatus({ rect, status }: SeenMark, behind: Pixels): boolean {
  if (status === '' || rect.width < 3 || rect.height < 3) return false;
  const around = { x: rect.x - 3, y: rect.y - 3, width: rect.width + 6, height: rect.height + 6 };
  const inner = groundsIn(rect, behind, 0.02);
  return inner.length > 1 || inner[0] !== groundsIn(around, behind, 0.02).find((color) => color !== inner[0]);
}
