// The graph on a small screen: a list of phases and single steps, in the order of the chain. A tap opens a phase.
import { useEffect, useRef, useState } from 'preact/hooks';
import { drawBlock, phaseAria } from '../../../view/graph/map/draw-phase.ts';
import { ariaName } from '../../../view/graph/map/draw-step.ts';
import { svgOf } from '../../../view/graph/map/paint-svg.ts';
import { edgeOf, fillOf, inkOf } from '../../../view/graph/map/pen.ts';
import type { Look } from '../../../view/graph/map/shown-graph.ts';
import type { ShownPhase } from '../../../view/phases/phase-tree.ts';
import { statusGlyphs } from '../../../view/phases/status-glyphs.ts';
import { go } from '../state/place.ts';
import { openedPhase, shownTree } from './graph-state.ts';
import { createTextWidth } from './text-width.ts';

/** With more phases three stand in one row. */
const MANY = 40;
const GAP = 10;

export function PhaseList() {
  const list = useRef<HTMLUListElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (list.current === null) return;
    const resized = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    resized.observe(list.current);
    return () => resized.disconnect();
  }, []);
  const graph = shownTree.value;
  const { chain = [], phases } = graph?.tree ?? {};
  const isMany = chain.filter((part) => 'phase' in part).length > MANY;
  const block = isMany ? { width: Math.floor((width - 2 * GAP) / 3), height: 58 } : { width, height: 88 };
  return (
    <ul class="phase-list" ref={list} aria-label="Phases and steps of the run">
      {width > 0 &&
        chain.map((part) => {
          if ('steps' in part) return part.steps.map((id) => <SingleStep key={id} id={id} />);
          const phase = phases?.get(part.phase);
          return phase === undefined ? null : <PhaseRow key={part.phase} phase={phase} {...block} />;
        })}
    </ul>
  );
}

function SingleStep({ id }: { readonly id: string }) {
  const facts = shownTree.value?.stepFacts(id);
  const status = facts?.status;
  if (facts === undefined || status === undefined) return null;
  const style = `background: var(--${fillOf(status)}); border-color: var(--${edgeOf(status)}); color: var(--${inkOf(status)})`;
  return (
    <li class="single">
      <button
        type="button"
        style={style}
        data-card={id}
        data-status={status}
        aria-label={ariaName(facts)}
        onClick={() => go({ step: id, gate: undefined })}
      >
        {statusGlyphs[status]} {facts.name}
      </button>
    </li>
  );
}

const widthOf = createTextWidth();
const plain: Look = {
  camera: { x: 0, y: 0, scale: 1 },
  width: 0,
  height: 0,
  margin: 0,
  level: 'far',
  chosen: undefined,
  cursor: undefined,
  related: undefined,
  found: undefined,
  widthOf,
};

interface PhaseRowProps {
  readonly phase: ShownPhase;
  readonly width: number;
  readonly height: number;
}

function PhaseRow({ phase, width, height }: PhaseRowProps) {
  const graph = shownTree.value;
  if (graph === undefined) return null;
  const facts = graph.phaseFacts(phase);
  const block = drawBlock(graph, phase, { x: 1, y: 1, width: width - 2, height }, plain, false);
  const picture = svgOf({ camera: plain.camera, level: 'far', things: [{ ...block, kind: 'frame' }] });
  return (
    <li>
      <button
        type="button"
        class="phase-row"
        data-phase={phase.planner}
        aria-label={phaseAria(phase, facts)}
        onClick={() => {
          openedPhase.value = phase.planner;
        }}
      >
        <svg width={width} height={block.box.height + 2} aria-hidden="true">
          <title>{phase.title}</title>
          <g dangerouslySetInnerHTML={{ __html: picture }} />
        </svg>
      </button>
    </li>
  );
}
