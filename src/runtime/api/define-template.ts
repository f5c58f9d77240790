// A template written in TypeScript: the types of its input and output follow from its contracts, where they are literal.
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

/** Known where `output` is the result of one step that says what its result is. */
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
 * Gives back the document as it is. `Engine.load` judges it as any other; runs that `Engine.start` starts of it take the
 * input that its contract says. Their output is typed where it is `{{ results.x }}` and the step `x` says its `output`.
 */
export function defineTemplate<const D extends JsonObject>(document: D): Definition<InputOf<D>, OutputOf<D>> {
  return document;
}
