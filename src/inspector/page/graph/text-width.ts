// The width of texts in the font of the page, measured once for each text.
import type { TextWidth } from '../../../view/graph/map/display-list.ts';
import { estimatedWidth } from '../../../view/graph/map/display-list.ts';

const known = new Map<string, number>();
/** Texts are measured at this size, because widths grow evenly. */
const SIZE = 20;
/** Names of a run are few; texts with times are many. */
const MOST = 20_000;

export function createTextWidth(): TextWidth {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return estimatedWidth;
  const family = getComputedStyle(document.documentElement).getPropertyValue('--sans');
  const fonts = { bold: `650 ${SIZE}px ${family}`, plain: `400 ${SIZE}px ${family}` };
  return (text, size, bold) => {
    const key = bold ? `b${text}` : `p${text}`;
    let width = known.get(key);
    if (width === undefined) {
      context.font = bold ? fonts.bold : fonts.plain;
      width = context.measureText(text).width;
      if (known.size > MOST) known.clear();
      known.set(key, width);
    }
    return (width * size) / SIZE;
  };
}
