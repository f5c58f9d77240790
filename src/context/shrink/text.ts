// Long text: cut at the end of a sentence, with its length.
import type { Guide } from './guide.ts';
import { sizeOf, stretch, type View } from './view.ts';

/** A stretch without an end of sentence is cut between words after so many characters. */
const LONGEST_SENTENCE = 240;

export function textView(value: string, { hints }: Guide): View {
  const bytes = sizeOf(value);
  const tail = ` [$cut: ${value.length} characters]`;
  return stretch({
    value,
    bytes,
    outline: `$text(${value.length})`,
    kept: hints.keep ? bytes : 0,
    between(room) {
      const end = cutBefore(value, room - sizeOf(tail));
      return end === 0 ? `$text(${value.length})` : value.slice(0, end).trimEnd() + tail;
    },
  });
}

/** The last of the text's own places to cut that leaves at most `room` bytes; 0 when there is none. */
function cutBefore(text: string, room: number): number {
  let end = 0;
  let left = room;
  while (end < text.length) {
    const next = nextCut(text, end);
    left -= sizeOf(text.slice(end, next)) - 2;
    if (left < 0) break;
    end = next;
  }
  return end;
}

function nextCut(text: string, from: number): number {
  const stretchOf = text.slice(from, from + LONGEST_SENTENCE);
  const sentence = /[.!?。！？](?=\s|$)|[。！？]|\n/u.exec(stretchOf.slice(1));
  if (sentence !== null) return from + 1 + sentence.index + sentence[0].length;
  if (stretchOf.length < LONGEST_SENTENCE) return text.length;
  const blank = stretchOf.lastIndexOf(' ');
  if (blank > 0) return from + blank;
  // Never through a pair of surrogates.
  return from + LONGEST_SENTENCE - (/[\uD800-\uDBFF]$/.test(stretchOf) ? 1 : 0);
}
