// The graft: the steps and edges that an accepted fragment adds to the living graph.

import type { Digest } from '../base/digest.ts';
import { present } from '../base/fault.ts';
import { defined } from '../base/json.ts';
import type { Intents } from '../goals/intent.ts';
import type { StepSpec } from '../template/step-spec.ts';
import type { Fragment } from './fragment.ts';
import type { Frame } from './frame.ts';
import { producerNamed } from './names-outside.ts';
import { namesUsedBy } from './names-used.ts';
import { nestedTarget, type Wiring, wiringOf } from './wiring.ts';

export interface GraftedStep {
  /** For example `plan_recon.1/sniff_orders`. */
  readonly id: string;
  readonly spec: StepSpec;
  /** Full ids; a step without dependencies in the fragment depends on the planning step. */
  readonly dependencies: readonly string[];
  /** The full id for each name that the step's dependencies and references use. */
  readonly refs?: Readonly<Record<string, string>>;
  /** The length of the fragment's longest chain up to this step; 1 for first steps. */
  readonly depth: number;
  /** For a nested planning step: full id of its convergence target. */
  readonly target?: string;
}

export interface Graft {
  readonly planner: string;
  readonly target: string;
  readonly digest: Digest;
  readonly rationale: string;
  readonly intents?: Intents;
  readonly steps: readonly GraftedStep[];
  /** Full ids of the fragment's last steps, which are wired to the target. */
  readonly terminals: readonly string[];
}

/** Takes only a fragment that the review accepted in this frame, so it is acyclic and every name is known. */
export function graftOf({ steps, digest, rationale, intents }: Fragment, frame: Frame): Graft {
  const { planner, target } = frame;
  const wiring = wiringOf(steps);
  const terminals = steps.filter(({ name }) => wiring.dependents.get(name)?.length === 0);
  return {
    planner,
    target,
    digest,
    rationale,
    ...defined({ intents }),
    steps: steps.map((step) => grafted(step, wiring, frame)),
    terminals: terminals.map(({ name }) => idOf(name, frame)),
  };
}

function grafted(spec: StepSpec, wiring: Wiring, frame: Frame): GraftedStep {
  const { name, dependencies, type } = spec;
  const meaning = (used: string) =>
    wiring.byName.has(used) ? idOf(used, frame) : present(producerNamed(used, frame), `a producer named ${used}`).id;
  const refs = Object.fromEntries([...namesUsedBy(spec)].map((used) => [used, meaning(used)] as const));
  const isFirst = wiring.inner.get(name)?.length === 0;
  const after = new Set([...(isFirst ? [frame.planner] : []), ...dependencies.map(meaning)]);
  const target = type === 'planning' ? nestedTarget(spec, wiring) : undefined;
  return {
    id: idOf(name, frame),
    spec,
    dependencies: [...after],
    ...(Object.keys(refs).length === 0 ? {} : { refs }),
    depth: wiring.depth.get(name) ?? 1,
    ...(type === 'planning' ? { target: target === undefined ? frame.target : idOf(target, frame) } : {}),
  };
}

function idOf(name: string, { prefix }: Frame): string {
  return `${prefix}/${name}`;
}
