// The input of a call: settings, overridden by the step's input, overridden by people's answers.
import { defined, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { isPlain } from '../../template/interpolate.ts';
import { valueIn } from '../record/stored-value.ts';
import type { Batch } from '../state/batch.ts';
import type { Step } from '../state/state.ts';
import { correctedInput, isAboutAttachment } from './attachments.ts';
import { resultsByName, resultsForAgent, synthesisInput } from './gathered-results.ts';
import { type Resolved, resolveValue } from './resolve-value.ts';

type Sight = Pick<Batch, 'state' | 'values'> & Partial<Pick<Batch, 'countTokens'>>;

/** Equal for every delivery of an attempt. A call that a person approved is made with the input that the person saw. */
export function callInput(sight: Sight, step: Step): Resolved {
  const { spec, people } = step;
  const agreed =
    people?.approved === undefined || spec.capability === undefined
      ? undefined
      : valueIn(people.approved, sight.values);
  const shown = agreed === undefined ? undefined : ownProperty(agreed, 'input');
  if (shown !== undefined) return { ok: true, value: withAnswers(sight, step, shown) };
  const input = saidOf(sight, step);
  return input.ok
    ? {
        ok: true,
        value: correctedInput(sight, step, withAnswers(sight, step, withSettings(spec.initialization, input.value))),
      }
    : input;
}

/** The step's own input; for a synthesis gate without one, the gathered results. */
function saidOf(sight: Sight, step: Step): Resolved {
  const { type, input, agent } = step.spec;
  if (agent !== undefined) return forAgent(sight, step);
  if (type === 'synthesis_gate' && input === undefined) return { ok: true, value: synthesisInput(sight, step) };
  return resolveValue(sight, step, input ?? {});
}

/** The input of an agent, with the results that it reads: they are part of the key by which its work may be adopted. */
function forAgent(sight: Sight, step: Step): Resolved {
  const { state, values } = sight;
  const { input, type } = step.spec;
  const item: Json = defined({
    item: step.item === undefined ? undefined : (valueIn(step.item.value, values) ?? null),
  });
  const said: Resolved = input === undefined ? { ok: true, value: item } : resolveValue(sight, step, input);
  const given = resultsForAgent(state, step);
  if (!said.ok || given === undefined) return said;
  const { results, absent } = resultsByName(given, values);
  const beside = absent.length === 0 && type !== 'synthesis_gate' ? { results } : { results, absent };
  return {
    ok: true,
    value: isJsonObject(said.value) ? { ...said.value, ...beside } : { input: said.value, ...beside },
  };
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

function withAnswers({ values }: Sight, { people }: Step, input: Json): Json {
  let sum = input;
  for (const { answer, as } of people?.answers ?? []) {
    if (isAboutAttachment(as)) continue;
    const value = valueIn(answer, values) ?? null;
    const said = isJsonObject(value) ? value : { [as]: value };
    sum = isJsonObject(sum) ? { ...sum, ...said } : { input: sum, ...said };
  }
  return sum;
}
