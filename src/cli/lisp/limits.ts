// Reads the Lisp's limits from the command line, such as `fuel=20k`.
import { didYouMean } from '../../base/nearest.ts';
import { readSize } from '../../base/quantity.ts';
import { defaultLimits, type Limits } from '../../lisp/limits.ts';
import { UsageError } from '../usage-error.ts';

/** Takes words such as `['fuel=20k', 'depth=100']`, and returns the default limits with these changes. @throws UsageError */
export function readLimits(words: readonly string[]): Limits {
  return { ...defaultLimits, ...Object.fromEntries(words.map(readLimit)) };
}

function readLimit(word: string): readonly [string, number] {
  const [, name = '', amount = ''] = /^([^=]*)=(.*)$/.exec(word) ?? [];
  const known = Object.keys(defaultLimits);
  if (!known.includes(name)) {
    const hint = didYouMean(name, known) ?? `the limits are ${known.join(', ')}`;
    throw new UsageError(`--limit takes name=amount, such as fuel=20000, not "${word}"; ${hint}`);
  }
  const reading = readSize(amount);
  if (!reading.ok) throw new UsageError(`--limit ${name} takes ${reading.error}, not "${amount}"`);
  return [name, reading.value];
}
