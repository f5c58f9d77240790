// Shows a streamed answer while it arrives, without its reasoning; in the end the same text as `withoutReasoning` returns.
import { endsReasoning, TAG, REASONING_WORDS as WORDS, withoutReasoning } from './without-reasoning.ts';

export interface VisiblePiece {
  readonly text: string;
  /** The text takes the place of all pieces before it: those were reasoning, as a later mark tells. */
  readonly replaces?: true;
}

export interface VisibleText {
  /** Returns text that is visible whatever follows; undefined when there is none yet. */
  take(piece: string): VisiblePiece | undefined;
  /** Returns the rest. */
  end(): VisiblePiece | undefined;
  /** Whether the answer began with reasoning whose opening mark was missing. Known at the end. */
  beganInside(): boolean;
}

export interface VisibleTextOptions {
  /** The answer is data: words that come before the data are shown at the end. */
  readonly isData?: boolean;
  /** The model leaves out the opening mark of its reasoning: nothing is shown before a closing mark. */
  readonly beginsInside?: boolean;
}

const LONGEST_WORD = 'assistantfinal'.length;
/** The whole text is read again when it has grown by this part. */
const READINGS = 64;

/** The beginning of a mark at the end of a text. */
const PARTIAL = new RegExp(
  `(?:${[
    '</?(?:[a-z]{1,20}:)?[a-z]{0,20}',
    `<(?:${TAG})(?:\\s[^<>]{0,200})?/?`,
    `</(?:${TAG})\\s{0,20}`,
    '<\\|[/a-z_]{0,20}\\|?',
    '<\\|start\\|>[a-z]{0,20}',
    '</?channel\\|?',
    '<\\|channel\\|>\\s{0,20}[a-z]{0,5}',
    '\\[/?[a-z]{0,5}',
    '◁/?[a-z]{0,5}',
    '(?:^|\\n)`{1,3}[a-z]{0,9}[ \\t]*\\r?',
  ].join('|')})$`,
  'i',
);
const LONGEST_PARTIAL = 260;

/** Characters that begin or end a mark, a value, a quotation or a line. */
const TELLING = /[<>[\]{}◁▷`"'\n]/;

/** The head of the final channel, which may go on. */
const FINAL_HEAD = /<\|channel\|>\s{0,20}final\b(?:(?!<\|message\|>)[^\n{]){0,120}$/;

/** Models without an opening mark begin so. */
const LIKE_REASONING =
  /^(?:okay|ok[,.]|alright|hmm+|wait[,.]|let me|let's|the user|we (?:need|are asked|have to)|i (?:need|should|have) to|i should|first, i|got it|so,? (?:the user|we|i)\b|thinking|here's a thinking|analysis)/i;
const LIKE_DATA = /^(?:[{["`\d-]|true|false|null)/;
/** The characters after which an answer can be told from reasoning. */
const BEGINNING = 14;

/** A character that no mark holds; behind the text so far, it tells whether the end of the text is visible. */
const END = '\uE0FF';

export function visibleText(given: VisibleTextOptions = {}): VisibleText {
  let all = '';
  let shown = '';
  /** Text behind the shown text, while the end of the text is visible. */
  let pending = '';
  let isOpen = true;
  let hasWords = false;
  let ending = '';
  /** The length of the text when it was last read as a whole. */
  let readAt = 0;
  let isDue = false;
  /** The text so far is reasoning, and the answer follows. */
  let isBehind = false;
  /** The beginning is known to be like reasoning. */
  let isHeld = false;
  let isReasoned = false;

  /** Shows the pending text without reading the whole text. */
  function append(): VisiblePiece | undefined {
    if (shown === '') {
      if (isBehind) pending = pending.trimStart();
      else if (isHeld || mayBeReasoning(pending, given)) {
        isHeld ||= pending.trimStart().length >= BEGINNING;
        return undefined;
      }
    }
    const visible = settledIn(pending).trimEnd();
    if (visible === '') return undefined;
    pending = pending.slice(visible.length);
    shown += visible;
    return { text: visible };
  }

  /** Reads the whole text, whose marks decide what is visible. */
  function read(): VisiblePiece | undefined {
    readAt = all.length;
    const settled = settledIn(all);
    isDue = settled !== all;
    if (FINAL_HEAD.test(settled.slice(-LONGEST_PARTIAL))) return undefined;
    const kept = withoutReasoning(settled + END);
    if (kept === settled + END && all.startsWith(shown)) {
      isOpen = true;
      pending = all.slice(shown.length);
      return append();
    }
    isOpen = kept.endsWith(END);
    const text = isOpen ? kept.slice(0, -END.length) : kept;
    pending = isOpen ? text.slice(text.trimEnd().length) + all.slice(settled.length) : '';
    const visible = unwrapped(text);
    isBehind = isOpen && visible === '';
    const isBefore = shown === '' && settled.startsWith(visible);
    return isBefore && mayBeReasoning(visible, given) ? undefined : show(visible);
  }

  function show(visible: string): VisiblePiece | undefined {
    if (visible.startsWith(shown)) {
      const text = visible.slice(shown.length);
      shown = visible;
      return text === '' ? undefined : { text };
    }
    // A closing mark in data, or at its end, is no end of reasoning; only what follows can tell.
    if (visible.trim() === '' || LIKE_DATA.test(shown.trimStart())) {
      isOpen = false;
      isDue = true;
      return undefined;
    }
    shown = visible;
    return { text: visible, replaces: true };
  }

  return {
    take(piece) {
      all += piece;
      hasWords ||= WORDS.test(ending + piece);
      ending = (ending + piece).slice(-LONGEST_WORD);
      if (isOpen) pending += piece;
      if (!hasWords) return append();
      isDue ||= readAt === 0 || TELLING.test(piece);
      if (isDue) return all.length - readAt < all.length / READINGS ? undefined : read();
      return isOpen ? append() : undefined;
    },
    end() {
      const visible = withoutReasoning(all);
      isReasoned = visible !== all && endsReasoning(all);
      if (!visible.startsWith(shown)) return { text: visible, replaces: true };
      return visible === shown ? undefined : { text: visible.slice(shown.length) };
    },
    beganInside: () => isReasoned,
  };
}

/** Whether the beginning of an answer may be reasoning without its opening mark, or is too short to tell. */
function mayBeReasoning(beginning: string, { isData = false, beginsInside = false }: VisibleTextOptions): boolean {
  const start = beginning.trimStart();
  if (beginsInside || start.length < BEGINNING) return true;
  return isData ? !LIKE_DATA.test(start) : LIKE_REASONING.test(start);
}

/** The text without the beginning of a mark at its end. */
function settledIn(text: string): string {
  const from = Math.max(0, text.length - LONGEST_PARTIAL);
  const partial = PARTIAL.exec(text.slice(from))?.index;
  return partial === undefined ? text : text.slice(0, from + partial);
}

function unwrapped(text: string): string {
  if (!/^<answer>/i.test(text)) return text.trimEnd();
  return text
    .slice('<answer>'.length)
    .trimStart()
    .replace(/<\/answer>\s*$/i, '')
    .trimEnd();
}
