// Long text: cut at the end of a sentence, with its length, and with its last sentences when there is more room.
import type { Guide } from './guide.ts';
import { sizeOf, stretch, type View } from './view.ts';

/** Text without a sentence end is cut between words after this many characters. */
const LONGEST_SENTENCE = 240;
/** Bytes that only the beginning uses; the end gets `END_PART` of any room beyond. */
const BEGINNING = 400;
const END_PART = 1 / 3;

/** A text, whole or cut by an earlier shrinking. */
interface CutText {
  readonly beginning: string;
  readonly end: string;
  /** The length of the original text. */
  readonly characters: number;
}

function readCut(value: string): CutText {
  const at = value.lastIndexOf(' [$cut: ');
  const mark = at < 0 ? null : /^ \[\$cut: (\d+) characters\]( |$)/.exec(value.slice(at, at + 40));
  if (mark === null) return { beginning: value, end: value, characters: value.length };
  const end = value.slice(at + mark[0].length);
  return { beginning: value.slice(0, at), end: end === '' ? '' : `\n${end}`, characters: Number(mark[1]) };
}

export function textView(value: string, { hints }: Guide): View {
  const bytes = sizeOf(value);
  const { beginning, end, characters } = readCut(value);
  const mark = ` [$cut: ${characters} characters]`;
  const outline = `$text(${characters})`;
  return stretch({
    value,
    bytes,
    outline,
    kept: hints.keep ? bytes : 0,
    between(room) {
      const left = room - sizeOf(mark);
      const endRoom = Math.max(0, left - BEGINNING) * END_PART;
      const cut = cutBefore(beginning, left - endRoom);
      if (cut === 0) return outline;
      const ending = endIn(end, endRoom - 1);
      return `${beginning.slice(0, cut).trimEnd()}${mark}${ending === '' ? '' : ` ${ending}`}`;
    },
  });
}

/** The last cut point that leaves at most `room` bytes; 0 when there is none. */
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
  // A cut must not split a surrogate pair.
  return from + LONGEST_SENTENCE - (/[\uD800-\uDBFF]$/.test(stretchOf) ? 1 : 0);
}

/** The last sentences that take at most `room` bytes; empty when the last one takes more. */
function endIn(text: string, room: number): string {
  const from = Math.max(0, text.length - Math.floor(Math.max(0, room)) - 1);
  for (const boundary of text.slice(from).matchAll(/[.!?。！？]\s+|[。！？]|\n/gu)) {
    const end = text.slice(from + boundary.index + boundary[0].length).trim();
    if (sizeOf(end) - 2 <= room) return end;
  }
  return '';
}
