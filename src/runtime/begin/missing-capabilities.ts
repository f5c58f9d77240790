// Finds the capabilities that an unfinished run needs and that its sources no longer offer.
import { type Issue, issue } from '../../base/issue.ts';
import type { Registry } from '../../capabilities/registry.ts';
import { isTerminal, type RunState } from '../../engine/state/state.ts';
import { nameOfSource } from '../../template/keys/source.ts';

/** CAPABILITY_GONE for capabilities of unfinished steps and, while a planning step is unfinished, for all that the template grants. */
export function missingCapabilities(registry: Registry, { steps, template, registered }: RunState): readonly Issue[] {
  const unfinished = [...steps.values()].filter((step) => !isTerminal(step)).map(({ spec }) => spec);
  const called = unfinished.flatMap(({ capability, planning }) => [
    ...(capability === undefined ? [] : [capability]),
    ...(planning?.planner?.kind === 'capability' ? [planning.planner.name] : []),
  ]);
  const granted = unfinished.some(({ type }) => type === 'planning') ? Object.keys(template.capabilities) : [];
  const gone = [...new Set([...called, ...granted])].filter(
    (name) => registry.get(name) === undefined && !registered.has(name),
  );
  return gone.sort().map((name) =>
    issue(
      'CAPABILITY_GONE',
      `the run began with capability "${name}", which is no longer in ${template.sources.map(nameOfSource).join(', ')}`,
      {
        hint: `put it back, or start anew: reconverge run ${template.file}`,
      },
    ),
  );
}
