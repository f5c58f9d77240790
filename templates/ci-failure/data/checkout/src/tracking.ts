export interface Event {
    readonly at: string;
    readonly place: string;
    readonly scanner?: string;
    readonly state: 'accepted' | 'moving' | 'delivered';
}

export function isDelivered(events: readonly Event[]): boolean {
    return lastState(events) === 'delivered';
}

export function lastState(events: readonly Event[]): string {
    const last = events.toSorted((a, b) => a.at.localeCompare(b.at)).at(-1);
    return last === undefined ? 'unknown' : last.state;
}
