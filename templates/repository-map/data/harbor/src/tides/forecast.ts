import { tideTable } from './table.ts';

export function highWater(day: number): number {
  return tideTable[day % tideTable.length] ?? 0;
}

export const mean0 = (highWater(0) + highWater(1)) / 2;

export const mean1 = (highWater(1) + highWater(2)) / 2;

export const mean2 = (highWater(2) + highWater(3)) / 2;

export const mean3 = (highWater(3) + highWater(4)) / 2;

export const mean4 = (highWater(4) + highWater(5)) / 2;

export const mean5 = (highWater(5) + highWater(6)) / 2;

export const mean6 = (highWater(6) + highWater(7)) / 2;

export const mean7 = (highWater(7) + highWater(8)) / 2;

export const mean8 = (highWater(8) + highWater(9)) / 2;

export const mean9 = (highWater(9) + highWater(10)) / 2;
