// Reads the filters of a list of runs from words, as they stand in flags of a command and in the address of a page.
import { defined } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { type Instant, readDuration, readMoney } from '../../base/quantity.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { readBounds, readMoment } from './bounds.ts';
import {
  type FilterStatus,
  filterStatuses,
  newestFirst,
  type RunFilter,
  type RunOrdering,
  type SortKey,
  sortKeys,
} from './run-filter.ts';

/** The names of the filters. */
export const filterNames = [
  'status',
  'template',
  'since',
  'until',
  'cost',
  'took',
  'search',
  'with-failures',
  'forks',
  'sort',
  'reverse',
] as const;
export type FilterName = (typeof filterNames)[number];

export type FilterWords = Readonly<Partial<Record<FilterName, string>>>;

export interface FilterProblem {
  readonly filter: FilterName;
  /** `takes …, not "x"`: what follows the name of the filter. */
  readonly message: string;
}

export interface ListedRuns {
  readonly filter: RunFilter;
  readonly ordering: RunOrdering;
}

/** Lists of values are separated by commas; an empty text counts as absent. All problems are returned. */
export function readFilter(words: FilterWords, now: Instant): Result<ListedRuns, readonly FilterProblem[]> {
  const problems: FilterProblem[] = [];
  function read<T>(filter: FilterName, reader: (text: string) => Result<T, string>): T | undefined {
    const text = words[filter]?.trim();
    if (text === undefined || text === '') return undefined;
    const found = reader(text);
    if (found.ok) return found.value;
    problems.push({ filter, message: `takes ${found.error}, not "${text}"` });
    return undefined;
  }
  const filter: RunFilter = defined({
    statuses: read('status', readStatuses),
    templates: read('template', (text) => good(partsOf(text))),
    since: read('since', (text) => readMoment(text, now, 'begin')),
    until: read('until', (text) => readMoment(text, now, 'end')),
    cost: read('cost', (text) => readBounds(text, readMoney, ['1', '2.50'])),
    took: read('took', (text) => readBounds(text, readDuration, ['10m', '1h'])),
    words: read('search', (text) => good(text.toLowerCase().split(/\s+/))),
    withFailures: isSet(words['with-failures']),
    forks: isSet(words.forks),
  });
  const by = read('sort', (text) => oneOf(sortKeys, text)) ?? newestFirst.by;
  if (problems.length > 0) return bad(problems);
  return good({ filter, ordering: { by, isReversed: isSet(words.reverse) === true } });
}

function isSet(text: string | undefined): true | undefined {
  return text === undefined || text === '' || text === 'no' ? undefined : true;
}

function partsOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function readStatuses(text: string): Result<readonly FilterStatus[], string> {
  const statuses = partsOf(text).map((part) => oneOf(filterStatuses, part.toLowerCase()));
  const wrong = statuses.find((each) => !each.ok);
  return wrong?.ok === false ? wrong : good(statuses.flatMap((each) => (each.ok ? each.value : [])));
}

function oneOf<T extends FilterStatus | SortKey>(allowed: readonly T[], text: string): Result<T, string> {
  const found = allowed.find((each) => each === text);
  if (found !== undefined) return good(found);
  const meant = didYouMean(text, allowed);
  return bad(`${allowed.join(', ')}${meant === undefined ? '' : ` (${meant})`}`);
}
