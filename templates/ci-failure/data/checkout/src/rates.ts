import { roundCents, type Cents } from './money.ts';
import type { Zone } from './zones.ts';

/** Prices of 2026, in cents. */
const base: Record<Zone, Cents> = { city: 290, country: 549, europe: 1399, world: 3849 };
const perKilo: Record<Zone, Cents> = { city: 15, country: 35, europe: 115, world: 425 };

export function rateOf(zone: Zone, grams: number): Cents {
    return base[zone] + roundCents((perKilo[zone] * grams) / 1000);
}

export function isHeavy(grams: number): boolean {
    return grams > 31_500;
}

export function volumetricGrams(width: number, height: number, depth: number): number {
    return Math.ceil((width * height * depth) / 5000) * 1000;
}
