// Paints a display list as SVG text. Colors are CSS variables, so that a theme needs no new picture.
import type { DisplayList, DrawnThing, Label, Shape } from './display-list.ts';

const patterned: ReadonlySet<string> = new Set(['status-queued-fill', 'status-retrying-fill', 'status-replaced-fill']);

/** The patterns and arrow heads that the picture refers to. */
export const svgDefinitions = [
  '<pattern id="status-queued-fill" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="var(--status-queued-fill)"/><rect width="2" height="6" fill="var(--status-queued-edge)"/></pattern>',
  '<pattern id="status-retrying-fill" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8" fill="var(--status-queued-fill)"/><rect width="4" height="8" fill="var(--status-running-fill)"/></pattern>',
  '<pattern id="status-replaced-fill" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><rect width="5" height="5" fill="var(--sheet)"/><rect width="2" height="5" fill="var(--status-replaced-edge)"/></pattern>',
  ...['line', 'accent'].map(
    (paint) =>
      `<marker id="arrow-${paint}" viewBox="0 0 8 8" refX="7" refY="4" markerUnits="userSpaceOnUse" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="var(--${paint})"/></marker>`,
  ),
].join('');

export function svgOf({ things }: DisplayList): string {
  return things.map(thingText).join('');
}

function thingText({ kind, id, name, status, shapes, labels }: DrawnThing): string {
  const drawing = shapes.map(shapeText).join('');
  const texts = labels.map(labelText).join('');
  const body = drawing + texts;
  if (kind === 'lines' || kind === 'frame') return `<g class="${kind}">${body}</g>`;
  if (kind === 'sticky') return `<g class="sticky" data-phase="${escaped(id)}" aria-hidden="true">${body}</g>`;
  const isStep = kind === 'cell' || kind === 'card';
  const role = isStep
    ? `data-card="${escaped(id)}" role="img"`
    : `data-phase="${escaped(id)}" role="button" tabindex="0"`;
  // The accessible name says it all.
  const words = texts === '' ? '' : `<g aria-hidden="true">${texts}</g>`;
  const state = status === undefined ? '' : ` data-status="${status}"`;
  return `<g class="thing ${kind}" ${role}${state} aria-label="${escaped(name ?? id)}">${drawing}${words}</g>`;
}

function shapeText(shape: Shape): string {
  if (shape.kind === 'line') {
    const { path, stroke, width, dash, arrow } = shape;
    const marker = arrow ? ` marker-end="url(#arrow-${stroke})"` : '';
    return `<path d="${path}" fill="none" stroke="var(--${stroke})" stroke-width="${width}"${dashed(dash)}${marker}/>`;
  }
  const { box, radius, fill, stroke, width, dash } = shape;
  const ground =
    fill === undefined
      ? 'none'
      : fill === 'clear'
        ? 'transparent'
        : patterned.has(fill)
          ? `url(#${fill})`
          : `var(--${fill})`;
  const edge = stroke === undefined ? '' : ` stroke="var(--${stroke})" stroke-width="${width ?? 1}"${dashed(dash)}`;
  const round = radius === undefined ? '' : ` rx="${at(radius)}"`;
  return `<rect x="${at(box.x)}" y="${at(box.y)}" width="${at(Math.max(0, box.width))}" height="${at(Math.max(0, box.height))}"${round} fill="${ground}"${edge}/>`;
}

function dashed(dash: string | undefined): string {
  return dash === undefined ? '' : ` stroke-dasharray="${dash}"`;
}

function labelText({ text, x, y, size, bold, anchor, paint }: Label): string {
  const weight = bold ? ' font-weight="650"' : '';
  const side = anchor === 'start' ? '' : ` text-anchor="${anchor}"`;
  return `<text x="${at(x)}" y="${at(y)}" font-size="${at(size)}"${weight}${side} fill="var(--${paint})">${escaped(text)}</text>`;
}

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => named[character] ?? '');
}

function at(pixel: number): number {
  return Math.round(pixel * 10) / 10;
}
