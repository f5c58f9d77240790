// Replaces quotes, code, links and paths of a goal with placeholders, so that no splitter reads inside them.

export interface Span {
  readonly kind: 'code' | 'quoted' | 'link' | 'path';
  /** The content without its marks. */
  readonly text: string;
  /** The original text with its marks. */
  readonly written: string;
}

export interface MaskedText {
  /** The goal with a placeholder, free of spaces and punctuation, for each span. */
  readonly text: string;
  readonly spans: readonly Span[];
}

const [OPEN, CLOSE] = ['\uE000', '\uE001'];
const PLACEHOLDER = /\uE000(\d+)\uE001/g;

const FENCE = /```[^\n`]*\n([\s\S]*?)```/g;
/** Quotes must close on the same line; an unclosed mark is a plain character. */
const MARKED =
  /`([^`\n]+)`|"([^"\n]+)"|“([^“”\n]+)”|„([^„“”\n]+)[“”]|«([^«»\n]+)»|(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])|<(https?:\/\/[^\s<>]+)>/gu;
const MARKDOWN_LINK = /!?\[([^\][\n]*)\]\(([^\s()]+)\)/g;
const LINK = /\b(?:https?|ftp|s3|git|ssh|file):\/\/[^\s<>"'`“”«»]+|\bwww\.[^\s<>"'`“”«»]+/gu;
/** `.` and `..` as folders: only after a preposition, because a full stop may stand alone. */
const DOTS = /((?:^|\s)(?:in|inside|of|from|under|within|at|to|into)\s+)(\.{1,2}[/\\]?)(?=[,;:]?(?:\s|$)|[.!?]$)/giu;
const WORD = /[^\s\uE000\uE001]+/g;

export function mask(goal: string): MaskedText {
  const spans: Span[] = [];
  const put = (span: Span): string => `${OPEN}${spans.push(span) - 1}${CLOSE}`;
  const text = goal
    .replace(/[\uE000\uE001]/g, '')
    .replace(FENCE, (written, inside: string) => put({ kind: 'code', text: inside.trim(), written }))
    .replace(MARKDOWN_LINK, (written, _label, ref: string) =>
      put({ kind: isLink(ref) ? 'link' : 'path', text: ref, written }),
    )
    .replace(MARKED, (written, ...groups: (string | undefined)[]) => put(marked(written, groups)))
    .replace(LINK, (written) => {
      const ref = withoutEnd(written);
      return put({ kind: 'link', text: ref, written: ref }) + written.slice(ref.length);
    })
    .replace(DOTS, (_, before: string, ref: string) => before + put({ kind: 'path', text: ref, written: ref }))
    .replace(WORD, (word) => maskWord(word, put));
  return { text, spans };
}

function marked(written: string, [code, ...quotes]: (string | undefined)[]): Span {
  if (code !== undefined) return { kind: 'code', text: code, written };
  const text = quotes.slice(0, 6).find((each) => each !== undefined) ?? '';
  return { kind: isLink(text) ? 'link' : 'quoted', text, written };
}

/** Puts the original texts back. */
export function unmask(text: string, spans: readonly Span[]): string {
  return text.replace(PLACEHOLDER, (_, index: string) => spans[Number(index)]?.written ?? '');
}

export function spansIn(text: string, spans: readonly Span[]): readonly (Span & { readonly at: number })[] {
  return [...text.matchAll(PLACEHOLDER)].flatMap((match) => {
    const span = spans[Number(match[1])];
    return span === undefined ? [] : [{ ...span, at: match.index }];
  });
}

export function isPlaceholder(word: string): boolean {
  return word.startsWith(OPEN);
}

const ENDINGS = new Set('.,;:!?)]}…。，、；');

/** Cuts punctuation that ends the sentence; a closing bracket stays when the address opened it. */
function withoutEnd(written: string): string {
  let open = written.split('(').length - written.split(')').length;
  let end = written.length;
  for (; end > 0 && ENDINGS.has(written[end - 1] ?? ''); end--) {
    if (written[end - 1] !== ')') continue;
    if (open >= 0) break;
    open += 1;
  }
  return written.slice(0, end);
}

const EXTENSIONS =
  'csv tsv json jsonl ndjson yaml yml toml ini env md mdx txt rst adoc pdf doc docx odt rtf xls xlsx ods ppt pptx odp html htm xml svg log ts tsx js jsx mjs cjs py ipynb rs go rb java kt c h cc cpp hpp cs php swift scala clj ex exs lua r sql db sqlite sqlite3 parquet avro arrow proto zip tar gz tgz bz2 7z sh bash ps1 css scss png jpg jpeg gif webp bmp tif tiff heic avif mp3 wav mp4 mov avi webm eml ics lock diff patch';
const FILE = new RegExp(`^[^\\s/\\\\]*[\\p{L}\\p{N}_*)-]\\.(?:${EXTENSIONS.split(' ').join('|')})$`, 'iu');
/** Product names that look like files. */
const PRODUCT = /^(?:node|next|nuxt|vue|react|express|three|d3|p5|chart|ember|backbone|alpine|discord|socket)\.js$/i;
const ROOTED = /^(?:\.{1,2}|~|[A-Za-z]:)?[/\\][^\s/\\]/;
const FOLDER = /^[^\s/\\]*[\p{L}\p{N}](?:[/\\][^\s/\\]+)*[/\\]$/u;
const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|dev|edu|gov|ai|app|co)(?:[/:?#]|$)/i;

/** Masks a path, or an address without a scheme. */
function maskWord(word: string, put: (span: Span) => string): string {
  const from = /^[([{]*/.exec(word)?.[0].length ?? 0;
  const ref = withoutEnd(word.slice(from));
  const kind = kindOfWord(ref);
  if (kind === undefined) return word;
  return word.slice(0, from) + put({ kind, text: ref, written: ref }) + word.slice(from + ref.length);
}

function kindOfWord(ref: string): Span['kind'] | undefined {
  if (!/[./\\]/.test(ref) || ref.includes('@')) return undefined;
  const name = ref.slice(Math.max(ref.lastIndexOf('/'), ref.lastIndexOf('\\')) + 1);
  if (ROOTED.test(ref) || FOLDER.test(ref)) return 'path';
  if (DOMAIN.test(ref)) return 'link';
  return FILE.test(name) && !PRODUCT.test(name) ? 'path' : undefined;
}

function isLink(text: string): boolean {
  return /^(?:https?|ftp|s3|git|ssh|file):\/\/\S+$|^www\.\S+$/.test(text);
}
