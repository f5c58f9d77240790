// Draws the shapes of a row; all places come from the shapes, and all colors from the style.
import type { MarkShape, RowShape } from '../../../view/timeline/shapes.ts';

/** Heights of the shapes of a step; a row for fingers has larger ones. */
const usual = { bar: 13, queue: 7, call: 4 };
const large = { bar: 22, queue: 12, call: 6 };
const PATH = 3;

interface ShapeProps {
  readonly shape: RowShape;
  /** The height of the row. */
  readonly height: number;
  /** The critical path of a step stands right below its bar. */
  readonly isStep: boolean;
}

export function Shape({ shape, height, isStep }: ShapeProps) {
  const { bar, queue, call } = height > 40 ? large : usual;
  const middle = Math.floor(height / 2);
  const top = middle - Math.floor(bar / 2);
  switch (shape.shape) {
    case 'waits':
    case 'retry':
      return <path class={shape.shape} d={`M${shape.x} ${middle + 0.5}h${shape.width}`} />;
    case 'queued':
      return <rect class="queued" x={shape.x} y={middle - Math.floor(queue / 2)} width={shape.width} height={queue} />;
    case 'bar':
      return <rect class={`bar ${shape.status}`} x={shape.x} y={top} width={shape.width} height={bar} rx={2} />;
    case 'call':
      return <rect class="call" x={shape.x} y={top + bar - call - 1} width={shape.width} height={call} />;
    case 'critical':
      return (
        <rect class="critical" x={shape.x} y={isStep ? top + bar : height - PATH} width={shape.width} height={PATH} />
      );
    case 'ground':
      return <rect class="phase-ground" x={shape.x} y={2} width={shape.width} height={height - 5} rx={2} />;
    case 'planning':
      return <rect class="planning" x={shape.x} y={2} width={shape.width} height={height - 5} />;
    case 'area':
      return <path class={`area-${shape.of}`} d={shape.path} />;
    case 'mark':
      return <Mark mark={shape} height={height} />;
    case 'text':
      return (
        <text class={`tone-${shape.tone}`} x={shape.x} y={middle + 4} text-anchor={shape.anchor}>
          {shape.text}
        </text>
      );
  }
}

const glyphs = { failed: '✗', replan: '⟲', gate: '◆' } as const;

/** In a row of one line a failure is a stroke, because a disk would hide the work. */
function Mark({ mark: { of, x, count, step }, height }: { readonly mark: MarkShape; readonly height: number }) {
  if (height < 20) {
    if (of === 'failed')
      return <rect class="mark failed" data-step={step} x={x - 1.5} y={2} width={3} height={height - 5} />;
    return (
      <text class={`mark-${of}`} data-step={step} x={x} y={height - 4} text-anchor="middle">
        {glyphs[of]}
      </text>
    );
  }
  const text = count > 1 ? `${glyphs[of]}${count}` : glyphs[of];
  const wide = 14 + 6 * (text.length - 1);
  return (
    <g class={`mark ${of}`} data-step={step}>
      <rect x={x - 7} y={2} width={wide} height={14} rx={of === 'failed' ? 7 : 3} />
      <text x={x - 7 + wide / 2} y={12.5} text-anchor="middle">
        {text}
      </text>
    </g>
  );
}
