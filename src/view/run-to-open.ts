// Chooses the run that the inspector opens when its address names none.

interface ListedRun {
  readonly id: string;
  readonly parent?: string;
  /** A live process drives it. */
  readonly driven: boolean;
}

/** The only run that a process drives, or else the only run at all; child runs do not count. Undefined: show the list. */
export function runToOpen(runs: readonly ListedRun[]): string | undefined {
  const roots = runs.filter(({ parent }) => parent === undefined);
  const living = roots.filter(({ driven }) => driven);
  const [first, ...others] = living.length > 0 ? living : roots;
  return others.length === 0 ? first?.id : undefined;
}
