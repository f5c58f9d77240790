// A capability: a declaration that planners read, and the function that runs call.
import { type Issue, issue } from '../base/issue.ts';
import { defined, isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { readContract } from '../contract/contract.ts';
import { type Declaration, type Effect, effects, type Repeat } from '../contract/declaration.ts';
import { type Isolation, isolationIssues, isolationOf } from '../contract/isolation.ts';
import type { Attachment } from '../template/keys/attachment.ts';
import { type CallCost, declaredCost, isCost } from './call-cost.ts';
import type { Clarification } from './clarify.ts';
import type { FileAccess } from './files.ts';
import type { ContractSource, FromContract } from './from-contract.ts';
import type { HttpAccess } from './http/access.ts';

/** What a call is given besides its input. */
export interface CallContext {
  /** Aborted when the step is cancelled or its time is up. */
  readonly signal: AbortSignal;
  /** The same for every delivery of one piece of work: hand it to whatever must not be done twice. */
  readonly idempotencyKey: string;
  /** Counts from 1. */
  readonly attempt: number;
  /** Counts from 1 within one attempt; above 1 after a crash. */
  readonly delivery: number;
  /** Why the previous attempt was not good enough. */
  readonly feedback?: string;
  readonly run: { readonly id: string };
  /** The step's id. */
  readonly step: string;
  /** What the step is about; the files among them were there when it began. */
  readonly attachments: readonly Attachment[];
  /** Files under the roots that the template grants. */
  readonly files: FileAccess;
  /** Addresses that the template allows. */
  readonly http: HttpAccess;
  log(message: string): void;
  /** @throws CapabilityError SECRET_MISSING */
  secret(name: string): string;
  env(name: string): string | undefined;
  /** `return ctx.clarify('Which year?', ':int', 'year')`: asks a person, and is called again with `year` in its input. */
  clarify(question: string, answer?: ContractSource, as?: string): Clarification;
}

const brand = Symbol.for('reconverge.capability');

export interface Capability {
  readonly [brand]: true;
  readonly declaration: Declaration;
  /** What is wrong with the declaration; a registry refuses a capability that has any. */
  readonly issues: readonly Issue[];
  /** How it is to be kept apart; only what is loaded from a module can be. */
  readonly isolation?: Isolation;
  /** Takes input that its contract has passed. */
  run(input: Json, ctx: CallContext): Promise<Json> | Json;
}

export interface CapabilitySpec<Input, Output> {
  /** Lower-case words joined by dots: `csv.sniff`. */
  readonly name: string;
  /** One line, for planners and people. */
  readonly description: string;
  /** JSON Schema or signature; absent: anything. */
  readonly input?: Input;
  readonly output?: Output;
  readonly effects: readonly Effect[];
  readonly tags?: readonly string[];
  readonly cost?: CallCost;
  /** Capabilities that are used together with it: an agent that is handed it is handed these too. */
  readonly needs?: readonly string[];
  /** `never`: it is called at most once, and a person is asked when nobody knows what became of the call. */
  readonly repeat?: Repeat;
  /** Whether it may answer with a question to a person. */
  readonly asks?: boolean;
  /** Runs each call in a thread of its own, which is terminated at its timeout; for capabilities of modules only. */
  readonly isolate?: 'thread';
  /** With `isolate`: how much memory the thread may take, such as `1G`; 512M unless said. */
  readonly memory?: string;
  run(
    input: FromContract<Input>,
    ctx: CallContext,
  ): Promise<FromContract<Output> | Clarification> | FromContract<Output> | Clarification;
}

/** The types of `run` follow from the contracts; a contract that cannot be read is found in `issues`. */
export function defineCapability<const Input extends ContractSource, const Output extends ContractSource>(
  spec: CapabilitySpec<Input, Output>,
): Capability {
  const input = schemaIn(spec.input);
  const output = schemaIn(spec.output);
  const isolation = isolationOf(spec);
  let found: readonly Issue[] | undefined;
  return {
    [brand]: true,
    declaration: {
      name: spec.name,
      description: spec.description,
      ...defined({ input, output }),
      effects: spec.effects,
      tags: spec.tags ?? [],
      cost: declaredCost(spec.cost),
      ...defined({ needs: spec.needs, repeat: spec.repeat }),
      ...(spec.asks === true ? { asks: true } : {}),
    },
    ...defined({ isolation }),
    // Not before somebody asks: the catalog is read at every start, and its contracts are known to be good.
    get issues() {
      found ??= [
        ...nameIssues(spec.name),
        ...partIssues(spec.name, spec),
        ...isolationIssues(`capability "${spec.name}"`, spec),
        ...contractIssues(spec.name, 'input', spec.input),
        ...contractIssues(spec.name, 'output', spec.output),
      ];
      return found;
    },
    // The contract has passed the input before it comes here, which the compiler cannot know.
    run: (value, ctx) => spec.run(value as FromContract<Input>, ctx) as Promise<Json> | Json,
  };
}

/** A capability whose declaration is known to be good. */
export function capabilityOf(declaration: Declaration, run: Capability['run']): Capability {
  return { [brand]: true, declaration, issues: [], run };
}

/** Also true for a capability that another copy of this package made. */
export function isCapability(value: unknown): value is Capability {
  return typeof value === 'object' && value !== null && brand in value && value[brand] === true;
}

const NAME = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/;

function nameIssues(name: string): readonly Issue[] {
  if (NAME.test(name)) return [];
  return [
    issue('CAPABILITY_NAME_INVALID', `capability "${name}" is not named by lower-case words joined by dots`, {
      path: ['name'],
      hint: 'for example csv.sniff',
    }),
  ];
}

interface Parts {
  readonly description: string;
  readonly effects: readonly string[];
  readonly run: unknown;
  readonly cost: unknown;
}

/** What nothing has checked in a module whose types were stripped, or never written. */
function partIssues(name: string, { description, effects: named, run, cost }: Partial<Parts>): readonly Issue[] {
  const lacking = (part: keyof Parts, hint: string): Issue =>
    issue('CAPABILITY_INCOMPLETE', `capability "${name}" has no ${part} that can be read`, { path: [part], hint });
  const known = (each: string): boolean => effects.some((effect) => effect === each);
  return [
    ...(typeof description === 'string' ? [] : [lacking('description', 'say in a sentence what it does')]),
    ...(Array.isArray(named) && named.every(known) ? [] : [lacking('effects', `a list of ${effects.join(', ')}`)]),
    ...(typeof run === 'function' ? [] : [lacking('run', 'run: (input, ctx) => …')]),
    ...(isCost(cost) ? [] : [lacking('cost', 'cost: { seconds: 1.5, usd: 0.02 }, either or both')]),
  ];
}

/** A schema is taken as it is; whether it can be read, its issues tell. */
function schemaIn(source: ContractSource | undefined): JsonObject | undefined {
  if (source === undefined || isJsonObject(source)) return source;
  const read = readContract(source);
  return read.ok ? read.value.schema : undefined;
}

function contractIssues(name: string, side: 'input' | 'output', source: ContractSource | undefined): readonly Issue[] {
  if (source === undefined) return [];
  const read = readContract(source);
  if (read.ok) return read.warnings;
  return read.error.map((each) => ({
    ...each,
    message: `${side} of capability "${name}": ${each.message}`,
    path: [side, ...each.path],
  }));
}
