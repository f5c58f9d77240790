// Shapes: intents and goals without their data, so that experience with one serves similar ones.
import { mask } from '../match/mask.ts';
import { singularOf } from '../match/terms.ts';
import { clausesOfGoal } from './clauses.ts';
import { orderIn } from './is-order.ts';
import { signalsIn } from './signals.ts';

const WORDS = 8;
const SMALL = new Set(
  'a an the this that these those all any some my our your their its of in on at to from for with by into as and or it them is are be please'.split(
    ' ',
  ),
);

/** For example `list issue`; quotes, links, paths, numbers and names with punctuation are data. */
export function shapeOfIntent(text: string): string {
  const words = orderIn(mask(text.slice(0, 1_000)).text)
    .replace(/\uE000\d+\uE001/g, ' ')
    .split(/[\s,;:!?()]+/)
    .map((word) => word.replace(/\.$/, ''))
    .filter((word) => /^[\p{L}'’-]+$/u.test(word))
    .map((word) => word.toLowerCase())
    .filter((word) => !SMALL.has(word))
    .map(singularOf);
  return words.slice(0, WORDS).join(' ');
}

const FEW = 4;

/** The rough number of orders, and the kinds of signals: `few condition`. */
export function shapeOfGoal(goal: string): string {
  const clauses = clausesOfGoal(mask(goal).text);
  const signals = clauses.flatMap(({ text }) => signalsIn({ text, accounted: new Set() }).map(({ kind }) => kind));
  const size = clauses.length <= 1 ? 'one' : clauses.length <= FEW ? 'few' : 'many';
  return [size, ...[...new Set(signals)].sort()].join(' ');
}
