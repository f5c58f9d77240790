// Drops issues about parts of a document for which an earlier stage has already reported an error.
import type { Issue, PathPart } from '../base/issue.ts';

/** Returns `found` without issues at or inside a part for which `said` has an error. */
export function withoutRepeated(said: readonly Issue[], found: readonly Issue[]): readonly Issue[] {
  const errors = said.filter((each) => each.severity === 'error' && each.path.length > 0 && !isOfHolder(each));
  return found.filter(
    (each) => !errors.some((error) => each.place?.file === error.place?.file && within(each.path, error.path)),
  );
}

/** A missing key is reported at its map, but says nothing about the other keys of the map. */
function isOfHolder({ code }: Issue): boolean {
  return code === 'SHAPE_MISSING_KEY';
}

function within(path: readonly PathPart[], holder: readonly PathPart[]): boolean {
  return holder.every((part, index) => path[index] === part);
}
