// Reads which log lines a page asks for. Numbers that cannot be read count as absent, and an answer is bounded.
import { defined } from '../../base/json.ts';
import { logLevels } from '../../engine/record/log-line.ts';
import type { LogQuery } from '../../runtime/logs/read-logs.ts';

/** The most lines of one answer. */
const MOST_LINES = 1_000;

export function readLogQuery(query: URLSearchParams): LogQuery {
  const [first, last] = [numberIn(query, 'first'), numberIn(query, 'last')];
  const level = logLevels.find((each) => each === query.get('level'));
  return {
    ...defined({
      step: query.get('step') ?? undefined,
      attempt: numberIn(query, 'attempt'),
      level,
      after: numberIn(query, 'after'),
      before: numberIn(query, 'before'),
      until: numberIn(query, 'until'),
    }),
    ...(last === undefined ? { first: bounded(first) } : { last: bounded(last) }),
  };
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function bounded(wanted: number = MOST_LINES): number {
  return Math.min(wanted, MOST_LINES);
}
