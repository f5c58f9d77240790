// What is told of the tasks before to whom no contract says what to take of them.
import type { JsonObject } from '../../base/json.ts';
import type { PatternSettings } from '../../template/keys/pattern.ts';
import type { Earlier } from './around.ts';

/** More results than these are told in short. */
const WHOLE_RESULTS = 10;

/** What came before: a few results whole, more of them in short. */
export function toldOf(earlier: readonly Earlier[], { sequential }: PatternSettings): JsonObject {
  if (earlier.length === 0) return {};
  if (sequential || earlier.length > WHOLE_RESULTS) return { summary: '{{ summary }}' };
  return { results: Object.fromEntries(earlier.map(({ name }) => [name, `{{ results.${name} }}`])) };
}
