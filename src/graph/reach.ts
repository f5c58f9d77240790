// Finds the nodes that can be reached over a successor function.

/** The nodes downstream of the starting nodes. A starting node is among them only when a path leads back to it. */
export function reachableFrom(starts: Iterable<string>, next: (node: string) => Iterable<string>): Set<string> {
  const reached = new Set<string>();
  const pending = [...starts];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (const successor of next(node)) {
      if (reached.has(successor)) continue;
      reached.add(successor);
      pending.push(successor);
    }
  }
  return reached;
}
