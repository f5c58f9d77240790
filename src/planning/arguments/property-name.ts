// Which property of a contract a given name means, however it is written: `perPage`, `per-page` and `per page` are `per_page`.
import { stemOf, wordsOfName } from '../match/terms.ts';

/** The name itself where the contract has it, else the one property that is written from the same words; one for many counts. */
export function propertyFor(given: string, properties: readonly string[]): string | undefined {
  if (properties.includes(given)) return given;
  for (const form of [joined, folded]) {
    const alike = properties.filter((property) => form(property) === form(given));
    const [only, another] = alike;
    if (only !== undefined) return another === undefined ? only : undefined;
  }
  return undefined;
}

function joined(name: string): string {
  return wordsOfName(name).join('');
}

function folded(name: string): string {
  return wordsOfName(name).map(stemOf).join('');
}
