// Refinements, as orders of their own or inside other orders: `the first 10`, `sort by date, newest first`, `only the open ones`.
import { defined, type Json } from '../../base/json.ts';
import { NUMBER, numberIn, UNIT } from './number.ts';

export type Refinement =
  /** A value and a usual name of its argument; `end` tells which end of a list is meant. */
  | { readonly kind: 'value'; readonly name: string; readonly value: Json; readonly end?: 'head' | 'tail' }
  | { readonly kind: 'sort'; readonly by?: string; readonly direction?: 'asc' | 'desc' }
  /** A value that a property may list. */
  | { readonly kind: 'choice'; readonly value: string };

/** The refinements of an order; empty when the order says anything else. */
export function refinementsIn(order: string): readonly Refinement[] {
  const text = order.trim().replace(/[.!]+$/, '');
  const parts = text.split(/\s*,\s*(?:and\s+)?|\s+and\s+/i).map(refinementIn);
  const found = parts.filter((part) => part !== undefined);
  if (found.length === parts.length) return found.reduce(together, []);
  const whole = refinementIn(text);
  return whole === undefined ? [] : [whole];
}

/** Merges `by date` with a following `newest first`. */
function together(before: readonly Refinement[], next: Refinement): readonly Refinement[] {
  const last = before.at(-1);
  const isOne = last?.kind === 'sort' && next.kind === 'sort' && next.by === undefined;
  return isOne ? [...before.slice(0, -1), { ...last, ...next }] : [...before, next];
}

function refinementIn(order: string): Refinement | undefined {
  const text = order.replace(/^(?:and |then |please |finally )+/i, '');
  return pageIn(text) ?? sortIn(text) ?? filterIn(text);
}

const THEM = '(?:(?:it|them|this|that|these|those|the (?:list|results?|output|items|entries|\\p{L}+))\\s+)?';
const ITEMS = '(?:\\s+(?:results?|items?|entries|ones?|of them|\\p{L}+s))?';
const SHOW = '(?:take|keep|show|get|return|list|use|select|give me|fetch|display)';

/** A pattern, without groups, that rejects a number followed by a unit. */
const NOT_MEASURED = `(?!\\s+${UNIT}(?!\\p{L})|\\s?%)`;
/** Patterns, without groups, for limits and for words such as "results". */
const AT_MOST =
  '(?:at most|up to|no more than|(?:a |the )?max(?:imum)?(?: of)?|(?:a |the |with )?limit(?:ed)?(?: to| of)?)';
const THINGS = '(?:results?|items?|records?|entries|rows|matches|hits|elements)';

const LIMITED: readonly string[] = [
  `^(?:${SHOW}|paginate|split)?\\s*${THEM}(?:with |by |into pages of |in pages of |to )?(${NUMBER})(?:\\s+\\p{L}+)?\\s+(?:per|a|each|on each|on a)\\s+page$`,
  `^(?:use|with|set|paginate with|paginate by)?\\s*(?:a |the )?page size\\s*(?:of|to|=|:)?\\s*(${NUMBER})$`,
  `^${SHOW}?\\s*(?:only\\s+)?(?:the\\s+)?(?:first|top|last|latest)\\s+(${NUMBER})${NOT_MEASURED}${ITEMS}$`,
  `^(?:limit|cut|restrict|reduce)\\s+${THEM}(?:down\\s+)?to\\s+(?:the (?:first|top)\\s+)?(${NUMBER})${ITEMS}$`,
  `^${SHOW}?\\s*${AT_MOST}\\s+(${NUMBER})${NOT_MEASURED}${ITEMS}$`,
  `^${SHOW}?\\s*(?:me )?(?:only |just )?(${NUMBER}) ${THINGS}(?: (?:only|at most|max))?$`,
];

function pageIn(text: string): Refinement | undefined {
  for (const pattern of LIMITED) {
    const [limit] = numberIn(matched(pattern, text)?.[1] ?? '');
    if (limit === undefined) continue;
    const end = /(?:^|\s)last\s/i.test(text) ? 'tail' : /(?:^|\s)first\s/i.test(text) ? 'head' : undefined;
    const name = /\bpage\b/i.test(text) ? 'per page' : 'limit';
    return { kind: 'value', name, value: limit, ...defined({ end }) };
  }
  const page = matched(
    `^(?:(?:go|skip|turn|move|jump) to|show|get|fetch|take|open)?\\s*(?:the\\s+)?page\\s+(${NUMBER})$`,
    text,
  );
  const [number] = numberIn(page?.[1] ?? '');
  return number === undefined ? undefined : { kind: 'value', name: 'page', value: number };
}

const DIRECTIONS: ReadonlyMap<string, 'asc' | 'desc'> = new Map([
  ...'ascending,asc,increasing,oldest first,earliest first,smallest first,lowest first,cheapest first,alphabetically'
    .split(',')
    .map((words) => [words, 'asc'] as const),
  ...'descending,desc,decreasing,newest first,latest first,most recent first,largest first,biggest first,highest first'
    .split(',')
    .map((words) => [words, 'desc'] as const),
]);

/** A pattern, without groups, for every sort direction. */
const DIRECTION = `(?:${[...DIRECTIONS.keys()].join('|')})`;

function sortIn(text: string): Refinement | undefined {
  const sorted = matched(
    `^(?:sort|order|rank|arrange)\\s+${THEM}by\\s+(?:their |its |the )?([\\p{L}\\p{N}_ -]+?)(?:,?\\s+(?:in )?(${DIRECTION})(?: order)?)?$`,
    text,
  );
  if (sorted !== undefined) {
    const direction = DIRECTIONS.get((sorted[2] ?? '').toLowerCase());
    return { kind: 'sort', by: sorted[1] ?? '', ...defined({ direction }) };
  }
  const ordered = matched(`^(?:sort|order|rank|arrange)?\\s*${THEM}(?:in )?(${DIRECTION})(?: order)?$`, text);
  const direction = DIRECTIONS.get((ordered?.[1] ?? '').toLowerCase());
  return direction === undefined ? undefined : { kind: 'sort', direction };
}

function filterIn(text: string): Refinement | undefined {
  const [, name, value] =
    matched(
      `^(?:filter|keep|take|show|select|restrict|limit)\\s+${THEM}(?:only\\s+)?(?:those|the ones|ones|items|entries)?\\s*(?:by|to|for|with|where|whose|having|that have)\\s+(?:the |a |an )?([\\p{L}\\p{N}_ -]+?)\\s*(?:=|:|\\bis\\b|\\bequals?\\b|\\bare\\b|\\bof\\b)\\s*(.+)$`,
      text,
    ) ??
    matched(
      `^(?:filter|keep|restrict|limit)\\s+${THEM}(?:down\\s+)?(?:only\\s+)?(?:(?:to\\s+)?(?:those|the ones|ones)\\s+)?(?:by|with|whose|having)\\s+(?:the |a |an )?([\\p{L}\\p{N}_-]+)\\s+("[^"]+"|'[^']+'|[\\p{L}\\p{N}_-]+)$`,
      text,
    ) ??
    [];
  if (name !== undefined) return { kind: 'value', name, value: unquoted(value ?? '') };
  const only =
    matched(
      '^(?:filter (?:for|to)|keep|take|show|select|list)?\\s*only\\s+(?:the\\s+)?([\\p{L}\\p{N}_-]+)(?:\\s+(?:ones?|\\p{L}+))?$',
      text,
    ) ??
    matched(
      `^filter\\s+${THEM}(?:down\\s+)?(?:for|to|by)\\s+(?:only\\s+)?(?:the\\s+)?([\\p{L}\\p{N}_-]+)(?:\\s+(?:ones?|\\p{L}+))?$`,
      text,
    );
  return only === undefined ? undefined : { kind: 'choice', value: unquoted(only[1] ?? '') };
}

/** A refinement inside another order. */
interface RefinementPhrase {
  /** Its words in the order. */
  readonly says: string;
  readonly refinement: Refinement;
  readonly numbers?: readonly number[];
}

/** The refinements inside an order without quoted texts. */
export function refinementsWithin(order: string): readonly RefinementPhrase[] {
  return [...refiningIn(order), ...countedIn(order)];
}

/** Ends of a sort order. */
const ENDS = '(?=\\s*(?:[,.;)]|$|\\band\\b|\\bwith\\b|\\bin\\b|\\bfrom\\b|\\bfor\\b|\\bon\\b))';

/** Patterns for refinements inside an order; each match is read like an order of its own. */
const REFINING: readonly RegExp[] = [
  `\\b(?:first|top|last|latest) ${NUMBER}\\b${NOT_MEASURED}`,
  `\\b${NUMBER} (?:per|on each|on a|a) page\\b`,
  `\\bpage size(?: of)? ${NUMBER}\\b`,
  `\\bpage ${NUMBER}\\b`,
  `\\b${AT_MOST} ${NUMBER}\\b${NOT_MEASURED}`,
  `(?<=(?:,|\\(|\\bwith|\\bgive me|\\breturn|\\bshow|\\bonly) )${NUMBER} ${THINGS}\\b`,
  `\\b(?:sorted|ordered|ranked|arranged) by (?:their |its |the )?[\\p{L}_-]+(?: [\\p{L}_-]+){0,2}?(?:,? (?:in )?${DIRECTION}(?: order)?)?${ENDS}`,
  `\\b(?:in )?${DIRECTION}(?: order)?\\b`,
].map((pattern) => new RegExp(pattern, 'giu'));

const VERB: Readonly<Record<string, string>> = {
  sorted: 'sort',
  ordered: 'order',
  ranked: 'rank',
  arranged: 'arrange',
};

/** The refinements of an order, without matches inside longer matches. */
function refiningIn(order: string): readonly RefinementPhrase[] {
  const spans = REFINING.flatMap((pattern) =>
    [...order.matchAll(pattern)].map(({ 0: says, index }) => ({ says, index, end: index + says.length })),
  );
  const outer = spans.filter(
    (one) =>
      !spans.some((other) => other.says.length > one.says.length && other.index <= one.index && one.end <= other.end),
  );
  return outer.flatMap(({ says }) => {
    const asked = says.replace(/^\p{L}+(?= by )/iu, (word) => VERB[word.toLowerCase()] ?? word);
    return refinementsIn(asked).map((refinement) => ({ says, refinement, numbers: numbersOf(refinement) }));
  });
}

function numbersOf(refinement: Refinement): readonly number[] {
  return refinement.kind === 'value' && typeof refinement.value === 'number' ? [refinement.value] : [];
}

/** The limit in `list 10 issues` and `show me the 5 newest`. */
const COUNTED = new RegExp(
  `^(?:please )?(?:list|show|get|fetch|find|return|give|retrieve|search|look up)(?: me)?(?: the)? (${NUMBER})(?: (newest|latest|most recent|oldest|largest|biggest|smallest|highest|lowest))?${NOT_MEASURED}(?= \\p{L}+)`,
  'iu',
);

function countedIn(order: string): readonly RefinementPhrase[] {
  const [, many = '', which] = COUNTED.exec(order) ?? [];
  const [limit] = numberIn(many);
  if (limit === undefined) return [];
  const sorts = which === undefined ? [] : refinementsIn(`${which} first`);
  return [
    { says: many, refinement: { kind: 'value', name: 'limit', value: limit }, numbers: [limit] },
    ...sorts.map((refinement) => ({ says: which ?? '', refinement })),
  ];
}

export function unquoted(text: string): string {
  return /^(["'`])(.*)\1$/su.exec(text)?.[2] ?? text;
}

function matched(pattern: string, text: string): RegExpExecArray | undefined {
  return new RegExp(pattern, 'iu').exec(text) ?? undefined;
}
