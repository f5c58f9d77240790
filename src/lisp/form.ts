// Forms: what the reader makes of the text. Each knows where it stands, as offsets in the source.

export type Form =
  | ScalarForm
  | NameForm
  | { readonly kind: 'regex'; readonly source: string; readonly start: number; readonly end: number }
  | Nested;

interface ScalarForm {
  readonly kind: 'scalar';
  readonly value: null | boolean | number | string;
  readonly start: number;
  readonly end: number;
}

export interface NameForm {
  readonly kind: 'symbol' | 'keyword';
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** `function` is `#(…)`. */
export interface Nested {
  readonly kind: 'list' | 'vector' | 'map' | 'set' | 'function';
  readonly items: readonly Form[];
  readonly start: number;
  readonly end: number;
}

export function list(items: readonly Form[], at: { readonly start: number; readonly end: number }): Nested {
  return { kind: 'list', items, start: at.start, end: at.end };
}

export function isSymbolForm(form: Form | undefined): form is NameForm & { readonly kind: 'symbol' } {
  return form?.kind === 'symbol';
}

/** Whether it is the symbol of this name. */
export function isNamed(form: Form | undefined, text: string): boolean {
  return form?.kind === 'symbol' && form.name === text;
}

/** Whether it is the keyword of this name. */
export function isKeywordNamed(form: Form | undefined, text: string): boolean {
  return form?.kind === 'keyword' && form.name === text;
}
