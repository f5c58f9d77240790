// Lists the sensitive values that a model would see at a step: in its input, from its tools, or in a result to judge.
import type { JsonObject } from '../../base/json.ts';
import { holdsSensitive, isSensitiveAt } from '../../contract/sensitive.ts';
import { resultOf } from '../../template/check/producers.ts';
import { referencesOf, type StepReference } from '../../template/step-references.ts';
import type { Purpose } from '../record/step-events.schema.ts';
import type { RunState, Step } from '../state/state.ts';
import { dataOwnerOf, dependenciesOf } from './bindings.ts';
import { outputOf } from './check-result.ts';

/** The places of sensitive values: `results.get.ssn`, `input.card`, `person.find`. Sorted, each once. */
export function sensitivePlaces(state: RunState, step: Step, purpose: Purpose): readonly string[] {
  const said = referencesOf(step.spec).references.filter(({ at }) => at[0] === 'input');
  const places = [
    ...said.filter((use) => isSensitive(state, step, use)).map(({ root, path }) => [root, ...path].join('.')),
    ...step.calls.flatMap(({ kind, name, outcome }) =>
      kind === 'capability' &&
      outcome !== undefined &&
      'value' in outcome &&
      hasSensitive(state.template.capabilities[name]?.output)
        ? [name]
        : [],
    ),
    ...(purpose === 'judge' && hasSensitive(outputOf(state, step)) ? [`the result of ${step.id}`] : []),
  ];
  return [...new Set(places)].sort();
}

function hasSensitive(schema: JsonObject | undefined): boolean {
  return schema !== undefined && holdsSensitive(schema);
}

function isSensitive(state: RunState, step: Step, { root, path }: Pick<StepReference, 'root' | 'path'>): boolean {
  const { template } = state;
  const user = dataOwnerOf(state, step);
  switch (root) {
    case 'input':
      return template.input !== undefined && isSensitiveAt(template.input, path);
    case 'results':
    case 'depends': {
      const [name, ...rest] = path;
      if (name === undefined)
        return dependenciesOf(state, user).some(([, each]) => hasSensitive(contractOf(state, each)));
      const schema = contractOf(state, state.steps.get(user.refs?.[name] ?? name));
      return schema !== undefined && isSensitiveAt(schema, rest);
    }
    case 'item':
      return referencesOf(user.spec).references.some(
        (use) => use.at[0] === 'for_each' && isSensitive(state, user, use),
      );
    case 'summary':
    case 'run':
    case 'convergence':
      return false;
  }
}

/** The declared contract of a step's result. */
function contractOf(state: RunState, step: Step | undefined): JsonObject | undefined {
  return step && (outputOf(state, step) ?? resultOf(step.spec, state.template.capabilities));
}
