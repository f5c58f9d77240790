// Reports keys that a map has twice. Many of them at once are two list items without the dash between them.
import { isPair, isScalar, type Node, type YAMLMap } from 'yaml';
import { counted } from '../../base/counted.ts';
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import type { Locate } from './line-positions.ts';
import { asNode } from './yaml-places.ts';

/** From so many repeated keys on, the map seems to be two list items. */
const TWO_ITEMS = 3;

/** `repeated`: the keys that occurred before, in order. */
export function duplicateKeys(
  map: YAMLMap,
  repeated: readonly Node[],
  path: readonly PathPart[],
  { text, locate }: { readonly text: string; readonly locate: Locate },
): readonly Issue[] {
  const [first] = repeated;
  if (first === undefined) return [];
  const line = locate(rangeOf(first)[0], 0).line;
  if (repeated.length >= TWO_ITEMS) {
    const found = issue(
      'KEY_DUPLICATE',
      `${counted(repeated.length, 'key')} of this map occur twice, from "${nameOf(first)}" on`,
      {
        path: [...path, nameOf(first)],
        place: locate(...rangeOf(first)),
        hint:
          typeof path.at(-1) === 'number'
            ? `begin the next list item with "- " before line ${line}`
            : 'keep each of them once',
      },
    );
    return [found];
  }
  return repeated.map((key) => {
    const name = nameOf(key);
    const [earlier, later] = [pairOf(map, (each) => nameOf(each) === name), pairOf(map, (each) => each === key)];
    const before = locate(rangeOf(earlier?.key ?? key)[0], 0).line;
    const place = locate(...rangeOf(key));
    const where = before === place.line ? '' : `; the first is on line ${before}`;
    const line = sameText(earlier, later, text) ? wholeLine(later, text) : undefined;
    return issue('KEY_DUPLICATE', `"${name}" occurs twice in this map${where}`, {
      path: [...path, name],
      place,
      hint: 'keep one of them',
      mend: line && { title: `Remove the second "${name}"`, edits: [{ place: locate(...line), text: '' }] },
    });
  });
}

interface Entry {
  readonly key: Node;
  readonly value: Node | null;
}

function pairOf(map: YAMLMap, isMeant: (key: Node) => boolean): Entry | undefined {
  for (const pair of map.items) {
    const key = isPair(pair) ? asNode(pair.key) : null;
    if (key !== null && isMeant(key)) return { key, value: asNode(pair.value) };
  }
  return undefined;
}

function nameOf(key: Node): string {
  return isScalar(key) ? String(key.value ?? '') : '';
}

function rangeOf({ range }: Node): readonly [from: number, to: number] {
  return [range?.[0] ?? 0, range?.[1] ?? 0];
}

function sameText(one: Entry | undefined, other: Entry | undefined, text: string): boolean {
  const [first, second] = [one?.value, other?.value];
  if (first === undefined || first === null || second === undefined || second === null) return false;
  return text.slice(...rangeOf(first)) === text.slice(...rangeOf(second));
}

/** The line of an entry, with its line break; undefined when the line holds something else, or the entry goes on. */
function wholeLine(entry: Entry | undefined, text: string): readonly [from: number, to: number] | undefined {
  if (entry?.value === undefined || entry.value === null) return undefined;
  const from = text.lastIndexOf('\n', rangeOf(entry.key)[0]) + 1;
  const end = text.indexOf('\n', from);
  const to = end < 0 ? text.length : end;
  const isAlone =
    text.slice(from, rangeOf(entry.key)[0]).trim() === '' && text.slice(rangeOf(entry.value)[1], to).trim() === '';
  return isAlone && rangeOf(entry.value)[1] <= to ? [from, Math.min(to + 1, text.length)] : undefined;
}
