// The minimap: the whole run in small, with the part that is in view. It appears when the whole is larger than the view.
import { useMemo, useRef } from 'preact/hooks';
import type { Size } from '../../../view/graph/geometry.ts';
import { MINIMAP, partInView } from '../../../view/graph/map/camera-moves.ts';
import type { PlacedPart } from '../../../view/graph/map/footprint.ts';
import { edgeOf, fillOf } from '../../../view/graph/map/pen.ts';
import type { ShownGraph } from '../../../view/graph/map/shown-graph.ts';
import { cameraNow } from './picture.ts';

/** The width of the line around the part that is in view, as in the style sheet. */
const FRAME = 2.5;

interface Props {
  readonly graph: ShownGraph;
  readonly view: () => Size;
  /** Moves the view's center to this point of the map. */
  readonly onMove: (x: number, y: number) => void;
}

export function Minimap({ graph, view, onMove }: Props) {
  const picture = useRef<SVGSVGElement>(null);
  const { width, height } = graph.footprint;
  const scale = Math.min(MINIMAP.width / width, MINIMAP.height / height);
  // The marks do not change while the camera moves.
  const marks = useMemo(() => marksOf(graph, scale), [graph, scale]);
  const move = ({ clientX, clientY }: PointerEvent): void => {
    const corner = picture.current?.getBoundingClientRect();
    if (corner !== undefined) onMove((clientX - corner.left) / scale, (clientY - corner.top) / scale);
  };
  return (
    <div class="minimap" aria-hidden="true">
      <svg
        ref={picture}
        width={width * scale}
        height={height * scale}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          move(event);
        }}
        onPointerMove={(event) => {
          if (event.buttons === 1) move(event);
        }}
      >
        <title>Minimap</title>
        {marks}
        <SeenPart whole={graph.footprint} view={view} scale={scale} />
      </svg>
    </div>
  );
}

/** Single steps in the color of their status, and phases with their numbers. */
function marksOf(graph: ShownGraph, scale: number) {
  const { parts, cells } = graph.footprint;
  return parts.flatMap((part) =>
    part.kind === 'steps'
      ? part.members.flatMap((id) => {
          const cell = cells.get(id);
          const { status } = graph.stepFacts(id);
          if (cell === undefined || status === undefined) return [];
          return [
            <rect
              key={id}
              x={cell.x * scale}
              y={cell.y * scale}
              width={cell.width * scale}
              height={Math.max(2, cell.height * scale)}
              fill={`var(--${fillOf(status)})`}
              stroke={`var(--${edgeOf(status)})`}
              stroke-width="0.5"
            />,
          ];
        })
      : [<PhaseMark key={part.key} graph={graph} part={part} scale={scale} />],
  );
}

/** The part that is in view: it follows the camera alone, and its frame stays inside the minimap. */
function SeenPart({ whole, view, scale }: { readonly whole: Size; readonly view: () => Size; readonly scale: number }) {
  const camera = cameraNow.value;
  const box = partInView(whole, camera, view());
  return (
    <rect
      class="seen"
      x={box.x * scale + FRAME / 2}
      y={box.y * scale + FRAME / 2}
      width={Math.max(0, box.width * scale - FRAME)}
      height={Math.max(0, box.height * scale - FRAME)}
    />
  );
}

function PhaseMark({
  graph,
  part,
  scale,
}: {
  readonly graph: ShownGraph;
  readonly part: PlacedPart;
  readonly scale: number;
}) {
  const { key, kind, box } = part;
  const phase = graph.tree.phases.get(key);
  if (phase === undefined) return null;
  const { counts } = graph.phaseFacts(phase);
  const [x, y, width, height] = [box.x * scale, box.y * scale, box.width * scale, box.height * scale];
  const state =
    kind === 'fold'
      ? ''
      : counts.asks > 0
        ? 'asks'
        : counts.failed > 0
          ? 'failed'
          : counts.running > 0
            ? 'running'
            : '';
  const text = `${phase.number ?? ''}${counts.failed > 0 && width > 38 ? ` ✗${counts.failed}` : ''}`;
  const hasRoom = width > text.length * 6.6 + 5 && height > 13;
  return (
    <g class={`phase phase-${state}`}>
      <rect x={x} y={y} width={width} height={height} />
      {hasRoom && (
        <text x={x + 4} y={y + 11}>
          {text}
        </text>
      )}
    </g>
  );
}
