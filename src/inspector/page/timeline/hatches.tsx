// The hatches that the shapes of the timeline are filled with.

export function Hatches() {
  return (
    <svg class="hatches" width={0} height={0} aria-hidden="true">
      <defs>
        <pattern id="hatch-queued" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect class="hatch-ground" width="6" height="6" />
          <rect class="hatch-line" width="2" height="6" />
        </pattern>
        <pattern id="hatch-reserve" width="5" height="5" patternUnits="userSpaceOnUse">
          <circle class="hatch-dot" cx="1.5" cy="1.5" r="1" />
        </pattern>
      </defs>
    </svg>
  );
}
