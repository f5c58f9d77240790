// Whether a task is more than one call: it gives two orders, and each is the verb of some capability.
import type { CapabilityLine } from '../capability-lines.ts';
import { toolIndex } from '../match/catalogue.ts';
import { orderOf } from '../match/order.ts';
import { groupOf } from '../match/verbs.ts';

export function isCoarse(text: string, capabilities: readonly CapabilityLine[]): boolean {
  const { isMoreThanOne, terms } = orderOf(text);
  if (!isMoreThanOne) return false;
  const verbs = new Set(toolIndex(capabilities).tools.map(({ verb }) => verb?.stem));
  const orders = terms.filter(({ stem }) => verbs.has(stem)).map(({ stem }) => groupOf(stem) ?? stem);
  return new Set(orders).size > 1;
}
