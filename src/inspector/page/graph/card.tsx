// A step as a card: its state as a sign, a word and a color.

import { type Box, CARD } from '../../../view/graph/geometry.ts';
import type { Card } from '../../../view/graph/scene.ts';
import { statusMark } from '../../../view/status.ts';
import { GraftPath } from '../parts/graft-mark.tsx';
import type { Drawn } from './viewport.ts';

interface Props {
  readonly card: Card;
  readonly box: Box;
  readonly detail: Drawn['detail'];
  readonly isChosen: boolean;
  /** A search is active and does not match this step. */
  readonly isFaint: boolean;
}

export function CardShape({ card, box, detail, isChosen, isFaint }: Props) {
  const { title, work, status, text, planning, grafted, holds, id } = card;
  const { sign, tone } = statusMark(status);
  const isGraft = grafted && holds === 1;
  const names = ['card', `tone-${tone}`, `status-${status}`];
  if (planning) names.push('planning');
  if (isChosen) names.push('chosen');
  if (isFaint) names.push('faint');
  return (
    <g
      class={names.join(' ')}
      style={{ transform: `translate(${box.x}px, ${box.y}px)` }}
      data-card={id}
      role="button"
      tabIndex={isChosen ? 0 : -1}
      aria-label={`${title}, ${work}, ${text}${isGraft ? ', grafted' : ''}`}
    >
      {holds > 1 && <rect class="pile" x={5} y={5} width={CARD.width} height={CARD.height} rx={8} />}
      <rect class="box" width={CARD.width} height={CARD.height} rx={planning ? 18 : 8} />
      {detail === 'names' && (
        <>
          <text class="sign large" x={22} y={36}>
            {sign}
          </text>
          <text class="title large" x={40} y={36}>
            {cut(title, 14)}
          </text>
        </>
      )}
      {detail === 'full' && (
        <>
          <circle class="badge" cx={20} cy={21} r={10} />
          <text class="sign" x={20} y={25.5}>
            {sign}
          </text>
          <text class="title" x={37} y={25.5}>
            {cut(title, isGraft ? 17 : 19)}
          </text>
          {isGraft && (
            <g transform={`translate(${CARD.width - 22}, 14)`}>
              <GraftPath />
            </g>
          )}
          <text class="detail" x={14} y={46}>
            <tspan class="state">{cut(text, 28)}</tspan>
            {text.length < 18 && <tspan class="work">{`  ${cut(work, 24 - text.length)}`}</tspan>}
          </text>
        </>
      )}
      <title>{`${id}\n${work}\n${text}`}</title>
    </g>
  );
}

/** Shortens a text in its middle. The end stays, because it tells repairs apart: `plan_re…h~2`. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 4)}…${text.slice(-3)}` : text;
}
