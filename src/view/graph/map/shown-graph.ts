// A graph at a moment, and the way a person looks at it: everything that a display list is made of.
import type { PhaseTree, ShownPhase } from '../../phases/phase-tree.ts';
import type { ShownStatus, StatusCounts } from '../../phases/shown-status.ts';
import type { Camera, Level, TextWidth } from './display-list.ts';
import type { Footprint } from './footprint.ts';

export interface StepFacts {
  readonly name: string;
  /** Undefined: the step was not planned yet at this moment. */
  readonly status: ShownStatus | undefined;
  /** `1.4s`; undefined before the first attempt. */
  readonly time?: string;
  readonly tries: number;
  /** `1.0¢`; undefined without a cost. */
  readonly cost?: string;
  /** A replan kept the work of another step. */
  readonly kept?: true;
}

export interface PhaseFacts {
  readonly counts: StatusCounts;
  /** Undefined before the phase has begun. */
  readonly time?: string;
  readonly cost?: string;
}

/** The facts of the moment. */
export interface GraphFacts {
  stepFacts(id: string): StepFacts;
  phaseFacts(phase: ShownPhase): PhaseFacts;
}

/** The structure is that of the whole run; facts are those of the moment. */
export interface ShownGraph extends GraphFacts {
  readonly footprint: Footprint;
  readonly tree: PhaseTree;
  readonly needs: ReadonlyMap<string, readonly string[]>;
}

export interface Look {
  readonly camera: Camera;
  /** The visible size, without the margin. */
  readonly width: number;
  readonly height: number;
  /** Things within this distance of the visible part are drawn too. */
  readonly margin: number;
  readonly level: Level;
  /** The chosen step or phase. */
  readonly chosen: string | undefined;
  /** The step or phase under the keyboard's cursor. */
  readonly cursor: string | undefined;
  /** The chosen step, all that it needs, and all that needs it; undefined: nothing is chosen. */
  readonly related: ReadonlySet<string> | undefined;
  /** The steps that a search found; undefined: no search. */
  readonly found: ReadonlySet<string> | undefined;
  readonly widthOf: TextWidth;
}

/** Cards are drawn from 96 px on, cells from 20 px on. A level is left a little later than it was entered. */
export function levelFor(card: number, before: Level | undefined): Level {
  const near = before === 'near' ? 90 : 96;
  const middle = before === 'far' ? 20 : 18.5;
  return card >= near ? 'near' : card >= middle ? 'middle' : 'far';
}

/** The chosen step with everything before and behind it. */
export function relatedTo(needs: ReadonlyMap<string, readonly string[]>, step: string): ReadonlySet<string> {
  const uses = new Map<string, string[]>();
  for (const [id, own] of needs)
    for (const need of own) {
      const known = uses.get(need);
      if (known === undefined) uses.set(need, [id]);
      else known.push(id);
    }
  const found = new Set([step]);
  const follow = (next: (id: string) => readonly string[]): void => {
    const stack = [step];
    for (let id = stack.pop(); id !== undefined; id = stack.pop())
      for (const each of next(id))
        if (!found.has(each)) {
          found.add(each);
          stack.push(each);
        }
  };
  follow((id) => needs.get(id) ?? []);
  const before = new Set(found);
  found.clear();
  found.add(step);
  follow((id) => uses.get(id) ?? []);
  return new Set([...before, ...found]);
}
