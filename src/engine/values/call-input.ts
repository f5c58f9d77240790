// What a capability is called with: settings, what the step says over them, and what people have answered over that.
import { defined, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { isPlain } from '../../template/interpolate.ts';
import { valueIn } from '../record/kept.ts';
import type { Batch } from '../state/batch.ts';
import type { Step } from '../state/state.ts';
import { correctedInput, isAboutAttachment } from './attachments.ts';
import { givenToAgent } from './given.ts';
import { type Resolved, resolveValue } from './resolve-value.ts';
import { asGiven, givenTo } from './synthesis-input.ts';

type Sight = Pick<Batch, 'state' | 'values'> & Partial<Pick<Batch, 'countTokens'>>;

/** The same for every delivery of an attempt. A call that a person has agreed to is made as they saw it; what they agreed to of an agent is one of its calls. */
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

/** What the step says; a synthesis gate that says nothing is given what it waited for. */
function saidOf(sight: Sight, step: Step): Resolved {
  const { type, input, agent } = step.spec;
  if (agent !== undefined) return forAgent(sight, step);
  if (type === 'synthesis_gate' && input === undefined) return { ok: true, value: givenTo(sight, step) };
  return resolveValue(sight, step, input ?? {});
}

/** What an agent works on is part of what its work is known by, so that it is not taken over for other results. */
function forAgent(sight: Sight, step: Step): Resolved {
  const { state, values } = sight;
  const { input, type } = step.spec;
  const item: Json = defined({
    item: step.item === undefined ? undefined : (valueIn(step.item.value, values) ?? null),
  });
  const said: Resolved = input === undefined ? { ok: true, value: item } : resolveValue(sight, step, input);
  const given = givenToAgent(state, step);
  if (!said.ok || given === undefined) return said;
  const { results, absent } = asGiven(given, values);
  const beside = absent.length === 0 && type !== 'synthesis_gate' ? { results } : { results, absent };
  return {
    ok: true,
    value: isJsonObject(said.value) ? { ...said.value, ...beside } : { input: said.value, ...beside },
  };
}

/** Whether it is what the template says, whatever happens in the run. */
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
