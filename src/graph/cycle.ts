// Finds one cycle and names the nodes on it.

/**
 * One cycle as a closed walk (`a → b → a` is `['a', 'b', 'a']`), or undefined. Linear in nodes and edges, and without
 * recursion, so that depth costs nothing. Successors that are not among the nodes are passed over.
 */
export function findCycle(
  nodes: readonly string[],
  successors: (node: string) => readonly string[],
): readonly string[] | undefined {
  const known = new Set(nodes);
  const done = new Set<string>();
  const onPath = new Map<string, number>();
  for (const start of nodes) {
    if (done.has(start)) continue;
    const path = [{ node: start, next: successors(start), index: 0 }];
    onPath.set(start, 0);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const successor = top.next[top.index++];
      if (successor === undefined) {
        path.pop();
        onPath.delete(top.node);
        done.add(top.node);
        continue;
      }
      if (!known.has(successor) || done.has(successor)) continue;
      const from = onPath.get(successor);
      if (from !== undefined) return [...path.slice(from).map((each) => each.node), successor];
      onPath.set(successor, path.length);
      path.push({ node: successor, next: successors(successor), index: 0 });
    }
  }
  return undefined;
}
