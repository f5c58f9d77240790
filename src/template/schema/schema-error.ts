// The error of a compiled validator.

/** The part of ajv's error object that is read here. */
export interface SchemaError {
  /** A JSON pointer to the value. */
  readonly instancePath: string;
  /** A JSON pointer to the keyword, from the definition it stands in. */
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}
