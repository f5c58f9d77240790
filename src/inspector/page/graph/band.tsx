// A band around the steps that one planning step added, or around the items of a fan-out; its head folds the band.

import type { Box } from '../../../view/graph/geometry.ts';
import type { Band } from '../../../view/graph/scene.ts';
import { GraftPath } from '../parts/graft-mark.tsx';
import { cut } from './cut.ts';
import { turn } from './laid-out.ts';

/** The width of one letter of a title. */
const LETTER = 7.5;

export function BandShape({ band, box, depth }: { readonly band: Band; readonly box: Box; readonly depth: number }) {
  const { id, kind, title, counts } = band;
  const left = kind === 'phase' ? 35 : 18;
  const fold = (): void => turn(id, true);
  return (
    <g class={`band ${kind} ${depth % 2 === 0 ? 'even' : 'odd'}`}>
      <rect class="area" x={box.x} y={box.y} width={box.width} height={box.height} rx={14} />
      <g class="band-head" role="button" tabIndex={-1} aria-label={`fold ${title}, ${counts}`} onClick={fold}>
        <rect class="hit" x={box.x + 6} y={box.y + 5} width={Math.max(60, box.width - 12)} height={28} rx={8} />
        {kind === 'phase' && (
          <g transform={`translate(${box.x + 17}, ${box.y + 13})`}>
            <GraftPath />
          </g>
        )}
        <text x={box.x + left} y={box.y + 24}>
          <tspan class="band-title">{cut(title, Math.floor((box.width - left - 8) / LETTER))}</tspan>
          {box.width > 330 && <tspan class="band-counts">{`   ${counts}`}</tspan>}
        </text>
      </g>
    </g>
  );
}
