// Plays a composition without its effects: computes pure calls, and takes the other results from stubs or contracts.
import { type Failure, failure } from '../base/failure.ts';
import { defined, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import { contractOf } from '../contract/contract.ts';
import { type Declaration, onlyComputes } from '../contract/declaration.ts';
import { exampleOf } from '../contract/example.ts';
import { findingsText } from '../contract/finding.ts';
import type { CompositionSpec, CompositionStep } from '../template/keys/composition.ts';
import { checkInput } from './call.ts';
import { type CallContext, type Capability, capabilityOf } from './capability.ts';
import { failureOf } from './capability-error.ts';
import { clarify } from './clarify.ts';
import { type CompositionParts, runComposition } from './composition.ts';
import { confine } from './file-access.ts';
import { reach } from './http/access.ts';
import { logTo } from './log.ts';

interface PlayedCall {
  readonly name: string;
  readonly call: string;
  readonly input: Json;
  readonly output: Json;
  readonly from: 'computed' | 'its stub' | 'the stub of the capability' | 'its contract' | 'nothing';
}

export interface CompositionTrial {
  readonly input: Json;
  /** The calls that succeeded, in order. */
  readonly calls: readonly PlayedCall[];
  readonly output?: Json;
  readonly failure?: Failure;
}

/** Stub results: by step name, or by capability name. */
interface CallStubs {
  readonly steps: JsonObject;
  readonly capabilities: JsonObject;
}

/**
 * @param declaration the declaration of the composition
 * @param given its input; undefined: an example made from its contract
 */
export async function playComposition(
  spec: CompositionSpec,
  declaration: Declaration,
  parts: CompositionParts,
  stubs: CallStubs,
  given: Json | undefined,
): Promise<CompositionTrial> {
  const checked = checkInput(declaration, given ?? exampleOf(declaration.input ?? {}) ?? {});
  if (!checked.ok) return { input: given ?? {}, calls: [], failure: checked.error };
  const input = checked.value;
  const calls: PlayedCall[] = [];
  const partFor = (step: CompositionStep): Capability | undefined => {
    const part = parts.get(step.call);
    return part && standIn(step, part, stubs, (played) => calls.push(played));
  };
  try {
    const output = await runComposition(spec, partFor, input, nowhere);
    const broken = brokenBy(output, declaration);
    return { input, calls, output, ...defined({ failure: broken }) };
  } catch (thrown) {
    return { input, calls, failure: failureOf(thrown) };
  }
}

/** Takes the place of a capability, with the same contracts. */
function standIn(
  { name, call }: CompositionStep,
  { declaration, run }: Capability,
  stubs: CallStubs,
  tell: (played: PlayedCall) => void,
): Capability {
  return capabilityOf(declaration, async (input, ctx) => {
    const told = (from: PlayedCall['from'], output: Json): Json => {
      tell({ name, call, input, output, from });
      return output;
    };
    const own = ownProperty(stubs.steps, name);
    if (own !== undefined) return told('its stub', own);
    const shared = ownProperty(stubs.capabilities, call);
    if (shared !== undefined) return told('the stub of the capability', shared);
    if (onlyComputes(declaration)) return told('computed', await run(input, ctx));
    const example = declaration.output === undefined ? undefined : exampleOf(declaration.output);
    return example === undefined ? told('nothing', null) : told('its contract', example);
  });
}

function brokenBy(output: Json, { output: contract = {} }: Declaration): Failure | undefined {
  const checked = contractOf(contract).check(output);
  if (checked.ok) return undefined;
  return failure('OUTPUT_INVALID', `the answer breaks its contract: ${findingsText(checked.error)}`);
}

/** Leaves references to variables as they are written. */
const nowhere: CallContext = {
  signal: new AbortController().signal,
  idempotencyKey: 'play',
  attempt: 1,
  delivery: 1,
  run: { id: 'play' },
  step: 'play',
  attachments: [],
  files: confine([], '.'),
  http: reach(undefined),
  log: logTo(() => undefined),
  secret: (name) => `\${secret.${name}}`,
  env: (name) => `\${env.${name}}`,
  clarify,
};
