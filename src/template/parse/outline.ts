// The structure of a YAML or JSON text that may be half written: what `read-outline.ts` returns, and ways to walk it.
import type { PathPart } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import { locator } from './line-positions.ts';
import { type DocumentTree, linesOf } from './tree.ts';

/** Offsets in the text; `to` is one past the last character. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface OutlineEntry {
  readonly key: string;
  readonly keySpan: Span;
  /** False for a word that a colon does not follow yet. */
  readonly isWhole: boolean;
  readonly value: OutlineNode;
}

export interface OutlineMap extends Span {
  readonly kind: 'map';
  readonly entries: readonly OutlineEntry[];
  readonly isFlow: boolean;
}

export interface OutlineList extends Span {
  readonly kind: 'list';
  readonly items: readonly OutlineNode[];
  readonly isFlow: boolean;
}

export interface OutlineScalar extends Span {
  readonly kind: 'scalar';
  readonly style: 'plain' | 'single' | 'double' | 'block' | 'alias';
  /** The decoded text. */
  readonly text: string;
  /** Where parts of the decoded text stand in the document: pairs of offsets, the first of each pair in `text`. */
  readonly pieces: readonly (readonly [at: number, from: number])[];
  readonly tag?: string;
  readonly value: Json;
  /** False for a quote that is not closed. */
  readonly isClosed: boolean;
}

/** A key or a dash without a value. */
export interface OutlineEmpty extends Span {
  readonly kind: 'empty';
  readonly tag?: string;
}

export type OutlineNode = OutlineMap | OutlineList | OutlineScalar | OutlineEmpty;

export interface Outline {
  readonly text: string;
  readonly root: OutlineNode;
}

/** The value of a node. Words without a colon are left out; of two equal keys the first counts. */
export function outlineValue(node: OutlineNode): Json {
  switch (node.kind) {
    case 'map': {
      const whole = node.entries.filter(({ isWhole }) => isWhole);
      return Object.fromEntries(
        whole
          .toReversed()
          .map(({ key, value }) => [key, outlineValue(value)])
          .reverse(),
      );
    }
    case 'list':
      return node.items.map(outlineValue);
    case 'scalar':
      return node.value;
    case 'empty':
      return null;
  }
}

/** The child of a node by key or index. */
export function childOf(node: OutlineNode, part: PathPart): OutlineNode | undefined {
  if (node.kind === 'map') return entryOf(node, part)?.value;
  return node.kind === 'list' && typeof part === 'number' ? node.items[part] : undefined;
}

export function entryOf(node: OutlineNode, part: PathPart): OutlineEntry | undefined {
  return node.kind === 'map' ? node.entries.find(({ key, isWhole }) => isWhole && key === part) : undefined;
}

export function nodeAtPath(outline: Outline, path: readonly PathPart[]): OutlineNode | undefined {
  return path.reduce<OutlineNode | undefined>(
    (at, part) => (at === undefined ? undefined : childOf(at, part)),
    outline.root,
  );
}

/** The innermost part of a text around an offset. */
export interface OutlineSpot {
  /** The path of the node; for a key, the path of its value. */
  readonly path: readonly PathPart[];
  readonly node: OutlineNode;
  /** Present when the offset is in a key. */
  readonly entry?: OutlineEntry;
  /** The maps and lists around it, the outermost first. */
  readonly holders: readonly OutlineNode[];
}

export function spotAt(outline: Outline, offset: number): OutlineSpot {
  return within(outline.root, offset, [], []);
}

function within(
  node: OutlineNode,
  offset: number,
  path: readonly PathPart[],
  holders: readonly OutlineNode[],
): OutlineSpot {
  const inside = [...holders, node];
  if (node.kind === 'map') {
    for (const entry of node.entries) {
      const at = [...path, entry.key];
      if (covers(entry.keySpan, offset)) return { path: at, node: entry.value, entry, holders: inside };
      if (covers(entry.value, offset)) return within(entry.value, offset, at, inside);
    }
  } else if (node.kind === 'list') {
    const index = node.items.findIndex((item) => covers(item, offset));
    const item = node.items[index];
    if (item !== undefined) return within(item, offset, [...path, index], inside);
  }
  return { path, node, holders };
}

export function covers({ from, to }: Span, offset: number): boolean {
  return from <= offset && offset <= to;
}

/** All scalars with their paths, in the order of the text. */
export function* scalarsIn(
  node: OutlineNode,
  path: readonly PathPart[] = [],
): Generator<{ readonly scalar: OutlineScalar; readonly path: readonly PathPart[] }> {
  if (node.kind === 'scalar') yield { scalar: node, path };
  if (node.kind === 'map')
    for (const { key, value, isWhole } of node.entries) if (isWhole) yield* scalarsIn(value, [...path, key]);
  if (node.kind === 'list') for (const [index, item] of node.items.entries()) yield* scalarsIn(item, [...path, index]);
}

/** The offset in the document of an offset in the decoded text of a scalar. */
export function offsetIn({ pieces, from }: OutlineScalar, at: number): number {
  const piece = pieces.findLast(([start]) => start <= at);
  return piece === undefined ? from : piece[1] + at - piece[0];
}

/** The offset in the decoded text of an offset in the document. */
export function textOffset({ pieces, text }: OutlineScalar, offset: number): number {
  const nth = pieces.findLastIndex(([, from]) => from <= offset);
  const piece = pieces[nth];
  if (piece === undefined) return 0;
  const end = pieces[nth + 1]?.[0] ?? text.length;
  return Math.min(piece[0] + offset - piece[1], end);
}

/** A document tree with the values of an outline, for texts that have no other tree. */
export function treeOfOutline({ text, root }: Outline, file: string): DocumentTree {
  const locate = locator(text, file);
  return {
    file,
    value: outlineValue(root),
    lines: linesOf(text),
    placeOf(path, part = 'value') {
      let at = root;
      let key: Span | undefined;
      for (const [nth, step] of path.entries()) {
        const entry = entryOf(at, step);
        const next = entry?.value ?? childOf(at, step);
        // A missing part is shown at the key of its map, because the map may be long.
        if (next === undefined) return shown(key !== undefined && at.kind === 'map' ? key : at);
        key = entry?.keySpan;
        if (part === 'key' && nth === path.length - 1 && key !== undefined) return shown(key);
        at = next;
      }
      return shown(at.kind === 'empty' && key !== undefined ? key : at);
    },
  };

  function shown({ from, to }: Span) {
    return locate(from, to);
  }
}
