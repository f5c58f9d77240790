// Templates written in TypeScript: the types of input and output follow from literal contracts.
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Capability } from '../../capabilities/capability.ts';
import type { ContractSource, FromContract } from '../../capabilities/from-contract.ts';
import type { TypedDocument } from './typed-document.ts';

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
 * Returns the document unchanged. The compiler checks its keys and values, the names of steps and agents, the names of
 * capabilities and the keys and types of their inputs. `Engine.start` knows the type of the input from the contract of the
 * template, and the type of the output when it is `{{ results.x }}` and the step `x` has an `output` contract.
 */
export function defineTemplate<const D extends object, const C extends readonly Capability[] | undefined = undefined>(
  document: [D] extends [never] ? D : TypedDocument<D, C>,
  options?: { readonly capabilities?: C },
): Definition<InputOf<D>, OutputOf<D>>;
export function defineTemplate(
  document: unknown,
  { capabilities }: { readonly capabilities?: readonly Capability[] | undefined } = {},
): Definition {
  if (!isJsonObject(document)) throw new TypeError('defineTemplate() takes a template as an object');
  if (capabilities !== undefined) brought.set(document, capabilities);
  return document;
}

/** The capabilities that documents were defined with. */
const brought = new WeakMap<object, readonly Capability[]>();

/** The capabilities that a document brings along; none for a document that `defineTemplate` did not make. */
export function capabilitiesWith(document: JsonObject): readonly Capability[] {
  return brought.get(document) ?? [];
}
