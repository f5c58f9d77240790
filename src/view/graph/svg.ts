// The graph of a run as an SVG picture: phases as bands, each state as a sign, a word and a color, in light and dark.
import { span } from '../line.ts';
import { statusMark } from '../status.ts';
import type { RunGraph } from './export.ts';
import { type Box, CARD } from './geometry.ts';
import { layoutOf } from './layout.ts';
import { type Band, type Card, type Scene, sceneOf } from './scene.ts';

/** Wider than the distance of lines between rows from their boxes. */
const MARGIN = 36;
const HEAD = 32;

/** `tone: [line and sign, ground]`, in light and in dark. */
const tones = {
  good: ['#15803d', '#f0fdf4', '#4ade80', '#14261b'],
  bad: ['#b91c1c', '#fef2f2', '#f87171', '#2c1717'],
  warn: ['#a16207', '#fefce8', '#facc15', '#29230f'],
  busy: ['#1d4ed8', '#eff6ff', '#60a5fa', '#15203a'],
  dim: ['#71717a', '#fafafa', '#a1a1aa', '#202024'],
} as const;

export function svg(graph: RunGraph): string {
  const scene = sceneOf(graph, new Map());
  const { boxes, lines, whole } = layoutOf(scene);
  const [width, height] = [whole.width + 2 * MARGIN, whole.height + 2 * MARGIN + HEAD].map(Math.ceil);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(graph.title)}">`,
    `<style>${style}</style>`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>',
    '<rect class="ground" width="100%" height="100%"/>',
    `<text class="title" x="${MARGIN}" y="${MARGIN + 8}">${escaped(graph.title)}</text>`,
    `<g transform="translate(${MARGIN} ${MARGIN + HEAD})">`,
    ...outermostFirst(scene).map((band) => placed(boxes.get(band.id), (box) => bandShape(band, box))),
    ...lines.map(
      ({ path, kind, untravelled }) =>
        `<path class="${untravelled ? 'edge untravelled' : `edge ${kind}`}" d="${path}" marker-end="url(#tip)"/>`,
    ),
    ...scene.cards.map((card) => placed(boxes.get(card.id), (box) => cardShape(card, box))),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** Outer bands are drawn first, so that inner bands cover them. */
function outermostFirst({ bands }: Scene): readonly Band[] {
  const within = new Map(bands.map(({ id, within: around }) => [id, around]));
  const depth = (id: string | undefined): number => (id === undefined ? 0 : 1 + depth(within.get(id)));
  return bands.toSorted((left, right) => depth(left.id) - depth(right.id));
}

function placed(box: Box | undefined, shape: (box: Box) => string): string {
  return box === undefined ? '' : shape(box);
}

function bandShape({ title, counts }: Band, { x, y, width, height }: Box): string {
  const room = Math.floor((width - 36) / 6.6);
  const head = `${title}  ${counts}`.length > room ? title : `${title}  ${counts}`;
  return `<rect class="band" x="${x}" y="${y}" width="${width}" height="${height}" rx="12"/><text class="head" x="${x + 18}" y="${y + 24}">${escaped(cut(head, room))}</text>`;
}

function cardShape({ id, title, work, status, text, planning, holds }: Card, { x, y }: Box): string {
  const { sign, tone } = statusMark(status);
  const names = ['card', tone, ...(passedOver.has(status) ? ['passed'] : [])].join(' ');
  const pile = holds > 1 ? `<rect class="box" x="5" y="5" width="${CARD.width}" height="${CARD.height}" rx="8"/>` : '';
  return [
    `<g class="${names}" transform="translate(${x} ${y})"><title>${escaped(`${id}: ${work}, ${text}`)}</title>`,
    `${pile}<rect class="box" width="${CARD.width}" height="${CARD.height}" rx="${planning ? 20 : 8}"/>`,
    `<text class="name" x="14" y="25">${escaped(cut(title, 23))}</text>`,
    `<text x="14" y="45"><tspan class="sign">${sign} ${escaped(cut(text, 27))}</tspan>${text.length < 16 ? ` · ${escaped(cut(work, 22 - text.length))}` : ''}</text></g>`,
  ].join('');
}

const passedOver: ReadonlySet<string> = new Set(['skipped', 'cancelled', 'superseded']);

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, Math.max(0, length - 1))}…` : text;
}

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return span(text).text.replace(/[&<>"]/g, (character) => named[character] ?? '');
}

function coloured(dark: boolean): string {
  return Object.entries(tones)
    .map(([tone, [line, ground, darkLine, darkGround]]) => {
      const [stroke, fill] = dark ? [darkLine, darkGround] : [line, ground];
      return `.${tone} .box{stroke:${stroke};fill:${fill}}.${tone} .sign{fill:${stroke}}`;
    })
    .join('');
}

const style = [
  'text{font:12px system-ui,sans-serif;fill:#52525b}.title{font-size:16px;font-weight:600;fill:#18181b}.name{font-size:13px;font-weight:600;fill:#18181b}.head{font-weight:600}',
  '.ground{fill:#fff}.band{fill:#71717a;fill-opacity:.06;stroke:#a1a1aa;stroke-dasharray:2 4}.passed .box{stroke-dasharray:5 4}',
  '.edge{fill:none;stroke:#a1a1aa;stroke-width:1.3}.converges{stroke:#52525b;stroke-width:2.2}.untravelled{stroke-dasharray:5 5}.tip{fill:#71717a}',
  coloured(false),
  `@media(prefers-color-scheme:dark){text{fill:#a1a1aa}.title,.name{fill:#f4f4f5}.ground{fill:#18181b}.edge{stroke:#71717a}.converges{stroke:#d4d4d8}${coloured(true)}}`,
].join('');
