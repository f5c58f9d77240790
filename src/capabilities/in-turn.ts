// Queues work on one resource, in order of arrival.

const last = new Map<string, Promise<unknown>>();

/** Works within this process only. A failed piece of work does not stop the next. */
export function inTurn<T>(thing: string, work: () => Promise<T>): Promise<T> {
  const turn = (last.get(thing) ?? Promise.resolve()).then(work, work);
  last.set(thing, turn);
  const forget = (): void => {
    if (last.get(thing) === turn) last.delete(thing);
  };
  turn.then(forget, forget);
  return turn;
}
