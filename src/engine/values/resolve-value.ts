// Fills in the references of a step's values and evaluates its expressions.
import { type Failure, failure } from '../../base/failure.ts';
import { issue } from '../../base/issue.ts';
import { defined, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { compileCached } from '../../lisp/compile-cached.ts';
import { type RunOptions, run as runLisp } from '../../lisp/run.ts';
import { toJson } from '../../lisp/to-json.ts';
import { interpolate } from '../../template/interpolate.ts';
import type { Expression } from '../../template/references.ts';
import { type ReferenceRoot, valueAt } from '../../template/references.ts';
import { convergenceRecord } from '../record/convergence.ts';
import { valueIn } from '../record/stored-value.ts';
import type { ReadableRun } from '../state/run-view.ts';
import type { Step } from '../state/state.ts';
import { dataOwnerOf, dependsOf, resultNamed, resultsOf, runRecord } from './bindings.ts';
import { rollingSummary } from './rolling-summary.ts';

/** `step` is absent for the output of the run, which reads every step. */
export function resolveValue(run: ReadableRun, step: Step | undefined, value: Json): Result<Json, Failure> {
  const filled = interpolate(
    value,
    (root, path) => lookUp(run, step, root, path),
    (expression) => withIssues(evaluate(run, step, expression)),
    run.state.template.limits.resultBytes,
  );
  if (filled.ok) return filled;
  const [first] = filled.error;
  const message = filled.error.map((each) => each.message).join('; ');
  return bad(failure(first?.code ?? 'REFERENCE_UNRESOLVED', message, { retry: 'never', issues: filled.error }));
}

/** A text for planners or people; other values are shown as JSON. */
export function resolveText(run: ReadableRun, step: Step, text: string): Result<string, Failure> {
  const resolved = resolveValue(run, step, text);
  if (!resolved.ok) return resolved;
  const { value } = resolved;
  return good(typeof value === 'string' ? value : JSON.stringify(value));
}

function lookUp(
  run: ReadableRun,
  step: Step | undefined,
  root: ReferenceRoot,
  path: readonly string[],
): Json | undefined {
  switch (root) {
    case 'input':
      return valueAt(valueIn(run.state.input, run.values), path);
    case 'results': {
      const [name = '', ...rest] = path;
      return valueAt(resultNamed(run, step, name), rest);
    }
    case 'depends':
      return step === undefined ? undefined : valueAt(dependsOf(run, step), path);
    case 'convergence':
      return valueAt(convergenceOf(run, step), path);
    case 'run':
      return valueAt(runRecord(run.state), path);
    case 'item':
      return valueAt(itemOf(run, step), path);
    case 'summary':
      return step === undefined ? undefined : valueAt(rollingSummary(run, step), path);
  }
}

function convergenceOf({ state }: ReadableRun, step: Step | undefined): Json | undefined {
  const convergence = step && dataOwnerOf(state, step).convergence?.convergence;
  return convergence && (JSON.parse(JSON.stringify(convergenceRecord(convergence))) as Json);
}

/** The item of a fan-out's step. */
function itemOf({ values }: ReadableRun, step: Step | undefined): Json | undefined {
  return step?.item && valueIn(step.item.value, values);
}

/**
 * `more`: bindings beside the usual ones, or in their place. `options`: a clock, allowed only where the outcome is recorded
 * in an event and never evaluated again; all other expressions are limited by fuel alone.
 */
export function evaluate(
  run: ReadableRun,
  step: Step | undefined,
  { $lisp, place }: Expression,
  more: JsonObject = {},
  options: RunOptions = {},
): Result<Json, Failure> {
  const compiled = compileCached($lisp, defined({ place }));
  if (!compiled.ok) {
    const message = compiled.error.map((each) => each.message).join('; ');
    const code = compiled.error[0]?.code ?? 'LISP_PARSE';
    return bad(failure(code, message, { retry: 'never', issues: compiled.error }));
  }
  const names = compiled.value.bindings;
  const data = Object.fromEntries(
    names.map((name) => [name, ownProperty(more, name) ?? bindingOf(run, step, name)] as const),
  );
  const bounds = { ...options, limits: { ...run.state.template.limits.lisp, ...options.limits } };
  const outcome = runLisp(compiled.value, data, bounds);
  if (outcome.ok) {
    const json = toJson(outcome.value, bounds);
    return json.ok ? json : bad(failure(json.error.code, json.error.message, { retry: 'never' }));
  }
  const { code, message, line, column } = outcome.error;
  return bad(failure(code, `${message} (line ${line}, column ${column})`, { retry: 'never' }));
}

/** The value of `data/NAME` for a step. */
function bindingOf(run: ReadableRun, step: Step | undefined, name: string): Json {
  switch (name) {
    case 'input':
      return valueIn(run.state.input, run.values) ?? null;
    case 'run':
      return runRecord(run.state);
    case 'results':
      return resultsOf(run, step);
    case 'depends':
      return step === undefined ? {} : dependsOf(run, step);
    case 'convergence':
      return convergenceOf(run, step) ?? null;
    case 'item':
      return itemOf(run, step) ?? null;
    default:
      return null;
  }
}

function withIssues(resolved: Result<Json, Failure>): Result<Json> {
  return resolved.ok ? resolved : bad([issue(resolved.error.code, resolved.error.message)]);
}
