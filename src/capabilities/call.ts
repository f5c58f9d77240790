// Calls a capability so that whatever it does, the answer is a JSON value or a failure.
import { type Failure, failure } from '../base/failure.ts';
import { issue } from '../base/issue.ts';
import type { Json } from '../base/json.ts';
import { contractOf } from '../contract/contract.ts';
import type { Declaration } from '../contract/declaration.ts';
import type { CallContext, Capability } from './capability.ts';
import { failureOf } from './capability-error.ts';
import { plainJson } from './plain-json.ts';

export type Called = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly failure: Failure };

/** `resultBytes`: the most characters of JSON that it may answer. Never throws. Answers as soon as the signal is aborted, even when the capability does not heed it. */
export async function callCapability(
  capability: Capability,
  input: Json,
  ctx: CallContext,
  resultBytes?: number,
): Promise<Called> {
  const { signal } = ctx;
  if (signal.aborted) return aborted(capability);
  const checked = checkInput(capability.declaration, input);
  if (!checked.ok) return checked;
  return new Promise((answer) => {
    const giveUp = (): void => answer(aborted(capability));
    signal.addEventListener('abort', giveUp, { once: true });
    void perform(capability, checked.value, ctx, resultBytes).then((called) => {
      signal.removeEventListener('abort', giveUp);
      answer(called);
    });
  });
}

/** Held against the contract that is declared for it, and mended where nothing is lost. */
export function checkInput(declaration: Declaration, input: Json): Called {
  if (declaration.input === undefined) return { ok: true, value: input };
  const checked = contractOf(declaration.input).check(input);
  if (checked.ok) return { ok: true, value: checked.value };
  const issues = checked.findings.map(({ path, message }) => issue('INPUT_INVALID', message, { path }));
  const messages = checked.findings.map(({ message }) => message).join('; ');
  const message = `the input of ${declaration.name} breaks its contract: ${messages}`;
  return { ok: false, failure: failure('INPUT_INVALID', message, { retry: 'never', issues }) };
}

async function perform(
  capability: Capability,
  input: Json,
  ctx: CallContext,
  resultBytes: number | undefined,
): Promise<Called> {
  try {
    return { ok: true, value: plainJson(await capability.run(input, ctx), resultBytes) };
  } catch (thrown) {
    return ctx.signal.aborted ? aborted(capability) : { ok: false, failure: failureOf(thrown) };
  }
}

function aborted({ declaration }: Capability): Called {
  return { ok: false, failure: failure('CAPABILITY_ABORTED', `${declaration.name} was stopped before it answered`) };
}
