// The rolling summary of the results before a step: each step adds its result to the summary before it.
import { defined, type Json } from '../../base/json.ts';
import { type ConversationSummary, type ConversationTurn, compact, nothingYet } from '../../context/compactor.ts';
import { resultOf } from '../../template/check/producers.ts';
import { referencesOf } from '../../template/step-references.ts';
import type { StoredValue } from '../record/event-parts.schema.ts';
import { type LoadedValues, valueIn } from '../record/stored-value.ts';
import type { ReadableRun, RunView } from '../state/run-view.ts';
import type { Step } from '../state/state.ts';
import { dataOwnerOf, dependenciesOf } from './bindings.ts';

/** A summary and the number of its steps. It is computed again from the results when it is not remembered. */
interface SummarizedSteps {
  readonly steps: number;
  readonly summary: ConversationSummary;
}

/** By the last step of the summary: in a chain of steps each adds to the summary of the one before. */
const remembered = new WeakMap<Step, SummarizedSteps>();

/** Undefined if results are not loaded, or if there is no tokenizer. */
export function rollingSummary(run: ReadableRun, step: Step): Json | undefined {
  const { state, values, countTokens } = run;
  const { known, rest } = splitKnown(state, step);
  if (rest.length === 0) return known.summary.body;
  if (countTokens === undefined) return undefined;
  let { steps, summary } = known;
  for (const each of rest) {
    const turn = turnOf(state, each, values);
    const next = turn && compact(summary, turn, { maxTokens: state.template.context.maxTokens, countTokens });
    if (next === undefined || !next.ok) return undefined;
    summary = next.value;
    steps += 1;
    remembered.set(each, { steps, summary });
  }
  return summary.body;
}

/** The kept results that the summary reads. */
export function keptForSummary(state: RunView, step: Step): readonly StoredValue[] {
  if (!referencesOf(step.spec).references.some(({ root }) => root === 'summary')) return [];
  return splitKnown(state, step).rest.flatMap(({ result }) => result ?? []);
}

/** The longest remembered summary of the steps before a step, and the steps that it does not cover. */
function splitKnown(state: RunView, step: Step): { readonly known: SummarizedSteps; readonly rest: readonly Step[] } {
  const order = stepsBefore(state, dataOwnerOf(state, step));
  for (let at = order.length - 1; at >= 0; at--) {
    const each = order[at];
    const known = each && remembered.get(each);
    if (known?.steps === at + 1) return { known, rest: order.slice(at + 1) };
  }
  return { known: { steps: 0, summary: nothingYet }, rest: order };
}

/** All steps before a step, each behind its own predecessors. */
function stepsBefore(state: RunView, step: Step): readonly Step[] {
  const order: Step[] = [];
  const seen = new Set<Step>([step]);
  const open = [{ step, left: directlyBefore(state, step) }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const next = top.left.shift();
    if (next === undefined) {
      if (top.step !== step) order.push(top.step);
      open.pop();
    } else if (!seen.has(next)) {
      seen.add(next);
      open.push({ step: next, left: directlyBefore(state, next) });
    }
  }
  return order;
}

function directlyBefore(state: RunView, step: Step): Step[] {
  return dependenciesOf(state, step).flatMap(([, each]) => (each.spec.type === 'planning' ? [] : [each]));
}

function turnOf(
  state: RunView,
  { spec, result, failure, skipped }: Step,
  values: LoadedValues,
): ConversationTurn | undefined {
  const value = result === undefined ? unfinished(failure?.message, skipped) : valueIn(result, values);
  if (value === undefined) return undefined;
  const schema = result === undefined ? undefined : resultOf(spec, state.template.capabilities);
  const { keep, elide, sample } = spec.context ?? {};
  return {
    id: spec.name,
    result: value,
    ...defined({ capability: spec.capability, schema, keep, elide, sample }),
  };
}

function unfinished(failed: string | undefined, skipped: string | undefined): Json {
  return failed === undefined ? { skipped: skipped ?? 'not done' } : { failed };
}
