// Splits a goal into blocks: list items, prose and headings.

export interface Block {
  readonly kind: 'prose' | 'bullet' | 'numbered' | 'heading';
  /** The text on one line, with single spaces. */
  readonly text: string;
}

interface OpenBlock {
  readonly kind: Block['kind'];
  readonly lines: string[];
  readonly indent: number;
}

const BULLET = /^(\s*)(?:[-*+•‣◦▪–—·]|\[[ xX]?\])(?:\s+\[[ xX]?\])?\s+(.*)$/u;
const NUMBERED = /^(\s*)(?:(?:step\s+)?\(?\d{1,4}[.):]|\(?[a-z][.)])\s+(.*)$/iu;
const HEADING = /^\s*#{1,6}\s+(.*)$/;

export function blocksOf(text: string): readonly Block[] {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/).flatMap(inlineItems);
  const blocks: OpenBlock[] = [];
  let open: OpenBlock | undefined;
  const begin = (kind: Block['kind'], line: string, indent = 0): void => {
    open = { kind, lines: [line], indent };
    blocks.push(open);
  };
  for (const line of lines) {
    const [bullet, numbered, heading] = [BULLET.exec(line), NUMBERED.exec(line), HEADING.exec(line)];
    if (line.trim() === '') open = undefined;
    else if (bullet !== null) begin('bullet', bullet[2] ?? '', (bullet[1] ?? '').length);
    else if (numbered !== null) begin('numbered', numbered[2] ?? '', (numbered[1] ?? '').length);
    else if (heading !== null) begin('heading', heading[1] ?? '');
    else if (open !== undefined && continues(open, line)) open.lines.push(line);
    else begin('prose', line);
  }
  return blocks.flatMap(readBlock).map(headingBeforeList);
}

/** An indented line belongs to the item above; prose continues up to an empty line. */
function continues({ kind, indent }: OpenBlock, line: string): boolean {
  if (kind === 'heading') return false;
  return kind === 'prose' || line.length - line.trimStart().length > indent;
}

/** Lines of prose that do not continue are sentences of their own. */
function readBlock({ kind, lines }: OpenBlock): readonly Block[] {
  const text = lines.join(' ').replace(/\s+/gu, ' ').trim();
  return text === '' ? [] : [{ kind, text }];
}

function headingBeforeList(block: Block, at: number, all: readonly Block[]): Block {
  const next = all[at + 1]?.kind;
  const leads = block.text.endsWith(':') && next !== undefined && next !== 'prose';
  return leads ? { kind: 'heading', text: block.text } : block;
}

const INLINE = /(^|\s)\(?(\d{1,3})[.)]\s+(?=\S)/g;

/** Splits numbered items on one line, such as `1) fetch it 2) clean it`. */
function inlineItems(line: string): readonly string[] {
  const cuts: number[] = [];
  for (const match of line.matchAll(INLINE)) {
    if (Number(match[2]) === cuts.length + 1) cuts.push(match.index + (match[1] ?? '').length);
  }
  const [first = 0] = cuts;
  if (cuts.length < 2) return [line];
  const items = cuts.map((from, index) => line.slice(from, cuts[index + 1]).replace(/[\s,;]+(?:and\s*)?$/u, ''));
  return first === 0 ? items : [line.slice(0, first), ...items];
}
