export type Zone = 'city' | 'country' | 'europe' | 'world';

// Switzerland is no member of the customs union.
const european = ['AT', 'BE', 'DK', 'ES', 'FI', 'FR', 'IT', 'LU', 'NL', 'PL', 'PT', 'SE'];

export function zoneOf(country: string, sameCity: boolean): Zone {
    if (country === 'DE') return sameCity ? 'city' : 'country';
    return european.includes(country) ? 'europe' : 'world';
}
