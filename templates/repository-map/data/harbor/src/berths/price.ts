import { seasonOf } from './season.ts';

export function priceOf(length: number, nights: number): number {
  return Math.round(length * 2.5 * nights * seasonOf(new Date()));
}
