// The footprint of a run: where each step, phase and block stands. Zooming changes what is drawn, never where.
import type { PhaseTree } from '../../phases/phase-tree.ts';
import type { Box, Size } from '../geometry.ts';

/** A step's card. All lengths of a footprint are in units: a unit is a pixel at scale 1. */
export const STEP: Size = { width: 132, height: 56 };
export const GAP = { x: 20, y: 11 } as const;
/** The margin inside a phase. */
export const PAD = 14;
export const PITCH = { x: STEP.width + GAP.x, y: STEP.height + GAP.y } as const;

/** The structure that a layout depends on; statuses do not matter, except for runs of finished phases. */
export interface Outline {
  readonly tree: PhaseTree;
  /** Direct dependencies of each step. */
  readonly needs: ReadonlyMap<string, readonly string[]>;
  /** Phases of the chain that may fold into one block with their neighbors. */
  readonly foldable: ReadonlySet<string>;
}

/** The inside of a phase. Positions are relative to its corner; the header is not part of `y`. */
export interface PhasePlan {
  readonly key: string;
  readonly width: number;
  /** The height below the header. */
  readonly height: number;
  readonly cells: readonly { readonly id: string; readonly x: number; readonly y: number }[];
  readonly inside: readonly PlacedPlan[];
}

export interface PlacedPlan {
  readonly plan: PhasePlan;
  readonly x: number;
  readonly y: number;
  readonly mends?: string;
}

export interface PlacedPhase {
  readonly key: string;
  readonly box: Box;
  /** 0 for a phase of the chain. */
  readonly depth: number;
  /** The height of the header in units. */
  readonly head: number;
  /** Own steps that have a card. */
  readonly cells: readonly string[];
  /** Keys of the phases and replans inside. */
  readonly inside: readonly string[];
  /** For a replan: the card of the first step that it replaces. */
  readonly mends?: string;
}

/** One block of the chain: a phase, a group of single steps, or a run of finished phases as one block. */
export interface PlacedPart {
  readonly kind: 'phase' | 'steps' | 'fold';
  /** The phase; or the first step or phase of the group. */
  readonly key: string;
  /** The steps of a group, or the phases of a fold. */
  readonly members: readonly string[];
  readonly box: Box;
  readonly row: number;
  /** The single steps stand below each other, each behind the one above. */
  readonly stacked?: true;
}

export interface Footprint extends Size {
  /** The scale at which the footprint fits into the view. */
  readonly fit: number;
  readonly parts: readonly PlacedPart[];
  readonly rows: readonly { readonly y: number; readonly height: number }[];
  readonly rowGap: number;
  /** The box of each card. Steps that have none are headers, or stand inside a fold. */
  readonly cells: ReadonlyMap<string, Box>;
  readonly phases: ReadonlyMap<string, PlacedPhase>;
  /** Direct dependencies between parts, by index, without those that follow from others. */
  readonly links: readonly (readonly [from: number, to: number])[];
}

/** The box of a step: its card, the header of its phase, or the fold that holds it. */
export function boxOf({ cells, phases, parts }: Footprint, { phases: known, phaseOf }: PhaseTree, step: string) {
  const cell = cells.get(step);
  if (cell !== undefined) return cell;
  for (let key = phaseOf.get(step); key !== undefined; key = known.get(key)?.within) {
    const phase = phases.get(key);
    if (phase !== undefined) return { ...phase.box, height: Math.min(phase.box.height, phase.head) };
    const fold = parts.find(({ kind, members }) => kind === 'fold' && members.includes(key ?? ''));
    if (fold !== undefined) return fold.box;
  }
  return undefined;
}
