// Shows content after fetching it.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface Props<T> {
  /** The content is fetched again when this key changes. */
  readonly of: string;
  readonly load: () => Promise<T>;
  readonly children: (value: T) => ComponentChildren;
}

export function Loaded<T>({ of, load, children }: Props<T>) {
  const [got, setGot] = useState<{ readonly of: string; readonly value?: T; readonly why?: string } | undefined>(
    undefined,
  );
  useEffect(() => {
    let isWanted = true;
    load().then(
      (value) => isWanted && setGot({ of, value }),
      (error: unknown) => isWanted && setGot({ of, why: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [of]);
  if (got === undefined || got.of !== of) return <p class="dim">loading …</p>;
  if (got.why !== undefined) return <p class="text-bad">this could not be loaded: {got.why}</p>;
  return <>{children(got.value as T)}</>;
}
