// Lets one piece of work at a time touch one thing, in the order in which they came.

const last = new Map<string, Promise<unknown>>();

/** Within this process; a piece of work that fails does not hold up the next. */
export function inTurn<T>(thing: string, work: () => Promise<T>): Promise<T> {
  const turn = (last.get(thing) ?? Promise.resolve()).then(work, work);
  last.set(thing, turn);
  const forget = (): void => {
    if (last.get(thing) === turn) last.delete(thing);
  };
  turn.then(forget, forget);
  return turn;
}
