// Drops findings that only repeat, about the same part of a document, what an earlier stage has said.
import type { Issue, PathPart } from '../base/issue.ts';

/** Returns `found` without the issues that stand at or inside a part that `said` already calls wrong. */
export function withoutRepeated(said: readonly Issue[], found: readonly Issue[]): readonly Issue[] {
  const errors = said.filter((each) => each.severity === 'error' && each.path.length > 0 && !isOfHolder(each));
  return found.filter(
    (each) => !errors.some((error) => each.place?.file === error.place?.file && within(each.path, error.path)),
  );
}

/** A missing key stands at the map that lacks it, and says nothing of the keys that are there. */
function isOfHolder({ code }: Issue): boolean {
  return code === 'SHAPE_MISSING_KEY';
}

function within(path: readonly PathPart[], holder: readonly PathPart[]): boolean {
  return holder.every((part, index) => path[index] === part);
}
