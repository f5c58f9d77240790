// Forms: the syntax tree from the reader. Each form knows its offsets in the source.

export type Form =
  | ScalarForm
  | NameForm
  | { readonly kind: 'regex'; readonly source: string; readonly start: number; readonly end: number }
  | BracketForm;

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

/** `function` means `#(…)`. */
export interface BracketForm {
  readonly kind: 'list' | 'vector' | 'map' | 'set' | 'function';
  readonly items: readonly Form[];
  readonly start: number;
  readonly end: number;
}

export function list(items: readonly Form[], at: { readonly start: number; readonly end: number }): BracketForm {
  return { kind: 'list', items, start: at.start, end: at.end };
}

export function isSymbolForm(form: Form | undefined): form is NameForm & { readonly kind: 'symbol' } {
  return form?.kind === 'symbol';
}

/** True for the symbol with this name. */
export function isNamed(form: Form | undefined, text: string): boolean {
  return form?.kind === 'symbol' && form.name === text;
}

/** True for the keyword with this name. */
export function isKeywordNamed(form: Form | undefined, text: string): boolean {
  return form?.kind === 'keyword' && form.name === text;
}
