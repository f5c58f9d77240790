import { discountOf, type Customer } from './discounts.ts';
import type { Cents } from './money.ts';
import { rateOf, volumetricGrams } from './rates.ts';
import { zoneOf } from './zones.ts';

export interface Parcel {
    readonly grams: number;
    readonly width: number;
    readonly height: number;
    readonly depth: number;
}

export function quote(parcel: Parcel, country: string, sameCity: boolean, customer: Customer): Cents {
    const grams = Math.max(parcel.grams, volumetricGrams(parcel.width, parcel.height, parcel.depth));
    const price = rateOf(zoneOf(country, sameCity), grams);
    return price - discountOf(customer, price);
}
