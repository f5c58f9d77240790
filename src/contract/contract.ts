// Contracts: read from JSON Schema or a signature, and checked against values.
import { type Digest, digestOf } from '../base/digest.ts';
import { hasErrors, issue } from '../base/issue.ts';
import { isJsonObject, type Json, nameOfKind } from '../base/json.ts';
import { bad, good, type Result } from '../base/result.ts';
import { type Coercion, coerce } from './coercion.ts';
import { type Finding, findingsOf, tooDeep } from './finding.ts';
import { schemaIssues } from './keywords.ts';
import { type Schema, takesAnything } from './schema.ts';
import { type ContractPlace, readTypeSignature } from './signature.ts';
import { compileValidator, type Validator } from './validator.ts';

export type { Schema } from './schema.ts';

type CheckedValue = Result<Json, readonly Finding[]> & { readonly coercions: readonly Coercion[] };

export interface Contract {
  readonly schema: Schema;
  /** Independent of the order of keys. */
  readonly digest: Digest;
  /** Returns the value, or a copy with lossless coercions. Never throws. */
  check(value: Json): CheckedValue;
}

/** The number of compiled contracts to keep; the oldest is dropped first. */
const KEPT = 1_000;
const bySchema = new WeakMap<Schema, Contract>();
const byDigest = new Map<Digest, Contract>();

/** Reads a JSON Schema or a signature; for a full signature, its output. Without a source, the contract accepts anything. */
export function readContract(source: Json | undefined, options: ContractPlace = {}): Result<Contract> {
  if (source === undefined) return good(contractOf(anything));
  if (typeof source === 'string') {
    const read = readTypeSignature(source, options);
    return read.ok ? good(contractOf(read.value)) : read;
  }
  if (!isJsonObject(source)) {
    const hint = 'write a JSON Schema, or a signature such as {name :string, rows :int?}';
    return bad([issue('CONTRACT_UNREADABLE', `a contract cannot be a ${nameOfKind(source)}`, { ...options, hint })]);
  }
  const issues = schemaIssues(source, options.path, options.place);
  return hasErrors(issues) ? bad(issues) : good(contractOf(source), issues);
}

/** The contract of a valid schema; equal schemas share one contract. The first check throws a Fault when the schema is invalid. */
export function contractOf(schema: Schema): Contract {
  const known = bySchema.get(schema);
  if (known !== undefined) return known;
  const digest = digestOf(schema);
  const contract = byDigest.get(digest) ?? newContract(schema, digest);
  bySchema.set(schema, contract);
  byDigest.set(digest, contract);
  if (byDigest.size > KEPT) byDigest.delete(byDigest.keys().next().value ?? digest);
  return contract;
}

const anything: Schema = {};

function newContract(schema: Schema, digest: Digest): Contract {
  if (takesAnything(schema)) return { schema, digest, check: (value) => accepted(value) };
  let validator: Validator | undefined;
  return {
    schema,
    digest,
    check(value) {
      validator ??= compileValidator(schema);
      return checkWith(validator, schema, value);
    },
  };
}

const NO_COERCIONS: readonly Coercion[] = Object.freeze([]);

function accepted(value: Json, coercions: readonly Coercion[] = NO_COERCIONS): CheckedValue {
  return { ...good(value), coercions };
}

function refused(error: readonly Finding[]): CheckedValue {
  return { ...bad(error), coercions: [] };
}

function checkWith(validator: Validator, schema: Schema, value: Json): CheckedValue {
  try {
    const errors = validator(value);
    if (errors.length === 0) return accepted(value);
    const coerced = coerce(value, schema);
    if (coerced.coercions.length === 0) return refused(findingsOf(errors, value, schema));
    const left = validator(coerced.value);
    if (left.length === 0) return accepted(coerced.value, coerced.coercions);
    return refused(findingsOf(left, coerced.value, schema));
  } catch (error) {
    if (error instanceof RangeError) return refused([tooDeep]);
    throw error;
  }
}
