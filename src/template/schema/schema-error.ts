// The error of a compiled validator.

/** The fields of Ajv's error object that messages use. */
export interface SchemaError {
  /** A JSON pointer to the value. */
  readonly instancePath: string;
  /** A JSON pointer to the keyword, from its definition. */
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}
