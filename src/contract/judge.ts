// Ajv as the judge of values: one instance, linear-time patterns, compiled functions that nobody else holds on to.
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import { Fault } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import type { Schema } from './schema.ts';

/** The errors of a value, in the order in which Ajv met them; empty when it fits. */
export type Judge = (value: Json) => readonly ErrorObject[];

const linearPattern = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern);
    return {
      test: (text: string): boolean => compiled.matcher(text).find(),
      /** Ajv tells patterns apart by this. */
      toString: () => pattern,
    };
  },
  { code: 'linearPattern' },
);

/** So that 19.99 is a multiple of 0.01, although no double is. */
const MULTIPLE_DIGITS = 9;

/** Whether the judge takes one number for a multiple of the other. */
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
      // The keywords have been checked; to check them by their own schema takes Ajv five times as long as all the rest.
      meta: false,
      validateSchema: false,
      multipleOfPrecision: MULTIPLE_DIGITS,
      code: { regExp: linearPattern },
    });
    addFormats.default(instance);
  }
  return instance;
}

/** Ajv compares maps by calling their `toString` and `valueOf`, which in data may be anything. Such a value fits nothing. */
const incomparable: ErrorObject = { keyword: 'incomparable', instancePath: '', schemaPath: '', params: {} };

/** Takes milliseconds, so it is for the first value, not for the reading. `schema` has passed the check of keywords. */
export function compileJudge(schema: Schema): Judge {
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
