// What can be reached from where, over any successor function.

/** All that lies downstream of the starting nodes, themselves excluded unless a path leads back to them. */
export function reach(starts: Iterable<string>, next: (node: string) => Iterable<string>): Set<string> {
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
