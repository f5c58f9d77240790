// A task in words with references in it: the words, and what they refer to by name.
import type { JsonObject } from '../../base/json.ts';
import { parseText, referenceText } from '../../template/references.ts';
import { withPlainBraces } from './lookalikes.ts';

export interface TaskText {
  /** `Compare fetch_aapl with fetch_msft` */
  readonly text: string;
  /** `{ fetch_aapl: "{{ results.fetch_aapl }}", … }` */
  readonly data: JsonObject;
}

/** A text whose references cannot be read is left whole: the checks will speak of it. */
export function taskIn(written: string): TaskText {
  const { parts, issues } = parseText(withPlainBraces(written));
  if (issues.length > 0) return { text: written, data: { text: written } };
  const data = new Map<string, string>();
  const words = parts.map((part) => {
    if (typeof part === 'string') return part;
    const whole = referenceText(part);
    const name = part.root === 'results' || part.root === 'depends' ? whole.slice(part.root.length + 1) : whole;
    data.set(name, `{{ ${whole} }}`);
    return name;
  });
  return { text: words.join(''), data: Object.fromEntries(data) };
}
