// Asks a person before a model sees values that a contract calls sensitive; once for the same places.
import { counted } from '../../base/counted.ts';
import { digestOf } from '../../base/digest.ts';
import { openGate } from '../gates/open-gate.ts';
import { effectsPolicyOf } from '../queries/effects-policy.ts';
import type { Call } from '../record/call.ts';
import type { CallFacts } from '../record/gate-events.schema.ts';
import type { Batch } from '../state/batch.ts';
import { isAgreedTo, isApproved } from '../state/grants.ts';
import type { Step } from '../state/state.ts';
import { sensitivePlaces } from '../values/sensitive-values.ts';

/** The name of this permission, where an approval has the name of a capability. */
const PROMPTS = 'llm_prompt';

/** Whether a person must agree first and the step is now held for it. Allowing the effect `llm` agrees to all. */
export function isHeldForLeave(batch: Batch, step: Step, call: Call): boolean {
  const { state } = batch;
  if (call.kind !== 'model' || effectsPolicyOf(state, step)?.allowed.includes('llm') === true) return false;
  const places = sensitivePlaces(state, step, call.purpose);
  if (places.length === 0 || isAgreedTo(state, step, PROMPTS)) return false;
  const facts: CallFacts = { capability: PROMPTS, input: digestOf(places) };
  if (isApproved(state, step, facts)) return false;
  const { model, messages } = call.request;
  const what = places.length === 1 ? 'what is sensitive' : `${counted(places.length, 'thing')} that are sensitive`;
  openGate(batch, step, step.since, {
    kind: PROMPTS,
    prompt: `Step "${step.id}" wants to show the model "${model}" ${what}: ${places.join(', ')}. May it?`,
    context: { model, sensitive: places, prompt: messages.filter(({ role }) => role !== 'system').map(textOf) },
    call: facts,
  });
  return true;
}

function textOf({ role, content }: { readonly role: string; readonly content: string }): string {
  return `${role}: ${content}`;
}
