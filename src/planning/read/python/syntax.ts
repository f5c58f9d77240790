// The syntax tree of plans that are written as calls in Python.

/** Offsets in the text; `to` is one past the last character. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export type Expression =
  | PlainValue
  | FilledText
  | (Span & { readonly kind: 'list'; readonly items: readonly Expression[] })
  | (Span & { readonly kind: 'map'; readonly entries: readonly MapEntry[] })
  | NamedValue
  | PythonCall;

interface PlainValue extends Span {
  readonly kind: 'value';
  readonly value: string | number | boolean | null;
}

/** An f-string. */
export interface FilledText extends Span {
  readonly kind: 'text';
  readonly parts: readonly (string | NamedValue)[];
}

export interface MapEntry {
  readonly key: string;
  readonly keyAt: Span;
  readonly value: Expression;
}

/** A variable, or a part of its value: `hotels[0].price`. */
export interface NamedValue extends Span {
  readonly kind: 'name';
  readonly name: string;
  readonly path: readonly PathStep[];
}

export interface PythonCall extends Span {
  readonly kind: 'call';
  /** The name as written, with dots: `RentalCars.GetCars`. */
  readonly tool: string;
  readonly toolAt: Span;
  readonly given: readonly Argument[];
  /** From one bracket to the other. */
  readonly givenAt: Span;
  /** The part of the result that is used: `find(1)["id"]`. */
  readonly path: readonly PathStep[];
}

export interface Argument {
  /** Absent for an argument by position. */
  readonly name?: string;
  readonly value: Expression;
}

/** `.price`, `["price"]`, `[0]`, or `[index]` with a variable. */
export interface PathStep extends Span {
  readonly key: string | number | NamedValue;
}

export interface Statement extends Span {
  /** The variable that the statement assigns. */
  readonly target?: string;
  readonly targetAt?: Span;
  readonly value: Expression;
}
