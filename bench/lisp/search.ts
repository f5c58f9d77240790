// Searches for the expression with the most processor time per unit of fuel: builtins on each other's values, with growing inputs.
import { deadlineFrom } from '../../src/lisp/deadline.ts';
import { compile } from '../../src/lisp/program.ts';
import { run } from '../../src/lisp/run.ts';
import { toJson } from '../../src/lisp/to-json.ts';
import { processorTime } from './measure-prices.ts';
import { builtins, exampleArguments } from './probes.ts';

/** Milliseconds of processor time of the reference loop on the machine of bench/lisp/README.md. */
export const RECORDED_REFERENCE = 0.45;

/** Random numbers from 0 to 1, the same for the same seed. */
export type Chance = () => number;

export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export interface Find {
  readonly source: string;
  readonly milliseconds: number;
  readonly end: string;
}

type Kind = 'text' | 'list' | 'map' | 'set' | 'number' | 'other';

const calls = builtins.flatMap((builtin) => {
  const args = exampleArguments(builtin);
  return args === undefined ? [] : [{ name: builtin.name, args, gives: kindOf(builtin.gives) }];
});

function kindOf(written: string): Kind {
  if (written.startsWith('"')) return 'text';
  if (written.startsWith('[')) return 'list';
  if (written.startsWith('#{')) return 'set';
  if (written.startsWith('{')) return 'map';
  return /^-?\d/.test(written) ? 'number' : 'other';
}

function pick<T>(chance: Chance, items: readonly T[]): T {
  const item = items[Math.floor(chance() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

/** Small sizes as often as large ones. */
function size(chance: Chance): number {
  return Math.floor(10 ** (chance() * 5));
}

const letters = [
  '"a"',
  '"ab"',
  '" "',
  '"0"',
  '"é"',
  '"😀"',
  '"\\n"',
  '"\\""',
  '"a,"',
  '"$1"',
  '"1e5 "',
  '"[],"',
  '"K"',
  '":a"',
];
const scalars = [
  '1',
  '0.1',
  '1e300',
  'nil',
  '"x"',
  ':k',
  'true',
  '[]',
  '{}',
  '#{}',
  "'s",
  '-0.5',
  '12345678901',
  '[1]',
  '{:a 1}',
];
const patterns = [
  '#"a*b"',
  '#"(a|ab)(c|bcd)*"',
  '#"\\\\s+$"',
  '#"."',
  '#"x*"',
  '#"[^,]+"',
  '#"(a*)*b"',
  '#"\\\\b"',
  '#"(?i)k+é"',
];

function leaf(chance: Chance, kind: Kind): string {
  const n = size(chance);
  switch (kind) {
    case 'text':
      return pick(chance, [
        `(apply str (repeat ${n} ${pick(chance, letters)}))`,
        `(str (apply str (repeat ${n} ${pick(chance, letters)})) ${pick(chance, letters)})`,
        `(reduce (fn [s _] (str s s)) ${pick(chance, letters)} (range ${n % 19}))`,
      ]);
    case 'list':
      return pick(chance, [
        `(vec (range ${n}))`,
        `(vec (repeat ${n} ${pick(chance, scalars)}))`,
        `(vec (take ${n} (cycle [${pick(chance, scalars)} ${pick(chance, scalars)}])))`,
        `(reduce (fn [v _] [v v]) [1] (range ${n % 30}))`,
        `(reduce (fn [v _] [v]) [1] (range ${n % 900}))`,
        `(mapv (fn [i] {:id i :n (str "n" i)}) (range ${n % 3_000}))`,
        'data/rows',
      ]);
    case 'map':
      return pick(chance, [
        `(zipmap (range ${n}) (range ${n}))`,
        `(zipmap (map str (range ${n})) (repeat ${pick(chance, scalars)}))`,
        `(apply sorted-map (range ${(n >> 1) << 1}))`,
        `(reduce (fn [m _] {:a m :b m}) {} (range ${n % 30}))`,
        'data/wide',
      ]);
    case 'set':
      return pick(chance, [
        `(set (range ${n}))`,
        `(set (map (fn [i] [i i]) (range ${n})))`,
        `(apply sorted-set (range ${n}))`,
      ]);
    case 'number':
      return pick(chance, [String(n), '0', '-1', '2', '0.1', '1e15']);
    default:
      return pick(chance, scalars);
  }
}

function argument(chance: Chance, written: string, depth: number): string {
  if (/^[#:'(]|^[a-z]/.test(written) && !written.startsWith('#{')) {
    return written.startsWith('#"') && chance() < 0.7 ? pick(chance, patterns) : written;
  }
  const kind = kindOf(written);
  if (depth > 0 && chance() < 0.4) {
    const inner = pick(chance, calls);
    if (inner.gives === kind || chance() < 0.1) return call(chance, inner, depth - 1);
  }
  return chance() < 0.15 ? written : leaf(chance, kind);
}

function call(chance: Chance, { name, args }: (typeof calls)[number], depth: number): string {
  return `(${[name, ...args.map((written) => argument(chance, written, depth))].join(' ')})`;
}

/** Repeats one call on prepared values, one on new values, and some whose value is printed. */
export function randomProgram(chance: Chance): string {
  const chosen = pick(chance, calls);
  const args = chosen.args.map((written) => argument(chance, written, 2));
  const made = `(${[chosen.name, ...args].join(' ')})`;
  const shape = chance();
  if (shape < 0.15) return made;
  if (shape < 0.25) return `(repeat ${size(chance)} ${made})`;
  if (shape < 0.35) return `(loop [] ${made} (recur))`;
  const kept = args.map((arg, i) => (arg.startsWith('(') && !arg.startsWith('(fn') ? `a${i}` : arg));
  const bindings = args.flatMap((arg, i) => (kept[i] === arg ? [] : [`a${i} ${arg}`])).join(' ');
  return `(let [${bindings}] (loop [] (${[chosen.name, ...kept].join(' ')}) (recur)))`;
}

const data = {
  rows: Array.from({ length: 5_000 }, (_, i) => ({ id: i, name: `name ${i}`, tags: ['a', 'b'], price: i / 7 })),
  wide: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key ${i}`, i])),
};

/** Runs from text to JSON within the default limits, without a deadline, which would hide slow programs. */
export function timeOf(source: string): Find {
  const began = processorTime();
  const limits = { deadline: 60_000 };
  const time = deadlineFrom(() => performance.now(), limits);
  const program = compile(source, { limits, ...time });
  let end = program.ok ? 'value' : (program.error[0]?.code ?? '');
  if (program.ok) {
    const outcome = run(program.value, data, time);
    if (outcome.ok) {
      const json = toJson(outcome.value, { limits, ...time });
      if (!json.ok) end = json.error.code;
    } else end = outcome.error.code;
  }
  return { source, milliseconds: processorTime() - began, end };
}

/** Times a slow program again, because other processes use the machine: the fastest of three counts. */
export function steadyTimeOf(source: string, suspicious: number): Find {
  const first = timeOf(source);
  if (first.milliseconds < suspicious) return first;
  return [timeOf(source), timeOf(source)].reduce(
    (best, each) => (each.milliseconds < best.milliseconds ? each : best),
    first,
  );
}

/** The slowest programs found within the given milliseconds, slowest first. */
export function search(
  seed: number,
  milliseconds: number,
  suspicious: number,
): { readonly tried: number; readonly slowest: readonly Find[] } {
  const chance = chanceFrom(seed);
  const slowest: Find[] = [];
  let tried = 0;
  for (const until = performance.now() + milliseconds; performance.now() < until; tried++) {
    const find = steadyTimeOf(randomProgram(chance), suspicious);
    slowest.push(find);
    slowest.sort((a, b) => b.milliseconds - a.milliseconds);
    slowest.splice(20);
  }
  return { tried, slowest };
}
