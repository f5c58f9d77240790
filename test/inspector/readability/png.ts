// Reads and writes PNG files, so that tests can look at the pixels of a screenshot and pictures stay small.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel, row by row. */
  readonly rgb: Uint8Array;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Reads an 8-bit RGB or RGBA image without interlacing, as browsers write it. */
export function readPng(file: Buffer): Pixels {
  const parts: Buffer[] = [];
  let [width, height, channels] = [0, 0, 3];
  for (let at = SIGNATURE.length; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const kind = file.toString('latin1', at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + length);
    if (kind === 'IHDR') {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      const [depth, color, interlaced] = [body[8], body[9], body[12]];
      if (depth !== 8 || (color !== 2 && color !== 6) || interlaced !== 0)
        throw new Error(`this PNG has depth ${depth} and color type ${color}; 8-bit RGB or RGBA is needed`);
      channels = color === 2 ? 3 : 4;
    }
    if (kind === 'IDAT') parts.push(body);
    at += length + 12;
  }
  const bytes = unfiltered(inflateSync(Buffer.concat(parts)), width * channels, height, channels);
  if (channels === 3) return { width, height, rgb: bytes };
  const rgb = new Uint8Array(width * height * 3);
  for (let i = 0, o = 0; i < bytes.length; i += 4, o += 3) rgb.set(bytes.subarray(i, i + 3), o);
  return { width, height, rgb };
}

/** Undoes the filter of each row. */
function unfiltered(raw: Uint8Array, row: number, height: number, step: number): Uint8Array {
  const out = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (row + 1)] ?? 0;
    for (let x = 0; x < row; x++) {
      const at = y * row + x;
      const left = x < step ? 0 : (out[at - step] ?? 0);
      const above = y === 0 ? 0 : (out[at - row] ?? 0);
      const corner = y === 0 || x < step ? 0 : (out[at - row - step] ?? 0);
      out[at] = (raw[y * (row + 1) + 1 + x] ?? 0) + predicted(filter, left, above, corner);
    }
  }
  return out;
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4: {
      const guess = left + above - corner;
      const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
      return a <= b && a <= c ? left : b <= c ? above : corner;
    }
    default:
      return 0;
  }
}

/** Writes an image of at most 256 colors: the most frequent ones, and for each other pixel the nearest of them. */
export function palettePng({ width, height, rgb }: Pixels): Buffer {
  const palette = frequentColors(rgb);
  const nearest = new Map(palette.map((color, index) => [color, index]));
  const raw = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const color = colorAt(rgb, (y * width + x) * 3);
      let index = nearest.get(color);
      if (index === undefined) {
        index = nearestOf(palette, color);
        nearest.set(color, index);
      }
      raw[y * (width + 1) + 1 + x] = index;
    }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const colors = Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]));
  const parts = [
    chunk('IHDR', head),
    chunk('PLTE', colors),
    chunk('IDAT', deflateSync(raw, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([SIGNATURE, ...parts]);
}

export function colorAt(rgb: Uint8Array, at: number): number {
  return ((rgb[at] ?? 0) << 16) | ((rgb[at + 1] ?? 0) << 8) | (rgb[at + 2] ?? 0);
}

/**
 * Takes frequent colors first, and leaves out colors that are almost like one that is taken, so that rare but distinct
 * colors get a place.
 */
function frequentColors(rgb: Uint8Array): readonly number[] {
  const counts = new Map<number, number>();
  for (let at = 0; at < rgb.length; at += 3) {
    const color = colorAt(rgb, at);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const sorted = [...counts].sort((one, other) => other[1] - one[1]).map(([color]) => color);
  const taken: number[] = [];
  for (const apart of [300, 60, 0]) {
    for (const color of sorted) {
      if (taken.length === 256) return taken;
      if (taken.length === 0 || distance(color, taken[nearestOf(taken, color)] ?? 0) > apart) taken.push(color);
    }
  }
  return taken;
}

function nearestOf(palette: readonly number[], color: number): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (const [index, each] of palette.entries()) {
    const apart = distance(each, color);
    if (apart < least) [best, least] = [index, apart];
  }
  return best;
}

function distance(one: number, other: number): number {
  const red = (one >> 16) - (other >> 16);
  const green = ((one >> 8) & 255) - ((other >> 8) & 255);
  const blue = (one & 255) - (other & 255);
  return red * red + green * green + blue * blue;
}

function chunk(kind: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
