/** Whole cents; never euros. */
// Amounts in other currencies are converted before they come here.
export type Cents = number;

export function toCents(euros: number): Cents {
    return Math.round(euros * 100);
}

export function formatCents(cents: Cents): string {
    return (cents / 100).toFixed(2) + ' EUR';
}

/** Rounds a fraction of a cent, halves to even, as the ledger does. */
export function roundCents(value: number): Cents {
    const floor = Math.floor(value);
    const half = value - floor === 0.5;
    return half ? floor + (floor % 2) : Math.round(value);
}
