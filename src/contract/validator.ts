// Checks values with Ajv: one shared instance, patterns in linear time, and no global cache of compiled functions.
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import { Fault } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import type { Schema } from './schema.ts';

/** Returns the errors in Ajv's order; none when the value fits. */
export type Validator = (value: Json) => readonly ErrorObject[];

const linearPattern = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern);
    return {
      test: (text: string): boolean => compiled.matcher(text).find(),
      /** Ajv compares patterns by this text. */
      toString: () => pattern,
    };
  },
  { code: 'linearPattern' },
);

/** Digits for `multipleOf`: 19.99 must count as a multiple of 0.01, although no double is one. */
const MULTIPLE_DIGITS = 9;

/** True when Ajv takes one number for a multiple of the other. */
export function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return Math.abs(Math.round(quotient) - quotient) <= 10 ** -MULTIPLE_DIGITS;
}

let instance: Ajv2020 | undefined;

function ajv(): Ajv2020 {
  if (instance === undefined) {
    instance = new Ajv2020({
      strict: false,
      allErrors: true,
      logger: false,
      // Skips Ajv's own check of the schema, which takes five times as long as everything else; `keywords.ts` has checked it.
      meta: false,
      validateSchema: false,
      multipleOfPrecision: MULTIPLE_DIGITS,
      code: { regExp: linearPattern },
    });
    addFormats.default(instance);
  }
  return instance;
}

/** Ajv calls `toString` and `valueOf` of maps, which may be data here. No contract accepts such values. */
const incomparable: ErrorObject = { keyword: 'incomparable', instancePath: '', schemaPath: '', params: {} };

/** Takes some milliseconds, so callers compile at the first check. `schema` must have passed `schemaIssues`. */
export function compileValidator(schema: Schema): Validator {
  const { $id: _id, $schema: _dialect, ...plain } = schema;
  try {
    const validate = ajv().compile(plain);
    ajv().removeSchema(plain);
    return (value) => {
      try {
        return validate(value) ? [] : (validate.errors ?? []);
      } catch {
        return [incomparable];
      }
    };
  } catch (cause) {
    throw new Fault(
      `a schema that was not checked reached the judge: ${cause instanceof Error ? cause.message : cause}`,
    );
  }
}
