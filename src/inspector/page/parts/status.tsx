// The status of a step as a glyph, a word and a color.
import type { ShownStatus } from '../../../view/phases/shown-status.ts';
import { statusGlyphs } from '../../../view/phases/status-glyphs.ts';

export function Status({ status, text }: { readonly status: ShownStatus; readonly text: string }) {
  return (
    <span class={`pill fill-${status}`}>
      <span aria-hidden="true">{statusGlyphs[status]}</span> {text}
    </span>
  );
}
