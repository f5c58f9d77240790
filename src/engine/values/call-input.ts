// The input of a call: settings, overridden by the step's input, overridden by people's answers.
import type { Failure } from '../../base/failure.ts';
import { defined, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { good, type Result } from '../../base/result.ts';
import { isPlain } from '../../template/interpolate.ts';
import { valueIn } from '../record/stored-value.ts';
import type { ReadableRun } from '../state/run-view.ts';
import type { Step } from '../state/state.ts';
import { correctedInput, isAboutAttachment } from './attachments.ts';
import { resultsByName, resultsForAgent, synthesisInput } from './gathered-results.ts';
import { resolveValue } from './resolve-value.ts';

/** Equal for every delivery of an attempt. A call that a person approved is made with the input that the person saw. */
export function callInput(run: ReadableRun, step: Step): Result<Json, Failure> {
  const { spec, people } = step;
  const agreed =
    people?.approved === undefined || spec.capability === undefined ? undefined : valueIn(people.approved, run.values);
  const shown = agreed === undefined ? undefined : ownProperty(agreed, 'input');
  if (shown !== undefined) return good(withAnswers(run, step, shown));
  const input = saidOf(run, step);
  if (!input.ok) return input;
  return good(correctedInput(run, step, withAnswers(run, step, withSettings(spec.initialization, input.value))));
}

/** The step's own input; for a synthesis gate without one, the gathered results. */
function saidOf(run: ReadableRun, step: Step): Result<Json, Failure> {
  const { type, input, agent } = step.spec;
  if (agent !== undefined) return forAgent(run, step);
  if (type === 'synthesis_gate' && input === undefined) return good(synthesisInput(run, step));
  return resolveValue(run, step, input ?? {});
}

/** The input of an agent, with the results that it reads: they are part of the key by which its work may be adopted. */
function forAgent(run: ReadableRun, step: Step): Result<Json, Failure> {
  const { state, values } = run;
  const { input, type } = step.spec;
  const item: Json = defined({
    item: step.item === undefined ? undefined : (valueIn(step.item.value, values) ?? null),
  });
  const said = input === undefined ? good(item) : resolveValue(run, step, input);
  const given = resultsForAgent(state, step);
  if (!said.ok || given === undefined) return said;
  const { results, absent } = resultsByName(given, values);
  const beside = absent.length === 0 && type !== 'synthesis_gate' ? { results } : { results, absent };
  return good(isJsonObject(said.value) ? { ...said.value, ...beside } : { input: said.value, ...beside });
}

/** Whether the input is the same in every run of the template. */
export function isFixed({ spec, people }: Step): boolean {
  if (spec.agent !== undefined || (spec.type === 'synthesis_gate' && spec.input === undefined)) return false;
  return isPlain(spec.input ?? null) && (people?.answers.length ?? 0) === 0;
}

function withSettings(settings: JsonObject | undefined, input: Json): Json {
  if (settings === undefined) return input;
  return isJsonObject(input) ? { ...settings, ...input } : { ...settings, input };
}

function withAnswers({ values }: ReadableRun, { people }: Step, input: Json): Json {
  let sum = input;
  for (const { answer, as } of people?.answers ?? []) {
    if (isAboutAttachment(as)) continue;
    const value = valueIn(answer, values) ?? null;
    const said = isJsonObject(value) ? value : { [as]: value };
    sum = isJsonObject(sum) ? { ...sum, ...said } : { input: sum, ...said };
  }
  return sum;
}
