// Templates written in TypeScript: the types of input and output follow from literal contracts.
import type { Json, JsonObject } from '../../base/json.ts';
import type { ContractSource, FromContract } from '../../capabilities/from-contract.ts';

declare const types: unique symbol;

/** The input and output types of a template; they do not exist at run time. */
export interface TypedTemplate<Input extends Json, Output extends Json> {
  readonly [types]?: { readonly input: Input; readonly output: Output };
}

/** A document for `Engine.load`. */
export type Definition<Input extends Json = Json, Output extends Json = Json> = JsonObject &
  TypedTemplate<Input, Output>;

type InputOf<D> = D extends { readonly input: infer C extends ContractSource }
  ? AsJson<FromContract<C>>
  : D extends { readonly input_schema: infer C extends ContractSource }
    ? AsJson<FromContract<C>>
    : Json;

/** The type is known when `output` is the result of one step with a contract for its output. */
type OutputOf<D> = D extends {
  readonly output: `{{ results.${infer Name} }}`;
  readonly steps: readonly (infer Step)[];
}
  ? ResultOf<Extract<Step, { readonly name: Name }>>
  : Json;

type ResultOf<Step> = [Step] extends [{ readonly output: infer C extends ContractSource }]
  ? AsJson<FromContract<C>>
  : Json;

type AsJson<T> = T extends Json ? T : Json;

/**
 * Returns the document unchanged, with types for `Engine.start`: the input has the type of the template's contract. The
 * output is typed when it is `{{ results.x }}` and the step `x` has an `output` contract.
 */
export function defineTemplate<const D extends JsonObject>(document: D): Definition<InputOf<D>, OutputOf<D>> {
  return document;
}
