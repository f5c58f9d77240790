// The mark for grafted steps: a branch that leaves the stem.

/** Needs an SVG element of its own, with a view box of 12 by 12. */
export function GraftMark() {
  return (
    <svg class="graft-mark" viewBox="0 0 12 12" width="11" height="11" role="img" aria-label="grafted">
      <GraftPath />
    </svg>
  );
}

function GraftPath() {
  return (
    <path
      class="graft-path"
      d="M3 11V1.500M3 8.500C3 5.500 9 6.500 9 3.500M9 3.500v-2M7.200 3.200 9 1.300l1.800 1.900"
    />
  );
}
