// The input of a run: checked against the template's contract when the run starts, and read from the journal later.
import { issue } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { contractOf } from '../../contract/contract.ts';
import { withDefaults } from '../../contract/defaults.ts';
import type { RunState } from '../../engine/state/state.ts';
import { resolveValue } from '../../engine/values/resolve-value.ts';
import type { Journal } from '../../store/journal.ts';
import type { Template } from '../../template/template.ts';

export function acceptInput(template: Template, input: Json): Result<Json> {
  if (template.input === undefined) return good(input);
  const checked = contractOf(template.input).check(withDefaults(template.input, input));
  if (checked.ok) return good(checked.value);
  return bad(
    checked.error.map(({ path, message }) =>
      issue('INPUT_INVALID', `the run's input: ${message}`, {
        path: ['input', ...path],
        hint: `give it with --input ${path[0] ?? 'KEY'}=VALUE, or the whole input with --input @FILE.json`,
      }),
    ),
  );
}

export function inputOf(state: RunState, journal: Journal): Json {
  const { input } = state;
  return 'value' in input ? input.value : (JSON.parse(journal.blob(input.digest) ?? 'null') as Json);
}

/** The folders that file capabilities may use, with references to the run's input filled in. */
export function rootsOf(state: RunState, input: Json): readonly string[] {
  const seen: RunState = { ...state, input: { value: input } };
  const roots = resolveValue({ state: seen, values: new Map() }, undefined, [...state.template.roots]);
  return roots.ok && Array.isArray(roots.value)
    ? roots.value.filter((root): root is string => typeof root === 'string')
    : [];
}
