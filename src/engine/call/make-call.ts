// Makes a call of an attempt: pays for it, records it, and hands it out.
import { type Digest, digestOf, digestOfText } from '../../base/digest.ts';
import { failure } from '../../base/failure.ts';
import type { Json } from '../../base/json.ts';
import { isMutating } from '../../contract/declaration.ts';
import { modelNamed } from '../../template/model-named.ts';
import { type Batch, emit } from '../batch.ts';
import type { CallCapability } from '../effect.ts';
import { affordAmount } from '../spend/afford.ts';
import type { RunState, Step } from '../state.ts';
import { attachedTo, attemptOf } from '../step/attempt.ts';
import { recover } from '../step/recover.ts';
import type { Call } from './call.ts';
import { price } from './price.ts';

/** `held`: people are asked about the budget first. `no`: it cannot be paid for, and what that means is the caller's affair. */
export type Made = 'yes' | 'held' | 'no';

/** No more calls than this work on one result, whoever asks for them. */
const MOST_CALLS = 200;

/** The next call of the attempt, or the one under way that a lost delivery had begun. */
export function makeCall(batch: Batch, step: Step, asked: Call): Made {
  const { call, amount } = price(batch, step, asked);
  const count = step.calls.filter(({ outcome }) => outcome !== undefined).length + 1;
  if (count > MOST_CALLS) {
    const why = failure('CALLS_EXCEEDED', `it makes more than ${MOST_CALLS} calls for one result`, { retry: 'never' });
    recover(batch, step, why, { kind: 'failure', bill: {}, chance: 0 });
    return 'yes';
  }
  const afforded = affordAmount(batch, step, amount);
  if (afforded !== 'yes') return afforded;
  const content = contentOf(call);
  emit(batch, step.since, {
    type: 'call.started',
    step: step.id,
    attempt: step.attempt,
    call: count,
    kind: call.kind,
    name: nameOf(batch.state, call),
    ...(call.kind === 'model' ? { purpose: call.purpose } : {}),
    ...(call.kind === 'model' && call.prompt !== undefined ? { prompt: call.prompt } : {}),
    request: keepRequest(batch, content),
    ...(Object.keys(amount).length === 0 ? {} : { reserved: amount }),
    ...keyOf(batch.state, step, call, count),
  });
  handOut(batch, step, call, count);
  return 'yes';
}

function contentOf(call: Call): unknown {
  if (call.kind === 'files') return call.paths;
  return call.kind === 'capability' ? call.input : call.request;
}

function nameOf({ template }: RunState, call: Call): string {
  switch (call.kind) {
    case 'model':
      return modelNamed(template.models, call.request.model)?.name ?? call.request.model;
    case 'capability':
      return call.name;
    case 'look_up':
      return 'context';
    case 'files':
      return 'files';
  }
}

function keepRequest({ blobs }: Batch, content: unknown): Digest {
  const text = JSON.stringify(content);
  const digest = digestOfText(text);
  blobs.push({ digest, text });
  return digest;
}

/** What changes the world is known by what it does, so that a repair that makes the same call makes it once. */
function keyOf(state: RunState, step: Step, call: Call, count: number): { readonly key?: string } {
  if (call.kind !== 'capability') return {};
  const declaration = state.template.capabilities[call.name];
  if (declaration === undefined || !isMutating(declaration)) return {};
  const begun = step.calls[count - 1]?.key;
  if (begun !== undefined) return { key: begun };
  const what = `${state.id}/${call.name}/${digestOf(call.input)}`;
  return { key: `${what}/${(state.occurrences.get(what) ?? 0) + 1}` };
}

function handOut(batch: Batch, step: Step, call: Call, count: number): void {
  const { effects, state } = batch;
  const attempt = attemptOf(batch, step);
  const key = step.calls[count - 1]?.key ?? `${state.id}/${step.id}#${step.attempt}.${count}`;
  switch (call.kind) {
    case 'capability':
      effects.push({
        type: 'call-capability',
        ...attempt,
        key,
        call: count,
        capability: call.name,
        input: call.input,
        ...(step.feedback === undefined ? {} : { feedback: step.feedback }),
        ...ofItsOwn(batch, step, call.name),
      });
      return;
    case 'model': {
      const { purpose, request, after } = call;
      const input: Json = null;
      const wait = after === undefined ? {} : { after };
      effects.push({ type: 'ask-model', ...attempt, key, call: count, input, purpose, request, ...wait });
      return;
    }
    case 'files':
      effects.push({ type: 'find-files', ...attempt, key, call: count, input: null, paths: call.paths });
      return;
    case 'look_up':
      return;
  }
}

/** What goes with the call that the step itself names, and with no tool of an agent. */
function ofItsOwn(
  batch: Batch,
  step: Step,
  name: string,
): Partial<Pick<CallCapability, 'attachments' | 'concurrencyKey'>> {
  const { capability, concurrencyKey } = step.spec;
  if (capability !== name) return {};
  return { ...attachedTo(batch, step), ...(concurrencyKey === undefined ? {} : { concurrencyKey }) };
}
