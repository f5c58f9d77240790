// A capability: a declaration for planners, and the function that a run calls.
import { type Issue, issue } from '../base/issue.ts';
import { defined, isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { readContract } from '../contract/contract.ts';
import { type Declaration, type Effect, effects, type Repeat } from '../contract/declaration.ts';
import { type Isolation, isolationIssues, isolationOf } from '../contract/isolation.ts';
import type { Attachment } from '../template/keys/attachment.ts';
import { type CallCost, declaredCost, isCost } from './call-cost.ts';
import type { Clarification } from './clarify.ts';
import type { FileAccess } from './file-access.ts';
import type { ContractSource, FromContract } from './from-contract.ts';
import type { HttpAccess } from './http/access.ts';
import type { Log } from './log.ts';

/** The arguments of a call besides its input. */
export interface CallContext {
  /** Aborted when the step is cancelled or its timeout ends. */
  readonly signal: AbortSignal;
  /** The same for every delivery of one call. Hand it to services that must not do the work twice. */
  readonly idempotencyKey: string;
  /** Counts from 1. */
  readonly attempt: number;
  /** Counts from 1 within one attempt; above 1 after a crash. */
  readonly delivery: number;
  /** Explains why the previous attempt was rejected. */
  readonly feedback?: string;
  readonly run: { readonly id: string };
  /** The step's id. */
  readonly step: string;
  /** The step's attachments. Their files existed when the step began. */
  readonly attachments: readonly Attachment[];
  /** Files below the roots that the template grants. */
  readonly files: FileAccess;
  /**
   * The W3C trace context of this call, `00-{trace}-{span}-01`, for requests to other services. `http` sends it already.
   * Absent when the engine sends no trace context.
   */
  readonly traceparent?: string | undefined;
  /** The vendor data of the trace context, if there are any. */
  readonly tracestate?: string | undefined;
  /** Addresses that the template allows. */
  readonly http: HttpAccess;
  /** Writes log lines: `ctx.log('text')`, `ctx.log.warn('text', { attribute: 1 })`. */
  readonly log: Log;
  /** @throws CapabilityError SECRET_MISSING */
  secret(name: string): string;
  env(name: string): string | undefined;
  /** Asks a person: `return ctx.clarify('Which year?', ':int', 'year')`. The next call has `year` in its input. */
  clarify(question: string, answer?: ContractSource, as?: string): Clarification;
}

const brand = Symbol.for('reconverge.capability');

declare const types: unique symbol;

/** The type parameters are known for a capability from `defineCapability`; they do not exist at run time. */
export interface Capability<Name extends string = string, Input = unknown, Output = unknown> {
  readonly [brand]: true;
  readonly [types]?: { readonly name: Name; readonly input: Input; readonly output: Output };
  readonly declaration: Declaration;
  /** Errors in the declaration. A registry refuses a capability that has any. */
  readonly issues: readonly Issue[];
  /** Isolation in a thread of its own; only capabilities of modules can have it. */
  readonly isolation?: Isolation;
  /** The input has passed the declared contract. */
  run(input: Json, ctx: CallContext): Promise<Json> | Json;
}

export interface CapabilitySpec<Input, Output, Name extends string = string> {
  /** Lower-case words joined by dots: `csv.sniff`. */
  readonly name: Name;
  /** One line, for planners and people. */
  readonly description: string;
  /** JSON Schema or signature; absent: any value. */
  readonly input?: Input;
  readonly output?: Output;
  readonly effects: readonly Effect[];
  readonly tags?: readonly string[];
  readonly cost?: CallCost;
  /** Capabilities that belong together with this one: an agent that may call this one may call them too. */
  readonly needs?: readonly string[];
  /** `never`: the run calls it at most once, and asks a person when the outcome of the call is unknown. */
  readonly repeat?: Repeat;
  /** The capability may return a question for a person. */
  readonly asks?: boolean;
  /** Runs each call in its own thread, which is terminated at the timeout. Only for capabilities of modules. */
  readonly isolate?: 'thread';
  /** The most memory for a thread with `isolate`, such as `1G`; default 512M. */
  readonly memory?: string;
  run(
    input: FromContract<Input>,
    ctx: CallContext,
  ): Promise<FromContract<Output> | Clarification> | FromContract<Output> | Clarification;
}

/** Infers the types of `run` from the contracts. `issues` lists contracts that cannot be read. */
export function defineCapability<
  const Input extends ContractSource,
  const Output extends ContractSource,
  const Name extends string = string,
>(spec: CapabilitySpec<Input, Output, Name>): Capability<Name, FromContract<Input>, FromContract<Output>> {
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
    // Computed on first use: every start reads the catalog, whose contracts are known to be good.
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
    // The compiler cannot know that the contract has checked the input by now.
    run: (value, ctx) => spec.run(value as FromContract<Input>, ctx) as Promise<Json> | Json,
  };
}

/** Makes a capability from a declaration that is known to be good. */
export function capabilityOf(declaration: Declaration, run: Capability['run']): Capability {
  return { [brand]: true, declaration, issues: [], run };
}

/** Also true for capabilities that another copy of this package made. */
export function isCapability(value: unknown): value is Capability {
  return typeof value === 'object' && value !== null && brand in value && value[brand] === true;
}

const NAME = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/;

function nameIssues(name: string): readonly Issue[] {
  if (NAME.test(name)) return [];
  return [
    issue('CAPABILITY_NAME_INVALID', `capability "${name}" has a name that is not lower-case words joined by dots`, {
      path: ['name'],
      hint: 'choose a name such as csv.sniff',
    }),
  ];
}

interface Parts {
  readonly description: string;
  readonly effects: readonly string[];
  readonly run: unknown;
  readonly cost: unknown;
}

/** Checks parts that a module without types may have got wrong. */
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

/** Takes a schema as it is; `issues` tells whether it can be read. */
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
