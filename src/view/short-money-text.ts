// Money in few characters, for places where cents are exact enough.
import type { MicroDollars } from '../base/quantity.ts';

/** `$2.31`, `$0.02`, `$0.0040`; an amount below one cent keeps its first two digits. */
export function shortMoneyText(amount: MicroDollars): string {
  const dollars = amount / 1_000_000;
  if (amount === 0 || dollars >= 0.01) return `$${dollars.toFixed(2)}`;
  return `$${dollars.toFixed(Math.min(6, 1 - Math.floor(Math.log10(dollars))))}`;
}
