// The graph of a run as data: steps with phases and states, and edges with marks for steps that never ran.
import { defined } from '../../base/json.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import { type Step, type StepStatus, stepOf } from '../../engine/state/state.ts';
import { predecessors } from '../../graph/plan-graph.ts';
import type { StepType } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import { localName, repairsText, standingText } from '../status.ts';
import { edgeKey } from './geometry.ts';

export interface GraphNode {
  readonly id: string;
  readonly name: string;
  readonly type: StepType;
  readonly capability?: string;
  readonly agent?: string;
  /** The last child run. */
  readonly child?: string;
  readonly status: StepStatus;
  /** `skipped (budget)`, `held: g1 approval` */
  readonly text: string;
  /** The planning step that planned it; absent for authored steps. */
  readonly phase?: string;
  /** The fan-out that it is an item of. */
  readonly fanOut?: string;
  /** For a repair: the failed steps that it mends; empty if the whole phase failed. */
  readonly repairs?: readonly string[];
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** `converges`: from a planning step to its convergence target. */
  readonly kind: 'waits' | 'converges';
  /** One of its ends never ran. */
  readonly untravelled: boolean;
}

interface GraphPhase {
  readonly planner: string;
  readonly target: string;
  /** The phase of its planning step. */
  readonly within?: string;
}

interface GraphFanOut {
  readonly step: string;
  readonly items: number;
  /** The phase of the fan-out. */
  readonly within?: string;
}

export interface RunGraph {
  readonly title: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly phases: readonly GraphPhase[];
  readonly fanOuts: readonly GraphFanOut[];
}

export function graphOfRun(state: RunView): RunGraph {
  const steps = [...state.steps.values()];
  return {
    title: state.template.name,
    nodes: steps.map((step) => nodeOf(state, step)),
    edges: steps.flatMap((step) => edgesInto(state, step)),
    phases: [...state.phases.values()].map(({ planner, target }) => {
      const within = stepOf(state, planner).provenance?.planner;
      return { planner, target, ...defined({ within }) };
    }),
    fanOuts: steps.flatMap(({ id, expanded, provenance }) => {
      if (expanded === undefined || expanded.length === 0) return [];
      return [{ step: id, items: expanded.length, ...defined({ within: provenance?.planner }) }];
    }),
  };
}

/** The authored steps, before anything has run. */
export function graphOfTemplate({ name, steps }: Template): RunGraph {
  const targets = new Set(
    steps.flatMap(({ name: from, planning }) => (planning?.target === undefined ? [] : [`${from} ${planning.target}`])),
  );
  return {
    title: name,
    nodes: steps.map(({ name: id, type, capability }) => ({
      id,
      name: id,
      type,
      ...defined({ capability }),
      status: 'waiting',
      text: 'waiting',
    })),
    edges: steps.flatMap(({ name: to, dependencies }) =>
      dependencies.map(
        (from) =>
          ({ from, to, kind: targets.has(`${from} ${to}`) ? 'converges' : 'waits', untravelled: false }) as const,
      ),
    ),
    phases: [],
    fanOuts: [],
  };
}

function nodeOf(state: RunView, step: Step): GraphNode {
  const { id, spec, status, provenance, item, repairs } = step;
  return {
    id,
    name: localName(id),
    type: spec.type,
    ...defined({
      capability: spec.capability,
      agent: spec.agent?.name,
      child: step.child,
    }),
    status,
    text: standingText(state, step),
    ...defined({
      phase: provenance?.planner,
      fanOut: item?.of,
      repairs: repairs?.failing,
    }),
  };
}

/** The work of a node in a word or two. */
export function workText({ type, capability, child, repairs }: GraphNode): string {
  if (repairs !== undefined) return repairsText(repairs);
  const work = capability ?? type;
  return child === undefined ? work : `${work}: run ${child}`;
}

function edgesInto(state: RunView, to: Step): GraphEdge[] {
  return predecessors(state.graph, to.id).map((id) => {
    const from = stepOf(state, id);
    return {
      from: id,
      to: to.id,
      kind: from.target === to.id ? 'converges' : 'waits',
      untravelled: wasPassedOver(from) || wasPassedOver(to),
    };
  });
}

/** A tolerated step did run. */
function wasPassedOver({ status, skipped }: Step): boolean {
  return status === 'cancelled' || status === 'superseded' || (status === 'skipped' && skipped !== 'tolerated');
}

/** Keeps one edge between two ends; the edge is untravelled only if all of them were. */
export function mergedEdges(edges: readonly GraphEdge[]): readonly GraphEdge[] {
  const found = new Map<string, GraphEdge>();
  for (const edge of edges) {
    const key = edgeKey(edge.from, edge.to);
    const before = found.get(key);
    if (before === undefined || before.untravelled) found.set(key, edge);
  }
  return [...found.values()];
}
