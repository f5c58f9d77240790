// Draws a step: as a card with words, as a cell in the color of its status, or as a cell with a pill that names it.
import { defined } from '../../../base/json.ts';
import { type ShownStatus, shownStatuses } from '../../phases/shown-status.ts';
import { statusGlyphs, statusWords } from '../../phases/status-glyphs.ts';
import type { Box } from '../geometry.ts';
import type { DrawnThing } from './display-list.ts';
import { createPen, edgeOf, fillOf, inkOf, LEAST_NAME, type Pen } from './pen.ts';
import type { Look, StepFacts } from './shown-graph.ts';

/** Boxes of pills and names that later labels must not cover. */
export type TakenBoxes = Box[];

/** Statuses that are named even where cells are too small for names. */
const loud: ReadonlySet<ShownStatus> = new Set(['failed', 'running', 'retrying', 'asks']);
/** Fills with a pattern: text on them stands on a plain ground. */
const hatched: ReadonlySet<ShownStatus> = new Set(['queued', 'retrying', 'replaced']);
const PILL = 15;

export function isLoud(status: ShownStatus | undefined): boolean {
  return status !== undefined && loud.has(status);
}

export function loudness(status: ShownStatus | undefined): number {
  return status === undefined ? -1 : isLoud(status) ? 10 + shownStatuses.indexOf(status) : 0;
}

/** `station`: a single step of the chain, which is named at every level. */
export function drawStep(
  id: string,
  box: Box,
  facts: StepFacts,
  look: Look,
  taken: TakenBoxes,
  station: boolean,
): DrawnThing {
  const pen = createPen(look.widthOf);
  const { status } = facts;
  if (status === undefined) drawUnplanned(pen, box);
  else if (look.level === 'near' && box.width >= 90) drawCard(pen, id, box, facts, status, look);
  else drawCell(pen, id, box, facts, status, look, taken, station);
  if (facts.kept === true && box.width >= 8)
    pen.box(
      { x: box.x, y: box.y, width: Math.min(4, box.width / 5), height: box.height },
      { fill: 'accent', radius: 1 },
    );
  if (id === look.chosen) drawRing(pen, box);
  else if (id === look.cursor) drawRing(pen, box, '4 3');
  return pen.thing({
    kind: look.level === 'near' ? 'card' : 'cell',
    id,
    box,
    ...defined({ status }),
    name: ariaName(facts),
  });
}

export function ariaName({ name, status, time, tries, kept }: StepFacts): string {
  const words = [name, status === undefined ? 'not planned yet' : statusWords[status]];
  if (time !== undefined) words.push(time);
  if (tries > 1) words.push(`${tries} tries`);
  if (kept === true) words.push('kept from the plan before');
  return words.join(', ');
}

export function drawRing(pen: Pen, { x, y, width, height }: Box, dash?: string): void {
  pen.box(
    { x: x - 3.5, y: y - 3.5, width: width + 7, height: height + 7 },
    { radius: 8, stroke: 'accent', width: 3, ...defined({ dash }) },
  );
}

function drawUnplanned(pen: Pen, box: Box): void {
  pen.box(box, { radius: Math.min(5, box.height / 4), stroke: 'edge', width: 1, dash: '1 3' });
}

function isFaint(id: string, { related, found }: Look): boolean {
  if (found !== undefined) return !found.has(id);
  return related !== undefined && !related.has(id);
}

function drawCard(pen: Pen, id: string, box: Box, facts: StepFacts, status: ShownStatus, look: Look): void {
  const { x, y, width, height } = box;
  const faint = isFaint(id, look);
  const quiet = status === 'not_run' || status === 'replaced';
  pen.box(box, {
    radius: 6,
    fill: 'sheet',
    stroke: faint && status === 'completed' ? 'edge' : edgeOf(status),
    width: isLoud(status) ? 2 : 1,
    ...(status === 'not_run' ? { dash: '3 2' } : {}),
  });
  const strip = height * 0.5;
  pen.box({ x: x + 1, y: y + 1, width: strip, height: height - 2 }, { radius: 5, fill: fillOf(status) });
  const isHatched = hatched.has(status);
  if (isHatched)
    pen.box({ x: x + strip / 2 - 9, y: y + height / 2 - 9, width: 18, height: 18 }, { radius: 9, fill: 'sheet' });
  pen.text(statusGlyphs[status], x + 1 + strip / 2, y + height / 2 + 5, {
    size: 14,
    bold: true,
    anchor: 'middle',
    paint: isHatched ? 'text' : inkOf(status),
    on: isHatched ? 'sheet' : fillOf(status),
    part: 'glyph',
  });
  const size = Math.max(11, Math.min(13, height * 0.26));
  const [left, room] = [x + strip + 8, width - strip - 13];
  pen.text(facts.name, left, y + height * 0.42, {
    size,
    ...(faint || quiet ? {} : { bold: true }),
    paint: faint || quiet ? 'dim' : 'text',
    on: 'sheet',
    part: 'name',
    room,
  });
  pen.text(detailOf(facts, status), left, y + height * 0.77, {
    size: 10.5,
    paint: status === 'failed' || status === 'asks' ? edgeOf(status) : 'dim',
    on: 'sheet',
    room,
  });
}

/** `1.4s`, `failed 399ms · ↻3 · 1.0¢` */
function detailOf({ time, tries, cost, kept }: StepFacts, status: ShownStatus): string {
  const words: string[] = [];
  if (status !== 'completed') words.push(time === undefined ? statusWords[status] : `${statusWords[status]} ${time}`);
  else if (kept === true) words.push('kept');
  else words.push(time ?? 'completed');
  if (tries > 1) words.push(`↻${tries}`);
  if (cost !== undefined) words.push(cost);
  return words.join(' · ');
}

function drawCell(
  pen: Pen,
  id: string,
  box: Box,
  facts: StepFacts,
  status: ShownStatus,
  look: Look,
  taken: TakenBoxes,
  station: boolean,
): void {
  const { x, y, width, height } = box;
  pen.box(box, {
    radius: Math.min(5, height / 4),
    fill: fillOf(status),
    stroke: edgeOf(status),
    width: status === 'waiting' ? 1 : 0.8,
    ...(status === 'not_run' ? { dash: '3 2' } : {}),
  });
  if (status === 'not_run' && height > 6)
    pen.line(`M${x + 1} ${y + height - 1}L${x + width - 1} ${y + 1}`, { stroke: edgeOf(status), width: 1 });
  if (drawNameInside(pen, id, box, facts, status, look, station, taken)) return;
  if (isLoud(status) || id === look.chosen || id === look.cursor) drawPill(pen, box, facts, status, taken);
}

function drawNameInside(
  pen: Pen,
  id: string,
  { x, y, width, height }: Box,
  { name }: StepFacts,
  status: ShownStatus,
  look: Look,
  station: boolean,
  taken: TakenBoxes,
): boolean {
  if (height < 13 || width < 34) return false;
  const isPlain = hatched.has(status) || status === 'not_run';
  const text = status === 'completed' ? name : `${statusGlyphs[status]} ${name}`;
  const bold = isLoud(status) && !isFaint(id, look);
  const room = width - 7;
  const most = station ? Math.min(12, Math.max(10, height * 0.36)) : Math.min(11, Math.max(10, height * 0.5));
  const size = [most, 10.5, 10].find((each) => each <= most && pen.widthOf(text, each, bold) <= room) ?? 10;
  const least = status === 'completed' ? LEAST_NAME : LEAST_NAME + 2;
  const how = {
    size,
    ...(bold ? { bold } : {}),
    paint: isPlain ? 'text' : inkOf(status),
    on: isPlain ? 'sheet' : fillOf(status),
    part: 'name',
    room,
  } as const;
  const at = pen.shapes.length;
  // Loud steps that do not fit on one line have a pill.
  const isLong = pen.widthOf(text, size, bold) > room;
  const halves = isLong && height >= 21 && !isLoud(status) ? inHalves(text) : undefined;
  const pitch = Math.min(11, height / 2 - 0.4);
  const fits = halves?.every((half) => pen.widthOf(half, 10, bold) <= room) === true;
  const wides = fits
    ? (halves ?? []).map((half, line) => pen.text(half, x + 4, y + height / 2 - 2 + pitch * line, { ...how, size: 10 }))
    : [pen.text(text, x + 4, y + height / 2 + size * 0.36, { ...how, least: station ? 1 : least })];
  const wide = Math.max(...wides);
  if (wide === 0) return false;
  const high = fits ? 2 * pitch : 13;
  const ground: Box = { x: x + 2, y: y + height / 2 - high / 2, width: wide + 4, height: high };
  if (isPlain) pen.shapes.splice(at, 0, { kind: 'box', box: ground, radius: 2, fill: 'sheet' });
  taken.push(ground);
  return true;
}

/** `split` and `_islands`: two lines of about the same length. */
function inHalves(text: string): readonly string[] | undefined {
  const breaks = [...text.matchAll(/[_ -]/g)].map(({ index }) => index).filter((place) => place > 1);
  const [place] = breaks.toSorted((a, b) => Math.abs(a - text.length / 2) - Math.abs(b - text.length / 2));
  return place === undefined ? undefined : [text.slice(0, place), text.slice(place).trimStart()];
}

/** A pill begins at the left edge of its cell and covers what comes later; never another name. */
function drawPill(pen: Pen, { x, y, height }: Box, { name }: StepFacts, status: ShownStatus, taken: TakenBoxes): void {
  const high = Math.min(PILL, Math.max(13, height + 3));
  const row: Box = { x: x - 1, y: y + height / 2 - high / 2, width: Number.MAX_SAFE_INTEGER, height: high };
  const inWay = taken.filter((other) => overlaps(other, row)).map((other) => other.x);
  const room = Math.min(...inWay) - x - 10;
  const isPlain = hatched.has(status) || !isLoud(status);
  const at = pen.shapes.length;
  const wide = pen.text(`${statusGlyphs[status]} ${name}`, x + 3, y + height / 2 + 3.8, {
    size: 10.5,
    bold: true,
    paint: isPlain ? 'text' : inkOf(status),
    on: isPlain ? 'sheet' : fillOf(status),
    part: 'name',
    room,
    least: LEAST_NAME + 2,
  });
  if (wide === 0) return;
  const pill: Box = { ...row, width: wide + 8 };
  pen.shapes.splice(at, 0, {
    kind: 'box',
    box: pill,
    radius: 3,
    fill: isPlain ? 'sheet' : fillOf(status),
    stroke: isPlain ? edgeOf(status) : 'sheet',
    width: 1,
  });
  taken.push(pill);
}

function overlaps(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width - 0.5 &&
    other.x < one.x + one.width - 0.5 &&
    one.y < other.y + other.height - 0.5 &&
    other.y < one.y + one.height - 0.5
  );
}
