import { roundCents, type Cents } from './money.ts';

export interface Customer {
    readonly id: string;
    readonly parcelsLastYear: number;
}

/** Customers of the year before keep their discount in January. */
export function discountOf(customer: Customer, price: Cents): Cents {
    if (customer.parcelsLastYear >= 1000) return roundCents(price * 0.15);
    if (customer.parcelsLastYear >= 100) return roundCents(price * 0.05);
    return 0;
}
