// Orders that are no calls but parameters of one: `the first 10`, `sort by date, newest first`, `only the open ones`.
import type { Json } from '../../base/json.ts';

export type Refinement =
  | { readonly kind: 'page'; readonly limit?: number; readonly page?: number }
  | { readonly kind: 'sort'; readonly by?: string; readonly direction?: 'asc' | 'desc' }
  /** Without a property, the value is one that some property lists. */
  | { readonly kind: 'filter'; readonly property?: string; readonly value: Json };

/** Of an order that says nothing else, one or several of them; empty of any other. */
export function refinementsIn(order: string): readonly Refinement[] {
  const text = order.trim().replace(/[.!]+$/, '');
  const parts = text.split(/\s*,\s*(?:and\s+)?|\s+and\s+/i).map(refinementIn);
  const found = parts.filter((part) => part !== undefined);
  if (found.length === parts.length) return found.reduce(together, []);
  const whole = refinementIn(text);
  return whole === undefined ? [] : [whole];
}

/** `by date`, and behind it `newest first`, are one. */
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

function pageIn(text: string): Refinement | undefined {
  const sized =
    matched(
      `^(?:show|list|get|return|use|fetch|display|paginate|split)?\\s*${THEM}(?:with |by |into pages of |in pages of |to )?(\\d+)(?:\\s+\\p{L}+)?\\s+(?:per|a|each|on each|on a)\\s+page$`,
      text,
    ) ??
    matched(
      '^(?:use|with|set|paginate with|paginate by)?\\s*(?:a |the )?page size\\s*(?:of|to|=|:)?\\s*(\\d+)$',
      text,
    ) ??
    matched(
      `^(?:take|keep|show|get|return|list|use|select|give me)?\\s*(?:only\\s+)?(?:the\\s+)?(?:first|top)\\s+(\\d+)${ITEMS}$`,
      text,
    ) ??
    matched(
      `^(?:limit|cut|restrict|reduce)\\s+${THEM}(?:down\\s+)?to\\s+(?:the (?:first|top)\\s+)?(\\d+)${ITEMS}$`,
      text,
    ) ??
    matched(`^(?:take|keep|show|return|get)\\s+at most\\s+(\\d+)${ITEMS}$`, text);
  if (sized !== undefined) return { kind: 'page', limit: Number(sized[1]) };
  const page = matched(
    '^(?:(?:go|skip|turn|move|jump) to|show|get|fetch|take|open)?\\s*(?:the\\s+)?page\\s+(\\d+)$',
    text,
  );
  return page === undefined ? undefined : { kind: 'page', page: Number(page[1]) };
}

const DIRECTIONS: Readonly<Record<string, 'asc' | 'desc'>> = {
  ascending: 'asc',
  asc: 'asc',
  increasing: 'asc',
  'oldest first': 'asc',
  'smallest first': 'asc',
  'lowest first': 'asc',
  alphabetically: 'asc',
  descending: 'desc',
  desc: 'desc',
  decreasing: 'desc',
  'newest first': 'desc',
  'latest first': 'desc',
  'most recent first': 'desc',
  'largest first': 'desc',
  'biggest first': 'desc',
  'highest first': 'desc',
};

const DIRECTION = `(${Object.keys(DIRECTIONS).join('|')})`;

function sortIn(text: string): Refinement | undefined {
  const sorted = matched(
    `^(?:sort|order|rank|arrange)\\s+${THEM}by\\s+(?:their |its |the )?([\\p{L}\\p{N}_ -]+?)(?:,?\\s+(?:in )?${DIRECTION}(?: order)?)?$`,
    text,
  );
  if (sorted !== undefined) {
    const direction = DIRECTIONS[(sorted[2] ?? '').toLowerCase()];
    return { kind: 'sort', by: sorted[1] ?? '', ...(direction === undefined ? {} : { direction }) };
  }
  const ordered = matched(`^(?:sort|order|rank|arrange)?\\s*${THEM}(?:in )?${DIRECTION}(?: order)?$`, text);
  const direction = DIRECTIONS[(ordered?.[1] ?? '').toLowerCase()];
  return direction === undefined ? undefined : { kind: 'sort', direction };
}

function filterIn(text: string): Refinement | undefined {
  const about = matched(
    `^(?:filter|keep|take|show|select|restrict|limit)\\s+${THEM}(?:only\\s+)?(?:those|the ones|ones|items|entries)?\\s*(?:by|to|for|with|where|whose|having|that have)\\s+(?:the |a |an )?([\\p{L}\\p{N}_ -]+?)\\s*(?:=|:|\\bis\\b|\\bequals?\\b|\\bare\\b|\\bof\\b)\\s*(.+)$`,
    text,
  );
  if (about !== undefined) return { kind: 'filter', property: about[1] ?? '', value: unquoted(about[2] ?? '') };
  const having = matched(
    `^(?:filter|keep|restrict|limit)\\s+${THEM}(?:down\\s+)?(?:only\\s+)?(?:(?:to\\s+)?(?:those|the ones|ones)\\s+)?(?:by|with|whose|having)\\s+(?:the |a |an )?([\\p{L}\\p{N}_-]+)\\s+("[^"]+"|'[^']+'|[\\p{L}\\p{N}_-]+)$`,
    text,
  );
  if (having !== undefined) return { kind: 'filter', property: having[1] ?? '', value: unquoted(having[2] ?? '') };
  const only =
    matched(
      '^(?:filter (?:for|to)|keep|take|show|select|list)?\\s*only\\s+(?:the\\s+)?([\\p{L}\\p{N}_-]+)(?:\\s+(?:ones?|\\p{L}+))?$',
      text,
    ) ??
    matched(
      `^filter\\s+${THEM}(?:down\\s+)?(?:for|to|by)\\s+(?:only\\s+)?(?:the\\s+)?([\\p{L}\\p{N}_-]+)(?:\\s+(?:ones?|\\p{L}+))?$`,
      text,
    );
  return only === undefined ? undefined : { kind: 'filter', value: unquoted(only[1] ?? '') };
}

function unquoted(text: string): string {
  return /^(["'`])(.*)\1$/.exec(text)?.[2] ?? text;
}

function matched(pattern: string, text: string): RegExpExecArray | undefined {
  return new RegExp(pattern, 'iu').exec(text) ?? undefined;
}
