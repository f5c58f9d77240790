// Listeners that make the spans of a run themselves, so that the tracer of the program does not make them again.

const listeners = new WeakSet<object>();

export function followsRuns<L extends object>(listener: L): L {
  listeners.add(listener);
  return listener;
}

export function isFollowed(listener: object | undefined): boolean {
  return listener !== undefined && listeners.has(listener);
}
