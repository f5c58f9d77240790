// The failures of a run as links: one by one, or from five on grouped by their cause.
import { cut } from '../cut.ts';
import { localName } from '../status.ts';
import type { RootCause, Shortfalls } from '../summary.ts';

export interface FailureGroup {
  /** At least one step; the first of them stands for all. */
  readonly steps: readonly string[];
  /** The name of the step, or `41 ×` with the cause. */
  readonly link: string;
  /** The cause of a single step, or the name of the first step of a group. */
  readonly note: string;
  /** The words that the causes of a group share, or the message of a single step. */
  readonly cause: string;
  /** The repair succeeded. */
  readonly repaired: boolean;
}

/** The most failures that are shown one by one. */
const FEW = 4;
const LONGEST_CAUSE = 60;
/** Four failures with their names have room in one line. */
const LONGEST_NOTE = 20;

/** Groups the failures that nobody repaired first, large groups before small ones. */
export function failureGroups({
  failed,
  tolerated,
}: Pick<Shortfalls, 'failed' | 'tolerated'>): readonly FailureGroup[] {
  const causes = [...failed, ...tolerated];
  if (causes.length <= FEW) return causes.map(single);
  return [...Map.groupBy(causes, (cause) => `${cause.code} ${outcomeOf(cause)}`).values()]
    .flatMap(alike)
    .map(grouped)
    .sort((one, other) => Number(one.repaired) - Number(other.repaired) || other.steps.length - one.steps.length);
}

function single(cause: RootCause): FailureGroup {
  return {
    steps: [cause.step],
    link: localName(cause.step),
    note: withOutcome(endOf(shortCause(cause)), cause),
    cause: cause.message,
    repaired: outcomeOf(cause) === 'repaired',
  };
}

function grouped(causes: readonly RootCause[]): FailureGroup {
  const [first] = causes;
  if (first === undefined) return { steps: [], link: '', note: '', cause: '', repaired: false };
  const others = [...new Set(causes.map(({ step }) => localName(step)))];
  if (causes.length === 1) return single(first);
  const shared = cut(commonText(causes.map(shortCause)) || first.code, LONGEST_CAUSE);
  return {
    steps: causes.map(({ step }) => step),
    link: `${causes.length} × ${withOutcome(shared, first)}`,
    note: others.length === 1 ? (others[0] ?? '') : `${others[0]} …`,
    cause: shared,
    repaired: outcomeOf(first) === 'repaired',
  };
}

/** Causes of one code differ in names and numbers; those that share their last or their first word belong together. */
function alike(causes: readonly RootCause[]): readonly (readonly RootCause[])[] {
  const byLast = [...Map.groupBy(causes, (cause) => wordsOf(cause).at(-1)).values()];
  const alone = byLast.filter(({ length }) => length === 1).flat();
  const byFirst = [...Map.groupBy(alone, (cause) => wordsOf(cause)[0]).values()];
  return [...byLast.filter(({ length }) => length > 1), ...byFirst];
}

function wordsOf(cause: RootCause): readonly string[] {
  return shortCause(cause).split(/\s+/);
}

/** The last words of a cause, because they say what was wrong: `… answered 503` */
function endOf(text: string): string {
  if (text.length <= LONGEST_NOTE) return text;
  const kept = text.slice(-LONGEST_NOTE);
  return `… ${kept.slice(kept.indexOf(' ') + 1)}`;
}

/** The message without explanations behind it. */
function shortCause({ message }: RootCause): string {
  const [first = message] = message.split(/[\n;]|[:.] /);
  return first.trim().length >= 8 ? first.trim() : (message.split('\n')[0]?.trim() ?? message);
}

/** The words at the beginning or at the end that all texts share: `… answered 503` */
function commonText(texts: readonly string[]): string {
  const lists = texts.map((text) => text.split(/\s+/));
  const [first = []] = lists;
  const before = first.slice(0, sharedCount(lists));
  if (before.length === first.length && lists.every(({ length }) => length === first.length)) return before.join(' ');
  const after = sharedCount(lists.map((words) => words.toReversed()));
  if (after > before.length) return `… ${first.slice(-after).join(' ')}`;
  return before.length === 0 ? '' : `${before.join(' ')} …`;
}

/** The number of words with which all lists begin. */
function sharedCount(lists: readonly (readonly string[])[]): number {
  const [first = []] = lists;
  const end = first.findIndex((word, index) => lists.some((words) => words[index] !== word));
  return end === -1 ? first.length : end;
}

function outcomeOf({ takenUp }: RootCause): string {
  return takenUp?.outcome ?? 'open';
}

const outcomes: Readonly<Record<string, string>> = {
  repaired: ', ⟲ repaired',
  'under way': ', ⟲ being repaired',
  failed: ', ⟲ not repaired',
};

function withOutcome(text: string, cause: RootCause): string {
  return `${text}${outcomes[outcomeOf(cause)] ?? ''}`;
}
