// Prints a landing reserve that is too small: the need, and the reserve that would cover it.

import { limitText } from '../../budget/limit-text.ts';
import type { LandingCover, UncoveredLimit } from '../../engine/bound/landing-cover.ts';
import { type Line, span } from '../line.ts';

/** Nothing when everything is covered. */
export function landingCoverText({ steps, reserve, uncovered }: LandingCover): readonly Line[] {
  if (uncovered.length === 0) return [];
  return [
    [
      span(
        `landing_reserve (${reserve}%) may not be enough for what runs after all planning: ${steps.join(', ')}`,
        'warn',
      ),
    ],
    ...uncovered.map((each) => [span(`  ${shortText(each)}`, 'warn')]),
  ];
}

/** `tool_calls: 2 of 20 kept, and 6 may be needed: landing_reserve: 26% would keep as much` */
function shortText({ resource, limit, kept, needs, reserve }: UncoveredLimit): string {
  const show = (value: number): string => (Number.isFinite(value) ? limitText(resource, value) : 'any number');
  const wanted = reserve === undefined ? 'the limit itself is less' : `landing_reserve: ${reserve}% would keep as much`;
  return `${resource}: ${show(kept)} of ${show(limit)} kept, and ${show(needs)} may be needed: ${wanted}`;
}
