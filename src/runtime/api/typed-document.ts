// The type that the compiler holds a literal template against: its steps, agents and capabilities by their names.
import type { Json, JsonObject } from '../../base/json.ts';
import type { Capability } from '../../capabilities/capability.ts';
import type { ContractSource, FromContract } from '../../capabilities/from-contract.ts';
import type {
  AnyStepDocument,
  CallDocument,
  CatalogInputs,
  ComputeStep,
  DecisionStep,
  DeferredStep,
  FanOutStep,
  HumanReviewStep,
  ItemStepDocument,
  LispDocument,
  NamedInputs,
  PlanningStep,
  SynthesisGateStep,
  TaskStep,
  TemplateDocument,
} from '../../template/schema/generated-document.ts';

/** The names and capabilities that the steps of a template may use. */
interface Known {
  readonly step: string;
  readonly agent: string;
  /** The keys of the run's input; `string` where its contract does not tell them. */
  readonly inputKey: string;
  /** The inputs of the known capabilities, by name. */
  readonly inputs: object;
  /** The names that `handler` may have; `string` where the template grants capabilities without known types. */
  readonly call: string;
}

/** A text with a reference, or Lisp: stands for a value of any type. */
type ComputedValue = `${string}{{${string}}}${string}` | LispDocument;

/** A value as an author writes it: every part of it may also be computed. */
type Written<T> = [Json] extends [T]
  ? Json
  : T extends string | number | boolean | null
    ? T | ComputedValue
    : T extends readonly (infer Each)[]
      ? readonly Written<Each>[] | ComputedValue
      : T extends object
        ? { readonly [Key in keyof T]: Written<T[Key]> } | ComputedValue
        : T;

/** The keys of an object as an author writes them. */
type WrittenKeys<T> = [Json] extends [T]
  ? JsonObject
  : T extends object
    ? { readonly [Key in keyof T]: Written<T[Key]> }
    : never;

type InputFor<Name, K extends Known> = Name extends keyof K['inputs'] ? K['inputs'][Name] : Json;

/** A step that calls a known capability has an input when one of its keys is required. */
type WithInput<Step, Input> = [Input] extends [never]
  ? Step
  : Record<never, never> extends Input
    ? Step
    : Step & { readonly input: Input };

type CallOf<S> = S extends { readonly handler: infer C }
  ? C
  : S extends { readonly capability: infer C }
    ? C
    : S extends { readonly tool: infer C }
      ? C
      : undefined;

type CallName<S> = CallOf<S> extends { readonly callable: infer Name } ? Name : CallOf<S>;

/** Keys that `initialization` sets may be absent from the input. */
type InputOfStep<S, K extends Known> =
  CallName<S> extends keyof K['inputs']
    ? S extends { readonly input: string | LispDocument }
      ? ComputedValue
      : CallOf<S> extends { readonly initialization: unknown }
        ? Partial<WrittenKeys<InputFor<CallName<S>, K>>>
        : WrittenKeys<InputFor<CallName<S>, K>>
    : Json;

/** A capability by its name, alone or with settings. */
type Call<Name extends string> = Name | CallDocument<Name>;

/** A task has a capability or an agent. */
type TaskFor<S, K extends Known> =
  CallOf<S> extends undefined
    ? S extends { readonly agent: unknown }
      ? TaskStep<K['step'], K['agent'], never, Json>
      : TaskStep<K['step'], K['agent'], Call<K['call']>, Json> & { readonly handler: Call<K['call']> }
    : CallingStep<TaskStep<K['step'], never, Call<K['call']>, InputOfStep<S, K>>, S, K>;

type CallingStep<Step, S, K extends Known> =
  CallName<S> extends keyof K['inputs']
    ? CallOf<S> extends { readonly initialization: unknown }
      ? Step
      : WithInput<Step, InputOfStep<S, K>>
    : Step;

/** The type that a step is held against; it depends on the literal type and capability of the step. */
type StepFor<S, K extends Known> = S extends { readonly type: infer T }
  ? [T] extends ['task' | 'standard']
    ? TaskFor<S, K>
    : [T] extends ['compute']
      ? ComputeStep<K['step']>
      : [T] extends ['planning']
        ? PlanningStep<K['step']>
        : [T] extends ['deferred' | 'deferred_convergence']
          ? CallingStep<DeferredStep<K['step'], K['agent'], Call<K['call']>, InputOfStep<S, K>>, S, K>
          : [T] extends ['decision']
            ? CallingStep<DecisionStep<K['step'], K['agent'], Call<K['call']>, InputOfStep<S, K>>, S, K>
            : [T] extends ['synthesis_gate']
              ? SynthesisGateStep<K['step'], K['agent'], Call<K['call']>, InputOfStep<S, K>>
              : [T] extends ['fan_out' | 'batchable']
                ? FanOutFor<S, K>
                : [T] extends ['human_review' | 'gate']
                  ? HumanReviewStep<K['step']>
                  : AnyStepDocument
  : S extends { readonly name: string }
    ? TaskFor<S, K>
    : AnyStepDocument;

/** The step that a fan-out runs for each item has no name of its own, and waits for nothing. */
type FanOutFor<S, K extends Known> = FanOutStep<
  K['step'],
  S extends { readonly do: infer Each } ? ItemStep<ItemFor<Each, K>> : ItemStepDocument
>;

type ItemFor<S, K extends Known> = S extends { readonly type: 'compute' } ? ComputeStep<never> : TaskFor<S, K>;

type ItemStep<Step> = Step extends { readonly name: string } ? Omit<Step, 'name'> & { readonly name?: string } : Step;

type StepsOf<D> = D extends { readonly steps: infer Steps extends readonly unknown[] } ? Steps : readonly [];

type NamesOf<D> = D extends { readonly include: unknown }
  ? string
  : StepsOf<D>[number] extends infer Step
    ? Step extends { readonly name: infer Name extends string }
      ? Name
      : never
    : never;

type AgentsOf<D> = D extends { readonly include: unknown }
  ? string
  : D extends { readonly agents: infer Agents }
    ? (keyof Agents & string) | 'default'
    : 'default';

type InputKeysOf<D> = D extends { readonly input: infer C extends ContractSource }
  ? [Json] extends [FromContract<C>]
    ? string
    : FromContract<C> extends infer Input
      ? string extends keyof Input
        ? string
        : keyof Input & string
      : string
  : string;

type Listed<D> = D extends { readonly capabilities: readonly (infer Entry)[] } ? Entry : never;

type CatalogOf<D> = ('catalog' extends Listed<D>
  ? CatalogInputs
  : Pick<CatalogInputs, Listed<D> & keyof CatalogInputs>) &
  Pick<NamedInputs, Listed<D> & keyof NamedInputs>;

/** The inputs of capabilities that the program declares, by name. */
type OwnInputs<C> = C extends readonly (infer Each)[]
  ? { readonly [One in Each as NameOfCapability<One>]: InputOfCapability<One> }
  : Record<never, never>;

type NameOfCapability<C> = C extends Capability<infer Name, unknown, unknown> ? Name : never;
type InputOfCapability<C> = C extends Capability<string, infer Input, unknown> ? Input : never;

type InputsOf<D, C> = CatalogOf<D> & OwnInputs<C>;

/** True when the template grants capabilities whose names the compiler cannot know: modules, servers, child templates. */
type IsOpen<D, C> = C extends undefined
  ? true
  : D extends { readonly include: unknown }
    ? true
    : [Exclude<Listed<D>, 'catalog' | keyof CatalogInputs | keyof NamedInputs>] extends [never]
      ? false
      : true;

type KnownIn<D, C> = {
  readonly step: NamesOf<D>;
  readonly agent: AgentsOf<D>;
  readonly inputKey: InputKeysOf<D>;
  readonly inputs: InputsOf<D, C>;
  readonly call: IsOpen<D, C> extends true ? string : keyof InputsOf<D, C> & string;
};

type Trim<Text extends string> = Text extends ` ${infer Rest}` | `${infer Rest} ` ? Trim<Rest> : Text;

/** The first name of a path such as `files.0.path` or `files[0]`. */
type Head<Path extends string> = Path extends `${infer First}.${string}` | `${infer First}[${string}`
  ? Head<First>
  : Trim<Path>;

type PathProblem<Path extends string, K extends Known> = Path extends `results.${infer Rest}`
  ? Head<Rest> extends K['step']
    ? never
    : `no step is named "${Head<Rest>}"`
  : Path extends `input.${infer Rest}`
    ? Head<Rest> extends K['inputKey']
      ? never
      : `the input has no key "${Head<Rest>}"`
    : never;

type TextProblem<Text extends string, K extends Known> = Text extends `${string}{{${infer Path}}}${infer Rest}`
  ? PathProblem<Trim<Path>, K> | TextProblem<Rest, K>
  : never;

/** The references of a value to steps and keys that do not exist, at their places; never without any. */
type ReferenceProblems<Value, K extends Known> = Value extends string
  ? TextProblem<Value, K>
  : Value extends object
    ? ProblemsIn<{
        readonly [Key in keyof Value as Key extends string | number
          ? [ReferenceProblems<Value[Key], K>] extends [never]
            ? never
            : Key
          : never]: ReferenceProblems<Value[Key], K>;
      }>
    : never;

type ProblemsIn<Problems> = [keyof Problems] extends [never] ? never : Problems;

/** The keys of a step that may refer to results and to the input. */
type Referring = 'input' | 'for_each' | 'prompt' | 'goal' | 'do';

type WithReferences<Step, S, K extends Known> = [ReferenceProblems<Pick<S, keyof S & Referring>, K>] extends [never]
  ? Step
  : Step & ReferenceProblems<Pick<S, keyof S & Referring>, K>;

/** The indices of the steps with each name: more than one index for a name that is taken twice. */
type IndicesOf<Steps extends readonly unknown[]> = {
  readonly [Index in keyof Steps & `${number}` as Steps[Index] extends { readonly name: infer Name extends string }
    ? Name
    : never]: Index;
};

/** The names that more than one step has. */
type RepeatedIn<Indices> = {
  readonly [Name in keyof Indices]: IsUnion<Indices[Name]> extends true ? Name : never;
}[keyof Indices];

type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never;

/** Tells what is wrong with the name of a step; never for a name that is right. */
type NameProblem<Name extends string, Repeated> = string extends Name
  ? never
  : Name extends Repeated
    ? `another step is named "${Name}" too`
    : Name extends Lowercase<Name>
      ? Name extends `${string}${'-' | '.' | ' ' | '/'}${string}`
        ? 'a step name has lower-case letters, digits and underscores'
        : never
      : 'a step name has lower-case letters, digits and underscores';

type CheckedStep<S, Repeated, K extends Known> = S extends { readonly name: infer Name extends string }
  ? [NameProblem<Name, Repeated>] extends [never]
    ? WithReferences<StepFor<S, K>, S, K>
    : { readonly name: NameProblem<Name, Repeated> }
  : StepFor<S, K>;

type TypedSteps<Steps extends readonly unknown[], Repeated, K extends Known> = {
  readonly [Index in keyof Steps]: CheckedStep<Steps[Index], Repeated, K>;
};

/** The type that a literal template is held against. Steps that are not literal are held against `AnyStepDocument`. */
export type TypedDocument<D, C> = WithOutput<
  TemplateDocument<TypedSteps<StepsOf<D>, RepeatedIn<IndicesOf<StepsOf<D>>>, KnownIn<D, C>>>,
  D,
  KnownIn<D, C>
>;

type WithOutput<Document, D, K extends Known> = D extends { readonly output: infer Output }
  ? [ReferenceProblems<Output, K>] extends [never]
    ? Document
    : Document & { readonly output: ReferenceProblems<Output, K> }
  : Document;
