import { find } from '../storage/boats.ts';
import { priceOf } from './price.ts';

export function book(boat: string, nights: number): number {
  const { length } = find(boat);
  return priceOf(length, nights);
}
