// Checks the options that a program passes to a function of the library: unknown names, and values of a wrong type.
import { type Issue, issue } from './issue.ts';
import { didYouMean } from './nearest.ts';

const tests = {
  any: () => true,
  text: (value: unknown) => typeof value === 'string',
  flag: (value: unknown) => typeof value === 'boolean',
  number: (value: unknown) => typeof value === 'number' && !Number.isNaN(value),
  count: (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0,
  function: (value: unknown) => typeof value === 'function',
  list: (value: unknown) => Array.isArray(value),
  map: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
} as const;

export type OptionKind = keyof typeof tests;

const words: Readonly<Record<OptionKind, string>> = {
  any: 'a value',
  text: 'a text',
  flag: 'true or false',
  number: 'a number',
  count: 'a whole number, 0 or more',
  function: 'a function',
  list: 'a list',
  map: 'an object',
};

/** The kind of value of each option of `T`. The compiler reports an option that the table lacks. */
export type OptionTable<T> = { readonly [Name in keyof Required<T>]: OptionKind };

/** Names of other places with a function that tells how to write the option there. */
export type OptionHint = (name: string) => string | undefined;

/**
 * The issues of the options that a call of `callee` received: OPTION_UNKNOWN and OPTION_INVALID. An option with the value
 * `undefined` is an absent option.
 */
export function optionIssues(
  callee: string,
  given: unknown,
  table: Readonly<Record<string, OptionKind>>,
  hintFor: OptionHint = () => undefined,
): readonly Issue[] {
  if (given === undefined) return [];
  if (!tests.map(given)) {
    return [issue('OPTION_INVALID', `the options of ${callee} must be an object`, { hint: optionsText(table) })];
  }
  return Object.entries(Object(given)).flatMap(([name, value]): readonly Issue[] => {
    if (!Object.hasOwn(table, name)) {
      const hint = hintFor(name) ?? didYouMean(name, Object.keys(table)) ?? optionsText(table);
      return [issue('OPTION_UNKNOWN', `${callee} has no option "${name}"`, { path: [name], hint })];
    }
    const kind = table[name] ?? 'any';
    if (value === undefined || tests[kind](value)) return [];
    const message = `the option "${name}" of ${callee} must be ${words[kind]}`;
    return [issue('OPTION_INVALID', message, { path: [name] })];
  });
}

function optionsText(table: Readonly<Record<string, OptionKind>>): string {
  return `its options are ${Object.keys(table).join(', ')}`;
}

/** A call of the library with options that do not exist or have values of a wrong type. */
export class OptionsRefused extends TypeError {
  override readonly name = 'OptionsRefused';
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[]) {
    super(issues.map(({ message, hint }) => (hint === undefined ? message : `${message} (${hint})`)).join('; '));
    this.issues = issues;
  }
}

/** For functions that return no `Result`. @throws OptionsRefused */
export function refuseOptions(callee: string, given: unknown, table: Readonly<Record<string, OptionKind>>): void {
  const issues = optionIssues(callee, given, table);
  if (issues.length > 0) throw new OptionsRefused(issues);
}
