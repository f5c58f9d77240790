// The legend of the graph: each status with its fill and its glyph.
import { statusGlyphs, statusWords } from '../../../view/phases/status-glyphs.ts';

const shownInLegend = [
  'completed',
  'running',
  'retrying',
  'queued',
  'waiting',
  'asks',
  'failed',
  'not_run',
  'replaced',
] as const;

export function Legend() {
  return (
    <ul class="map-legend" aria-label="Legend">
      {shownInLegend.map((status) => (
        <li key={status}>
          <svg width="18" height="12" aria-hidden="true">
            <rect class={`swatch ${status}`} x="1" y="1" width="16" height="10" rx="3" />
          </svg>
          {statusGlyphs[status]} {statusWords[status]}
        </li>
      ))}
    </ul>
  );
}
