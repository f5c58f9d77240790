// Draws a phase: as a block with its counts, or as a frame with a header around its steps.
import { defined } from '../../../base/json.ts';
import type { ShownPhase } from '../../phases/phase-tree.ts';
import { leadingStatus, type ShownStatus, type StatusCounts } from '../../phases/shown-status.ts';
import { statusGlyphs, statusWords } from '../../phases/status-glyphs.ts';
import type { Box } from '../geometry.ts';
import type { DrawnThing } from './display-list.ts';
import { drawRing, isLoud, type TakenBoxes } from './draw-step.ts';
import type { PlacedPhase } from './footprint.ts';
import { createPen, edgeOf, fillOf, type Pen, toneOf } from './pen.ts';
import type { GraphFacts, Look, PhaseFacts, ShownGraph } from './shown-graph.ts';
import { drawBar } from './status-bar.ts';

/** A wider block also tells times, costs, and the names of steps that need attention. */
const WIDE = 130;

export function phaseAria({ number, title, kind, all }: ShownPhase, { counts, time }: PhaseFacts): string {
  const noun = kind === 'replan' ? title : kind === 'items' ? `Items of ${title}` : `Phase ${number ?? ''} ${title}`;
  const words = [`${noun.replace(/ +/g, ' ')}: ${counts.completed} of ${all.length} completed`];
  for (const status of ['failed', 'running', 'retrying', 'asks', 'queued', 'not_run'] as const)
    if (counts[status] > 0) words.push(`${counts[status]} ${statusWords[status]}`);
  if (time !== undefined) words.push(time);
  return words.join(', ');
}

/** `✗ 2`, or the glyph of what the phase does. */
function markOf(
  counts: StatusCounts,
  space: string,
): { readonly text: string; readonly status: ShownStatus } | undefined {
  const leading = leadingStatus(counts);
  if (leading === undefined) return undefined;
  if (counts.failed > 0 && leading !== 'asks') return { text: `✗${space}${counts.failed}`, status: 'failed' };
  return { text: statusGlyphs[leading], status: leading };
}

/** The far level. `box` is in pixels, and may be higher than what is drawn. */
export function drawBlock(graph: GraphFacts, phase: ShownPhase, box: Box, look: Look, isHot: boolean): DrawnThing {
  const pen = createPen(look.widthOf);
  const facts = graph.phaseFacts(phase);
  const isWide = box.width > WIDE;
  const all = isWide || box.height > 74 ? detailLines(graph, phase, facts) : [];
  const lines = isWide && box.height < 62 + 18 * all.length ? joined(all) : all;
  const height = Math.min(box.height, isWide ? 62 + 18 * lines.length : 52 + 15 * lines.length, isWide ? 240 : 150);
  const drawn: Box = { ...box, height };
  const leading = leadingStatus(facts.counts);
  pen.box(drawn, { radius: 8, fill: 'sheet', stroke: isHot ? 'accent' : 'edge', width: isHot ? 2 : 1 });
  if (leading !== undefined)
    pen.box(
      { x: box.x, y: box.y, width: 4, height },
      { radius: 2, fill: fillOf(leading), stroke: edgeOf(leading), width: 0.5 },
    );
  if (isWide) drawWide(pen, phase, facts, drawn, lines);
  else drawSmall(pen, phase, facts, drawn, lines);
  if (phase.planner === look.cursor) drawRing(pen, drawn, '4 3');
  return pen.thing({
    kind: 'block',
    id: phase.planner,
    box: drawn,
    ...defined({ status: leading }),
    name: phaseAria(phase, facts),
  });
}

function drawSmall(
  pen: Pen,
  phase: ShownPhase,
  { counts }: PhaseFacts,
  { x, y, width, height }: Box,
  lines: readonly DetailLine[],
): void {
  const [left, right] = [x + 8, x + width - 6];
  // Below the scale of the whole picture a block shows its status, and its number if there is room.
  if (width < 56 || height < 46) {
    const number = String(phase.number ?? '');
    if (height >= 16 && pen.widthOf(number, 10, true) <= right - left)
      pen.text(number, left, y + 12, { size: 10, bold: true, paint: 'text', on: 'sheet', part: 'name' });
    return;
  }
  title(pen, phase, left, y + 15, right - left, 10);
  drawBar(pen, { x: left, y: y + 21, width: right - left, height: 8 }, counts, phase.all.length);
  const mark = markOf(counts, '');
  const wide =
    mark === undefined
      ? 0
      : pen.text(mark.text, right, y + 43, {
          size: 10,
          bold: true,
          anchor: 'end',
          paint: toneOf(mark.status),
          on: 'sheet',
          part: 'glyph',
        });
  const marks = `${phase.replansOf.length > 0 ? ' ⟲' : ''}${phase.nested.length > 0 ? ' ▣' : ''}`;
  pen.text(`${counts.completed}/${phase.all.length}${marks}`, left, y + 43, {
    size: 10,
    paint: 'dim',
    on: 'sheet',
    room: right - left - wide - 4,
  });
  lines.forEach(([text, status], index) => {
    const baseline = y + 58 + 15 * index;
    if (baseline > y + height - 5) return;
    pen.text(text, left, baseline, {
      size: 10,
      paint: status === undefined ? 'dim' : toneOf(status),
      on: 'sheet',
      room: right - left,
      part: status === undefined ? 'detail' : 'name',
    });
  });
}

function drawWide(
  pen: Pen,
  phase: ShownPhase,
  { counts }: PhaseFacts,
  { x, y, width, height }: Box,
  lines: readonly DetailLine[],
): void {
  const [left, right] = [x + 13, x + width - 12];
  const size = width > 260 ? 16 : 13;
  titleAndMark(pen, phase, counts, { left, right, y: y + size + 7, size });
  drawBar(pen, { x: left, y: y + size + 15, width: right - left, height: 10 }, counts, phase.all.length);
  let baseline = y + size + 41;
  pen.text(`${counts.completed} of ${phase.all.length} done`, left, baseline, {
    size: 12,
    paint: 'dim',
    on: 'sheet',
    room: right - left,
  });
  for (const [text, status] of lines) {
    baseline += 18;
    if (baseline > y + height - 4) break;
    pen.text(text, left, baseline, {
      size: 12,
      paint: status === undefined ? 'dim' : toneOf(status),
      on: 'sheet',
      room: right - left,
      part: status === undefined ? 'detail' : 'name',
    });
  }
}

/** A line of a block; lines about a status have its color. */
type DetailLine = readonly [text: string, status: ShownStatus | undefined];

/** One line, in the color of its most urgent part. */
function joined(lines: readonly DetailLine[]): readonly DetailLine[] {
  const status = lines.find(([, own]) => own !== undefined)?.[1];
  return [[lines.map(([text]) => text).join(' · '), status]];
}

/** Names where there are few, else counts: `✗ dedupe_west`, `▶ 7 running`, then time and cost. */
function detailLines(
  graph: GraphFacts,
  { all, nested, replansOf }: ShownPhase,
  { counts, time, cost }: PhaseFacts,
): readonly DetailLine[] {
  const lines: DetailLine[] = [];
  for (const status of ['asks', 'failed', 'running', 'retrying'] as const) {
    if (counts[status] === 0) continue;
    if (counts[status] > 2) lines.push([`${statusGlyphs[status]} ${counts[status]} ${statusWords[status]}`, status]);
    else
      for (const id of all) {
        const { name, status: own } = graph.stepFacts(id);
        if (own === status) lines.push([`${statusGlyphs[status]} ${name}`, status]);
      }
  }
  if (counts.queued > 0) lines.push([`⋯ ${counts.queued} queued`, undefined]);
  if (counts.not_run > 0) lines.push([`– ${counts.not_run} not run`, undefined]);
  const spent = [time ?? 'not begun', cost].filter((each) => each !== undefined).join(' · ');
  lines.push([spent, undefined]);
  const more = [
    ...(nested.length > 0 ? [`▣ ${nested.length} nested`] : []),
    ...(replansOf.length > 0 ? [`⟲ ${replansOf.length} replanned`] : []),
  ];
  if (more.length > 0) lines.push([more.join(' · '), undefined]);
  return lines;
}

function title(pen: Pen, { number, title: text }: ShownPhase, x: number, y: number, room: number, most: number): void {
  const wide =
    number === undefined ? 0 : pen.text(String(number), x, y, { size: most, paint: 'dim', on: 'sheet' }) + most * 0.4;
  // A smaller title is better than a cut one.
  const sizes = [most, 12, 11, 10].filter((size) => size <= most);
  const size = sizes.find((each) => pen.widthOf(text, each, true) <= room - wide) ?? sizes.at(-1) ?? most;
  pen.text(text, x + wide, y, {
    size,
    bold: true,
    paint: 'text',
    on: 'sheet',
    part: 'name',
    room: room - wide,
  });
}

/** The title at the left, and the mark of the phase's worst status at the right of the same line. */
function titleAndMark(
  pen: Pen,
  phase: ShownPhase,
  counts: StatusCounts,
  {
    left,
    right,
    y,
    size,
  }: { readonly left: number; readonly right: number; readonly y: number; readonly size: number },
): void {
  const mark = markOf(counts, ' ');
  const wide =
    mark === undefined
      ? 0
      : pen.text(mark.text, right, y, {
          size,
          bold: true,
          anchor: 'end',
          paint: toneOf(mark.status),
          on: 'sheet',
          part: 'glyph',
        });
  title(pen, phase, left, y, right - left - wide - size / 2, size);
}

/** The frame of a phase and its header. Headers keep the size of their words at every scale. */
export function drawFrame(
  graph: ShownGraph,
  phase: ShownPhase,
  placed: PlacedPhase,
  box: Box,
  look: Look,
  isHot: boolean,
  taken: TakenBoxes,
): readonly DrawnThing[] {
  const pen = createPen(look.widthOf);
  const { depth } = placed;
  const isReplan = phase.kind === 'replan';
  const edge = isHot || isReplan ? 'accent' : depth > 0 ? 'status-waiting-edge' : 'edge';
  pen.box(box, {
    radius: depth > 0 ? 5 : 8,
    fill: depth % 2 === 0 ? 'sheet' : 'nested',
    stroke: edge,
    width: isHot ? 2 : 1,
    ...(isReplan ? { dash: '5 3' } : {}),
  });
  const frame = pen.thing({ kind: 'frame', id: phase.planner, box });
  return [frame, headerOf(graph, phase, placed, box, look, taken)];
}

function headerOf(
  graph: ShownGraph,
  phase: ShownPhase,
  { depth, head }: PlacedPhase,
  box: Box,
  look: Look,
  taken: TakenBoxes,
): DrawnThing {
  const pen = createPen(look.widthOf);
  const facts = graph.phaseFacts(phase);
  const high = head * look.camera.scale;
  // Only the words of a header are clicked, not the free space above them.
  const height = Math.min(high, depth > 0 ? 24 : 54);
  const header: Box = { ...box, y: depth > 0 ? box.y : box.y + high - height, height };
  pen.box(header, { fill: 'clear', radius: 5 });
  if (depth > 0) drawNestedHeader(pen, phase, facts, box, high);
  else drawHeader(pen, phase, facts, { ...box, height: high });
  for (const label of pen.labels) taken.push(label.box);
  const hasCard = graph.footprint.cells.has(phase.planner);
  if (phase.planner === look.chosen && !hasCard) drawRing(pen, header);
  else if (phase.planner === look.cursor && !hasCard) drawRing(pen, header, '4 3');
  const leading = leadingStatus(facts.counts);
  return pen.thing({
    kind: 'header',
    id: phase.planner,
    box: header,
    ...defined({ status: leading }),
    name: phaseAria(phase, facts),
  });
}

function drawHeader(
  pen: Pen,
  phase: ShownPhase,
  { counts, time, cost }: PhaseFacts,
  { x, y, width, height }: Box,
): void {
  const size = Math.min(13, Math.max(10, height * 0.3));
  const top = y + Math.max(0, height - 54);
  const [left, right] = [x + 8, x + width - 8];
  titleAndMark(pen, phase, counts, { left, right, y: top + size + 5, size });
  drawBar(pen, { x: left, y: top + size + 11, width: right - left, height: 6 }, counts, phase.all.length);
  if (height <= 40) return;
  const words = [`${counts.completed} of ${phase.all.length}`, time ?? 'not begun', cost];
  pen.text(words.filter((each) => each !== undefined).join(' · '), left, top + size + 30, {
    size: 10.5,
    paint: 'dim',
    on: 'sheet',
    room: right - left,
  });
}

function drawNestedHeader(
  pen: Pen,
  phase: ShownPhase,
  { counts }: PhaseFacts,
  { x, y, width }: Box,
  height: number,
): void {
  if (height < 13) return;
  const isReplan = phase.kind === 'replan';
  const glyph = isReplan ? '⟲' : phase.kind === 'items' ? '≡' : '▣';
  const leading = leadingStatus(counts);
  const tone = leading !== undefined && isLoud(leading) ? toneOf(leading) : isReplan ? 'accent' : 'text';
  const size = Math.min(12, Math.max(10, height * 0.42));
  const baseline = y + Math.min(height, 22) / 2 + size * 0.36;
  const count = `${counts.completed}/${phase.all.length}`;
  const on = 'nested';
  const wide = pen.text(`${glyph} ${phase.title}`, x + 5, baseline, {
    size,
    bold: true,
    paint: tone,
    on,
    part: 'name',
    room: width - 10,
  });
  if (wide > 0)
    pen.text(count, x + 10 + wide, baseline, { size: 10, paint: 'dim', on, room: width - wide - 16, least: 99 });
}

/** `12 to 31, all done` */
export function drawFold(graph: ShownGraph, members: readonly string[], box: Box, look: Look): DrawnThing {
  const pen = createPen(look.widthOf);
  const phases = members.flatMap((key) => graph.tree.phases.get(key) ?? []);
  const [first, last] = [phases[0]?.number ?? 0, phases.at(-1)?.number ?? 0];
  const facts = phases.map((phase) => graph.phaseFacts(phase));
  const sum = (status: ShownStatus): number => facts.reduce((all, { counts }) => all + counts[status], 0);
  const total = phases.reduce((all, phase) => all + phase.all.length, 0);
  const done = sum('completed');
  const { x, y, width, height } = { ...box, height: Math.min(box.height, 60) };
  for (const shift of [6, 3, 0])
    pen.box(
      { x: x + shift, y: y + shift, width: width - 6, height: height - 6 },
      { radius: 8, fill: 'sheet', stroke: 'edge', width: 1 },
    );
  const room = width - 22;
  pen.text(`${first} to ${last}`, x + 8, y + 16, {
    size: 11,
    bold: true,
    paint: 'text',
    on: 'sheet',
    part: 'name',
    room,
  });
  const said = done === total ? 'all done' : `${done} of ${total} done`;
  pen.text(`${said}`, x + 8, y + 31, { size: 10, paint: 'dim', on: 'sheet', room });
  pen.text(`${total} steps`, x + 8, y + 45, { size: 10, paint: 'dim', on: 'sheet', room });
  if (members[0] === look.cursor) drawRing(pen, { x, y, width, height }, '4 3');
  return pen.thing({
    kind: 'fold',
    id: members[0] ?? '',
    box: { x, y, width, height },
    status: 'completed',
    name: `Phases ${first} to ${last}: ${said}. Press Enter to unfold.`,
  });
}

/** A header that stays in view while its phase is scrolled under the edge of the view. */
export function drawSticky(
  graph: ShownGraph,
  phase: ShownPhase,
  x: number,
  y: number,
  width: number,
  look: Look,
): DrawnThing {
  const pen = createPen(look.widthOf);
  const { counts } = graph.phaseFacts(phase);
  const box: Box = { x, y, width: Math.min(width, 330), height: 26 };
  pen.box(box, { radius: 6, fill: 'sheet', stroke: 'status-waiting-edge', width: 1 });
  const failed = counts.failed > 0 ? `  ✗ ${counts.failed}` : '';
  const wide = pen.text(`${counts.completed} of ${phase.all.length}${failed}`, box.x + box.width - 10, y + 17.5, {
    size: 12,
    ...(counts.failed > 0 ? { bold: true } : {}),
    anchor: 'end',
    paint: counts.failed > 0 ? edgeOf('failed') : 'dim',
    on: 'sheet',
  });
  title(pen, phase, box.x + 10, y + 17.5, box.width - wide - 30, 13);
  return pen.thing({ kind: 'sticky', id: phase.planner, box });
}
