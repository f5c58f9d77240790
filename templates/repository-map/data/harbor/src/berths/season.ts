import { priceOf } from './price.ts';

export function seasonOf(date: Date): number {
  return date.getMonth() >= 5 && date.getMonth() <= 7 ? 1.4 : 1;
}

export const summerPrice = (length: number): number => priceOf(length, 1) * 1.4;
