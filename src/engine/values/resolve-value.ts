// Fills in the references of a step's values and evaluates its expressions.
import { type Failure, failure } from '../../base/failure.ts';
import { issue } from '../../base/issue.ts';
import { defined, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { compileCached } from '../../lisp/compile-cached.ts';
import { type RunOptions, run } from '../../lisp/run.ts';
import { toJson } from '../../lisp/to-json.ts';
import { interpolate } from '../../template/interpolate.ts';
import type { Expression } from '../../template/references.ts';
import { type ReferenceRoot, valueAt } from '../../template/references.ts';
import { convergenceRecord } from '../record/convergence.ts';
import { valueIn } from '../record/stored-value.ts';
import type { Batch } from '../state/batch.ts';
import type { RunView } from '../state/run-view.ts';
import type { Step } from '../state/state.ts';
import { dataOwnerOf, dependsOf, resultNamed, resultsOf, runRecord } from './bindings.ts';
import { rollingSummary } from './rolling-summary.ts';

export type Resolved = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly failure: Failure };

type Sight = Pick<Batch, 'values'> & { readonly state: RunView } & Partial<Pick<Batch, 'countTokens'>>;

/** `step` is absent for the output of the run, which reads every step. */
export function resolveValue(sight: Sight, step: Step | undefined, value: Json): Resolved {
  const filled = interpolate(
    value,
    (root, path) => lookUp(sight, step, root, path),
    (expression) => asResult(evaluate(sight, step, expression)),
    sight.state.template.limits.resultBytes,
  );
  if (filled.ok) return filled;
  const [first] = filled.error;
  const message = filled.error.map((each) => each.message).join('; ');
  return {
    ok: false,
    failure: failure(first?.code ?? 'REFERENCE_UNRESOLVED', message, { retry: 'never', issues: filled.error }),
  };
}

type ResolvedText = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly failure: Failure };

/** A text for planners or people; other values are shown as JSON. */
export function resolveText(sight: Sight, step: Step, text: string): ResolvedText {
  const resolved = resolveValue(sight, step, text);
  if (!resolved.ok) return resolved;
  const { value } = resolved;
  return { ok: true, value: typeof value === 'string' ? value : JSON.stringify(value) };
}

function lookUp(sight: Sight, step: Step | undefined, root: ReferenceRoot, path: readonly string[]): Json | undefined {
  switch (root) {
    case 'input':
      return valueAt(valueIn(sight.state.input, sight.values), path);
    case 'results': {
      const [name = '', ...rest] = path;
      return valueAt(resultNamed(sight, step, name), rest);
    }
    case 'depends':
      return step === undefined ? undefined : valueAt(dependsOf(sight, step), path);
    case 'convergence':
      return valueAt(convergenceOf(sight, step), path);
    case 'run':
      return valueAt(runRecord(sight.state), path);
    case 'item':
      return valueAt(itemOf(sight, step), path);
    case 'summary':
      return step === undefined ? undefined : valueAt(rollingSummary(sight, step), path);
  }
}

function convergenceOf({ state }: Sight, step: Step | undefined): Json | undefined {
  const convergence = step && dataOwnerOf(state, step).convergence?.convergence;
  return convergence && (JSON.parse(JSON.stringify(convergenceRecord(convergence))) as Json);
}

/** The item of a fan-out's step. */
function itemOf({ values }: Sight, step: Step | undefined): Json | undefined {
  return step?.item && valueIn(step.item.value, values);
}

/**
 * `more`: bindings beside the usual ones, or in their place. `options`: a clock, allowed only where the outcome is recorded
 * in an event and never evaluated again; all other expressions are limited by fuel alone.
 */
export function evaluate(
  sight: Sight,
  step: Step | undefined,
  { $lisp, place }: Expression,
  more: JsonObject = {},
  options: RunOptions = {},
): Resolved {
  const compiled = compileCached($lisp, defined({ place }));
  if (!compiled.ok) {
    const message = compiled.error.map((each) => each.message).join('; ');
    return {
      ok: false,
      failure: failure(compiled.error[0]?.code ?? 'LISP_PARSE', message, { retry: 'never', issues: compiled.error }),
    };
  }
  const names = compiled.value.bindings;
  const data = Object.fromEntries(
    names.map((name) => [name, ownProperty(more, name) ?? bindingOf(sight, step, name)] as const),
  );
  const bounds = { ...options, limits: { ...sight.state.template.limits.lisp, ...options.limits } };
  const outcome = run(compiled.value, data, bounds);
  if (outcome.ok) {
    const json = toJson(outcome.value, bounds);
    return json.ok
      ? { ok: true, value: json.value }
      : { ok: false, failure: failure(json.error.code, json.error.message, { retry: 'never' }) };
  }
  const { code, message, line, column } = outcome.error;
  return { ok: false, failure: failure(code, `${message} (line ${line}, column ${column})`, { retry: 'never' }) };
}

/** The value of `data/NAME` for a step. */
function bindingOf(sight: Sight, step: Step | undefined, name: string): Json {
  switch (name) {
    case 'input':
      return valueIn(sight.state.input, sight.values) ?? null;
    case 'run':
      return runRecord(sight.state);
    case 'results':
      return resultsOf(sight, step);
    case 'depends':
      return step === undefined ? {} : dependsOf(sight, step);
    case 'convergence':
      return convergenceOf(sight, step) ?? null;
    case 'item':
      return itemOf(sight, step) ?? null;
    default:
      return null;
  }
}

function asResult(resolved: Resolved): Result<Json> {
  return resolved.ok ? good(resolved.value) : bad([issue(resolved.failure.code, resolved.failure.message)]);
}
