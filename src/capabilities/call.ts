// Calls a capability; the result is always JSON or a failure, whatever the capability does.
import { type Failure, failure } from '../base/failure.ts';
import { issue } from '../base/issue.ts';
import type { Json } from '../base/json.ts';
import { bad, good, type Result } from '../base/result.ts';
import { contractOf } from '../contract/contract.ts';
import type { Declaration } from '../contract/declaration.ts';
import type { CallContext, Capability } from './capability.ts';
import { failureOf } from './capability-error.ts';
import { plainJson } from './plain-json.ts';

/**
 * Never throws. Returns as soon as the signal is aborted, even when the capability ignores the signal.
 * @param resultBytes the most characters of JSON that the result may have
 */
export async function callCapability(
  capability: Capability,
  input: Json,
  ctx: CallContext,
  resultBytes?: number,
): Promise<Result<Json, Failure>> {
  const { signal } = ctx;
  if (signal.aborted) return aborted(capability);
  const checked = checkInput(capability.declaration, input);
  if (!checked.ok) return checked;
  try {
    const returned = capability.run(checked.value, ctx);
    return isPromised(returned)
      ? await unlessAborted(capability, returned, ctx, resultBytes)
      : good(plainJson(returned, resultBytes));
  } catch (thrown) {
    return signal.aborted ? aborted(capability) : bad(failureOf(thrown));
  }
}

function isPromised(returned: Promise<Json> | Json): returned is Promise<Json> {
  return typeof returned === 'object' && returned !== null && 'then' in returned;
}

/** Checks the input against the declared contract, and coerces values where nothing is lost. */
export function checkInput(declaration: Declaration, input: Json): Result<Json, Failure> {
  if (declaration.input === undefined) return good(input);
  const checked = contractOf(declaration.input).check(input);
  if (checked.ok) return good(checked.value);
  const issues = checked.error.map(({ path, message }) => issue('INPUT_INVALID', message, { path }));
  const messages = checked.error.map(({ message }) => message).join('; ');
  const message = `the input of ${declaration.name} breaks its contract: ${messages}`;
  return bad(failure('INPUT_INVALID', message, { retry: 'never', issues }));
}

function unlessAborted(
  capability: Capability,
  returned: Promise<Json>,
  { signal }: CallContext,
  resultBytes: number | undefined,
): Promise<Result<Json, Failure>> {
  return new Promise((answer) => {
    const giveUp = (): void => answer(aborted(capability));
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    void settled(capability, returned, signal, resultBytes).then((result) => {
      signal.removeEventListener('abort', giveUp);
      answer(result);
    });
  });
}

async function settled(
  capability: Capability,
  returned: Promise<Json>,
  signal: AbortSignal,
  resultBytes: number | undefined,
): Promise<Result<Json, Failure>> {
  try {
    return good(plainJson(await returned, resultBytes));
  } catch (thrown) {
    return signal.aborted ? aborted(capability) : bad(failureOf(thrown));
  }
}

function aborted({ declaration }: Capability): Result<never, Failure> {
  return bad(failure('CAPABILITY_ABORTED', `${declaration.name} was stopped before it answered`));
}
