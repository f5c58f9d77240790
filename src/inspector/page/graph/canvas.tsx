// The graph of the run: it can be dragged and zoomed, and draws only the visible part.
import { useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Box, edgeKey } from '../../../view/graph/geometry.ts';
import type { Layout } from '../../../view/graph/layout.ts';
import type { Band, Scene } from '../../../view/graph/scene.ts';
import { GraftPath } from '../parts/graft-mark.tsx';
import { go, place } from '../state/place.ts';
import { found } from '../state/search.ts';
import { walk } from './arrow-keys.ts';
import { CardShape, cut } from './card.tsx';
import { isLayingOut, layout, scene, turn } from './layout-state.ts';
import { followMouse } from './mouse.ts';
import { type Camera, createCamera, type Drawn, meets } from './viewport.ts';

export function Canvas() {
  const frame = useRef<HTMLDivElement>(null);
  const moved = useRef<SVGSVGElement>(null);
  const [camera] = useState(createCamera);

  useEffect(() => {
    if (frame.current === null || moved.current === null) return;
    const detach = camera.attach(frame.current, moved.current);
    const release = followMouse(frame.current, camera, choose);
    return () => {
      release();
      detach();
    };
  }, [camera]);

  // Keeps a growing graph in view until a person moves it.
  useSignalEffect(() => {
    const laid = layout.value;
    if (laid !== undefined && !camera.isHeld) camera.fit(laid.whole);
  });
  useSignalEffect(() => {
    const { step } = place.value;
    const box = step === undefined ? undefined : layout.value?.boxes.get(scene.peek()?.cardOf.get(step) ?? step);
    if (box !== undefined) camera.reveal(box);
  });

  return (
    <div
      class="canvas"
      ref={frame}
      tabIndex={0}
      role="application"
      aria-label="Graph of the run"
      onKeyDown={(event) => walk(event, camera)}
    >
      <svg class="moved" ref={moved} width="1" height="1" aria-hidden="false">
        <title>Steps and their dependencies</title>
        <Drawing camera={camera} />
      </svg>
      {isLayingOut.value && layout.value === undefined && <p class="hint">laying out …</p>}
      <ZoomBar camera={camera} />
    </div>
  );
}

function choose(id: string): void {
  const card = scene.peek()?.cards.find((each) => each.id === id);
  if (card !== undefined && card.holds > 1) turn(card.id, false);
  else go({ step: id, gate: undefined });
}

function Drawing({ camera }: { readonly camera: Camera }) {
  const [now, laid] = [scene.value, layout.value];
  if (now === undefined || laid === undefined) return null;
  const drawn = camera.drawn.value;
  const chosen = now.cardOf.get(place.value.step ?? '');
  const hits = found.value;
  return (
    <>
      {bandsOf(now, laid).map(
        ({ band, box, depth }) => meets(box, drawn) && <BandShape key={band.id} band={band} box={box} depth={depth} />,
      )}
      <Lines now={now} laid={laid} drawn={drawn} />
      {now.cards.map((card) => {
        const box = laid.boxes.get(card.id);
        if (box === undefined || !meets(box, drawn)) return null;
        const isFaint = hits !== undefined && !hits.cards.has(card.id);
        const { detail } = drawn;
        return (
          <CardShape
            key={card.id}
            card={card}
            box={box}
            detail={detail}
            isChosen={card.id === chosen}
            isFaint={isFaint}
          />
        );
      })}
    </>
  );
}

interface LinesProps {
  readonly now: Scene;
  readonly laid: Layout;
  readonly drawn: Drawn;
}

/** The layout may belong to a later moment; steps that do not exist yet are not drawn. */
function Lines({ now, laid, drawn }: LinesProps) {
  const edges = useMemo(() => new Map(now.edges.map((edge) => [edgeKey(edge.from, edge.to), edge])), [now]);
  const bands = useMemo(() => new Set(now.bands.map(({ id }) => id)), [now]);
  return (
    <g class="lines">
      {laid.lines.map(({ from, to, path, box }) => {
        if (!meets(box, drawn)) return null;
        const key = edgeKey(from, to);
        const edge = edges.get(key);
        if (edge === undefined && !bands.has(from) && !bands.has(to)) return null;
        const state = edge?.untravelled ? ' untravelled' : '';
        return <path key={key} class={`line ${edge?.kind ?? ''}${state}`} d={path} />;
      })}
    </g>
  );
}

function bandsOf({ bands }: Scene, { boxes }: Layout) {
  const within = new Map(bands.map((band) => [band.id, band.within]));
  const depthOf = (id: string | undefined): number => (id === undefined ? -1 : 1 + depthOf(within.get(id)));
  return bands
    .flatMap((band) => {
      const box = boxes.get(band.id);
      return box === undefined ? [] : [{ band, box, depth: depthOf(band.id) }];
    })
    .sort((one, other) => one.depth - other.depth);
}

/** The width of one letter of a title. */
const LETTER = 7.5;

/** A band around the steps of one plan, or around the items of a fan-out. A click on its head folds the band. */
function BandShape({ band, box, depth }: { readonly band: Band; readonly box: Box; readonly depth: number }) {
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

function ZoomBar({ camera }: { readonly camera: Camera }) {
  const zoom = (factor: number) => (): void => {
    camera.isHeld = true;
    camera.zoomBy(factor);
  };
  const fit = (): void => {
    camera.isHeld = false;
    if (layout.value !== undefined) camera.fit(layout.value.whole);
  };
  return (
    <div class="zoom-bar">
      <button type="button" onClick={zoom(1.3)} aria-label="Zoom in" data-key="zoom-in">
        +
      </button>
      <button type="button" onClick={zoom(1 / 1.3)} aria-label="Zoom out" data-key="zoom-out">
        −
      </button>
      <button type="button" onClick={fit} aria-label="Show the whole graph" data-key="fit">
        fit
      </button>
    </div>
  );
}
