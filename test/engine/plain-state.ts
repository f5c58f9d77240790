// A run's state in a form that tests can compare.
import type { RunState } from '../../src/engine/state/state.ts';
import { predecessors, successors } from '../../src/graph/plan-graph.ts';

export function plain(state: RunState): unknown {
  const { graph, template, consequences: _, steps, ledger, ...rest } = state;
  return {
    ...rest,
    capabilities: template.capabilities,
    edges: [...steps.keys()].map((id) => [predecessors(graph, id), successors(graph, id)]),
    steps: [...steps.values()],
    accounts: [...ledger.accounts.values()].map(({ parent, ...account }) => ({
      ...account,
      parent: parent?.id,
    })),
  };
}
