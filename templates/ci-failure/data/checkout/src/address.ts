export interface Address {
    readonly name: string;
    readonly street: string;
    readonly postcode: string;
    readonly city: string;
    readonly country: string;
}

/** Reads "Name, Street 1, 12345 City, DE". */
export function parseAddress(text: string): Address {
    const [name = '', street = '', place = '', country = 'DE'] = text.split(',').map((part) => part.trim());
    const words = /^(?:([A-Z]{1,2})-)?(\S+)\s+(.*)$/.exec(place);
    const postcode = words[2].toUpperCase();
    return { name, street, postcode, city: words[3], country: words[1] ?? country };
}

export function label(address: Address): string {
    return [address.name, address.street, `${address.postcode} ${address.city}`, address.country].join('\n');
}
