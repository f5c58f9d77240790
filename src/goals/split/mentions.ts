// Collects literal values of a clause: parameters of a call, and attachments.
import { defined } from '../../base/json.ts';
import { type Attachment, attachmentOf } from '../../template/keys/attachment.ts';
import { phrasesOf, stemsOf } from '../arguments/synonyms.ts';
import { type Span, spansIn } from '../match/mask.ts';
import { headOf, orderIn } from './is-order.ts';
import type { TaskValues } from './task.ts';

type MentionedSpan = Span & { readonly at: number };

interface Mentions {
  readonly parameters: TaskValues;
  readonly attachments: readonly Attachment[];
}

/** Takes masked text. */
export function mentionsIn(text: string, spans: readonly Span[]): Mentions {
  const found = spansIn(text, spans);
  const of = (kind: Span['kind']) => found.filter((each) => each.kind === kind);
  const [outputs, paths] = parted(of('path'), text);
  const links = of('link');
  const parameters = {
    named: namedIn(text, spans),
    quoted: of('quoted').map(textOf),
    code: of('code').map(textOf),
    links: links.map(textOf),
    paths: paths.map(textOf),
    outputs: outputs.map(textOf),
    numbers: numbersIn(text),
  };
  const attachments = [...links, ...paths]
    .filter(({ text: ref }) => !ref.includes('*'))
    .sort((left, right) => left.at - right.at);
  return { parameters: withoutEmpty(parameters), attachments: attachments.map(attachmentIn) };
}

function textOf({ text }: Span): string {
  return text;
}

function withoutEmpty(parameters: TaskValues): TaskValues {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => Object.keys(value).length > 0));
}

function attachmentIn({ kind, text, written }: Span): Attachment {
  const label = /^!?\[([^\]]+)\]/.exec(written)?.[1];
  const attachment: Attachment = kind === 'link' ? { kind, ref: text } : attachmentOf(text);
  return { ...attachment, ...defined({ label }) };
}

const WRITING = new Set(
  'write save export create generate store produce output render draw dump put record make build print emit convert transform turn translate compile download copy move rename'.split(
    ' ',
  ),
);
const INTO = /(?:^| )(?:to|into|as|named|called)(?: (?:the|a|an|new|file|folder))* $/i;
const ABOUT = /(?:^| )(?:of|for|from|in|on|about|with|using|against|at|and|or|than)(?: (?:the|a|an|file|folder))* $/i;

/** Separates files that the clause writes from files that it reads. */
function parted(
  paths: readonly MentionedSpan[],
  text: string,
): readonly [outputs: readonly MentionedSpan[], inputs: readonly MentionedSpan[]] {
  const writes = WRITING.has(headOf(orderIn(text)).toLowerCase());
  const isOutput = ({ at }: MentionedSpan): boolean => {
    const before = text.slice(Math.max(0, at - 30), at);
    return writes && (INTO.test(before) || (!ABOUT.test(before) && !CONVERTS.test(text)));
  };
  return [paths.filter(isOutput), paths.filter((each) => !isOutput(each))];
}

/** Verbs with their source right after them. */
const CONVERTS =
  /^(?:\p{L}+ly )?(?:convert|transform|turn|translate|compile|print|put|render|export|build|copy|move|rename)(?![\p{L}])/iu;

const NAMED =
  /(?<![\p{L}\p{N}_.-])([a-z_][\w-]{0,40})(?:: ?|=)(\uE000\d+\uE001|[+-]?\d+(?:\.\d+)?|[\w./@-]+)(?=[,;)]|\.? |\.?$)/giu;

/** Named values such as `state: open`; a colon before several words is punctuation. */
function namedIn(text: string, spans: readonly Span[]): Readonly<Record<string, string | number | boolean>> {
  const named = new Map<string, string | number | boolean>();
  for (const { 0: written, 1: name = '', 2: value = '', index } of text.matchAll(NAMED)) {
    const rest = text.slice(index + written.length);
    const whole = wholeName(text.slice(0, index), name);
    const goesOn = /^ (?!\w[\w-]*[:=]|and |or )/i.test(rest) && written.includes(':');
    if (!goesOn) named.set(whole, plain(value, spans));
  }
  return Object.fromEntries(named);
}

/** The whole name before a colon: `items per page`, and not only `page`. */
function wholeName(before: string, last: string): string {
  const words = [...(/(?:\p{L}+ ){0,3}$/u.exec(before)?.[0].split(' ') ?? []).filter((word) => word !== ''), last];
  const length =
    phrasesOf(stemsOf(words.join(' ')))
      .at(-1)
      ?.split(' ').length ?? 1;
  return words.slice(-length).join(' ');
}

function plain(value: string, spans: readonly Span[]): string | number | boolean {
  const [span] = spansIn(value, spans);
  if (span !== undefined) return span.text;
  if (/^[+-]?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (value === 'true' || value === 'false') return value === 'true';
  return value.replace(/\.$/, '');
}

const NUMBER = /(?<![\p{L}\p{N}_.:/\uE000-])[+-]?\d+(?:[.,]\d+)*(?![\p{L}\p{N}_\uE001]|[-/:.]\d)/gu;

function numbersIn(text: string): readonly number[] {
  return [...text.matchAll(NUMBER)].flatMap(([written]) => {
    const value = Number(written.replaceAll(/,(?=\d{3}(?!\d))/g, ''));
    return Number.isFinite(value) ? [value] : [];
  });
}
