// Checks that a step's input satisfies its capability's contract, as far as that is known before the run.
import { type Issue, issue, type PathPart, pathText } from '../../base/issue.ts';
import { defined, isJsonObject, type Json, type JsonObject, nameOfKind } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { around, namesIn, schemaAt } from '../../contract/path.ts';
import { namesAt } from '../../contract/schema.ts';
import type { Reason } from '../../contract/subtype/rule.ts';
import { satisfies } from '../../contract/subtype.ts';
import { isLisp, parseText, type Reference, referenceText } from '../references.ts';
import type { Scope } from '../scope.ts';
import type { FanOutSpec, StepSpec } from '../step-spec.ts';
import { conversionHint, kindText, literalHint, nameOfType, sourceName } from './mismatch-words.ts';
import { eachWork } from './paths.ts';
import { producersOf } from './producers.ts';
import { originOfItem, type ReferenceOrigin, targetOf } from './reference-targets.ts';

/** Skips values of expressions, which are only known in the run. */
export function checkContracts(scope: Scope): readonly Issue[] {
  const producers = producersOf(scope);
  return eachWork(scope, (step, at, of = step) => {
    const outer: ReferenceOrigin = { scope, producers, step: of, converges: of.convergence !== undefined };
    const inner = step === of || of.fanOut === undefined ? outer : originOfItem(outer, of.fanOut);
    const origin: CheckedCall = { ...inner, called: step.capability, input: at.length + 1 };
    const list = step.fanOut === undefined ? [] : ofList(step.fanOut, at, origin);
    const wanted = inputContract(step, scope);
    if (wanted === undefined) return list;
    const settings = step.initialization ?? {};
    const fixed = Object.entries(settings).flatMap(([key, value]) =>
      ofProperty(key, value, wanted, [...at, 'handler', 'initialization'], origin),
    );
    const { input } = step;
    if (input !== undefined && (!isJsonObject(input) || isLisp(input))) {
      return [...fixed, ...ofValue(input, wanted, [...at, 'input'], origin)];
    }
    const given = Object.entries(input ?? {}).flatMap(([key, value]) =>
      ofProperty(key, value, wanted, [...at, 'input'], origin),
    );
    const absent = missing({ ...settings, ...input }, wanted, [...at, 'input'], origin);
    return [...fixed, ...withoutMisspelled(withOnlyName([...given, ...absent]))];
  });
}

/** The call whose input is checked. */
interface CheckedCall extends ReferenceOrigin {
  /** The capability; absent for the list of a fan-out. */
  readonly called: string | undefined;
  /** The number of parts of the path to the input. */
  readonly input: number;
}

/** The only unknown parameter is probably the only missing one under another name. */
function withOnlyName(found: readonly Issue[]): readonly Issue[] {
  const [missed, secondMissed] = found.filter(({ code }) => code === 'INPUT_MISSING_KEY');
  const [unknown, secondUnknown] = found.filter(({ code }) => code === 'INPUT_UNKNOWN_KEY');
  const name = /"([\w-]+)"$/.exec(missed?.message ?? '')?.[1];
  const isOnly = name !== undefined && secondMissed === undefined && secondUnknown === undefined;
  if (!isOnly || missed === undefined || unknown?.hint?.startsWith('use one of') !== true) return found;
  if (unknown.path.length !== missed.path.length + 1) return found;
  const hint = `write ${name}: in place of "${unknown.path.at(-1)}"`;
  return found.map((each) => (each === unknown ? { ...each, hint } : each));
}

/** A missing parameter that is there under a misspelled name is not reported too. */
function withoutMisspelled(found: readonly Issue[]): readonly Issue[] {
  const meant = found.flatMap(({ code, hint = '' }) =>
    code === 'INPUT_UNKNOWN_KEY'
      ? (/^(?:did you mean "([^"]*)"\?|write ([\w-]+): .*)$/.exec(hint)?.slice(1) ?? [])
      : [],
  );
  return found.filter(
    ({ code, message }) =>
      code !== 'INPUT_MISSING_KEY' || !meant.some((each) => each && message.endsWith(` "${each}"`)),
  );
}

function inputContract({ capability }: StepSpec, { declarations }: Scope): JsonObject | undefined {
  return capability !== undefined && Object.hasOwn(declarations, capability)
    ? declarations[capability]?.input
    : undefined;
}

/** Checks that a fan-out gets a list, and that a literal list is not longer than the fan-out is wide. */
function ofList(
  { forEach, maxWidth, batchSize }: FanOutSpec,
  at: readonly PathPart[],
  origin: CheckedCall,
): readonly Issue[] {
  const path = [...at, 'for_each'];
  if (!Array.isArray(forEach) || batchSize !== undefined || forEach.length <= maxWidth) {
    return ofValue(forEach, { type: 'array' }, path, origin);
  }
  return [
    issue('FAN_OUT_TOO_WIDE', `the list has ${forEach.length} items, and the fan_out may become ${maxWidth} steps`, {
      path,
      hint: 'raise "max_width", or give each step several items with "batch_size"',
    }),
  ];
}

function ofValue(value: Json, wanted: JsonObject, at: readonly PathPart[], origin: CheckedCall): readonly Issue[] {
  if (isLisp(value)) return [];
  if (typeof value === 'string' && value.includes('{{')) return ofText(value, wanted, at, origin);
  if (Array.isArray(value)) {
    const items = value.flatMap((each: Json, index) => ofPart(each, schemaAt(wanted, [index]), [...at, index], origin));
    const size = { minItems: value.length, maxItems: value.length };
    return [...ofKind(value, { type: 'array', ...size }, listOnly(wanted), at, origin), ...items];
  }
  if (!isJsonObject(value)) return ofKind(value, { const: value }, wanted, at, origin);
  const wrongKind = ofKind(value, { type: 'object' }, kindOnly(wanted), at, origin);
  if (wrongKind.length > 0) return wrongKind;
  const properties = Object.entries(value).flatMap(([key, each]) => ofProperty(key, each, wanted, at, origin));
  return [...properties, ...missing(value, wanted, at, origin)];
}

function ofPart(
  value: Json,
  wanted: ReturnType<typeof schemaAt>,
  at: readonly PathPart[],
  origin: CheckedCall,
): readonly Issue[] {
  return typeof wanted === 'string' ? [] : ofValue(value, wanted, at, origin);
}

/** A contract with declared properties accepts others only with `additionalProperties`. */
function ofProperty(
  key: string,
  value: Json,
  wanted: JsonObject,
  holder: readonly PathPart[],
  origin: CheckedCall,
): readonly Issue[] {
  const at = [...holder, key];
  const found = schemaAt(wanted, [key]);
  if (found !== 'absent') return ofPart(value, found, at, origin);
  const known = namesIn(wanted);
  const [, glued = '', rest = ''] = /^([\w-]+):(.+)$/.exec(key) ?? [];
  if (known.includes(glued)) {
    const hint = `write ${glued}: ${rest}`;
    return [issue('INPUT_UNKNOWN_KEY', `a space is missing after "${glued}:"`, { path: at, hint })];
  }
  const message =
    holder.length <= origin.input
      ? `${origin.called ?? 'the capability'} has no parameter "${key}"`
      : `${partName(holder, origin)} has no key "${key}"`;
  const hint = didYouMean(key, known) ?? (known.length === 0 ? 'leave it out' : `use one of ${known.join(', ')}`);
  return [issue('INPUT_UNKNOWN_KEY', message, { path: at, hint })];
}

/** `parameter "take" of csv.read`, or the part of it. */
function partName(at: readonly PathPart[], { called, input }: CheckedCall): string {
  const of = called === undefined ? '' : ` of ${called}`;
  const inside = at.slice(input);
  if (inside.length === 0) return called === undefined ? 'the list' : `the input${of}`;
  return `parameter "${pathText(inside)}"${of}`;
}

function missing(
  given: JsonObject,
  wanted: JsonObject,
  at: readonly PathPart[],
  origin: CheckedCall,
): readonly Issue[] {
  const isInput = at.length === origin.input;
  const who = isInput ? `${origin.called ?? 'the capability'} needs the parameter` : `${partName(at, origin)} needs`;
  return namesAt(wanted, 'required')
    .filter((name) => !Object.hasOwn(given, name))
    .map((name) =>
      issue('INPUT_MISSING_KEY', `${who} "${name}"`, {
        path: at,
        hint: `add ${name}: … to ${isInput ? 'input' : `"${String(at.at(-1))}"`}`,
      }),
    );
}

/** A text that is one placeholder has the contract of the referenced value; any other text is a string. */
function ofText(text: string, wanted: JsonObject, at: readonly PathPart[], origin: CheckedCall): readonly Issue[] {
  const { parts } = parseText(text);
  const [only] = parts;
  if (parts.length !== 1 || only === undefined || typeof only === 'string') {
    return ofKind(text, { type: 'string' }, kindOnly(wanted), at, origin);
  }
  const target = targetOf(only, origin);
  if (!target.known || target.schema === undefined) return [];
  const produced = schemaAt(target.schema, target.path);
  if (typeof produced === 'string') return [];
  const whole = target.optional ? around(produced, (inside) => ({ anyOf: [inside, { type: 'null' }] })) : produced;
  const verdict = satisfies(whole, wanted);
  if (verdict.ok) return [];
  const maybeNull = target.optional && satisfies(produced, wanted).ok;
  if (maybeNull) {
    const hint = 'give a value for the case that the step is skipped, with !lisp';
    return [mismatch(`${referenceText(only)} does not match the contract`, verdict.error, at, hint)];
  }
  const [is, must] = [kindText(produced), kindText(wanted)];
  if (is === undefined || must === undefined || is === must) {
    const hint = `change the contract of ${sourceName(only)}, or take another value`;
    return [mismatch(`${referenceText(only)} does not match the contract`, verdict.error, at, hint)];
  }
  const verb = only.path.length === 1 && only.root === 'results' ? 'returns' : 'is';
  return [
    issue('CONTRACT_MISMATCH', `${partName(at, origin)} must be ${must}, but ${sourceName(only)} ${verb} ${is}`, {
      path: at,
      hint: partHint(only, produced, wanted) ?? conversionHint(only, is, must),
    }),
  ];
}

/** A part of the value that fits, if there is one. */
function partHint(only: Reference, produced: JsonObject, wanted: JsonObject): string | undefined {
  const { properties } = produced;
  const fitting = isJsonObject(properties)
    ? Object.entries(properties).find(([, each]) => isJsonObject(each) && satisfies(each, wanted).ok)
    : undefined;
  return fitting && `take a part of it: {{ ${referenceText({ ...only, path: [...only.path, fitting[0]] })} }}`;
}

function ofKind(
  value: Json,
  produced: JsonObject,
  wanted: JsonObject,
  at: readonly PathPart[],
  origin: CheckedCall,
): readonly Issue[] {
  const verdict = satisfies(produced, wanted);
  if (verdict.ok) return [];
  const must = kindText(wanted);
  const is = kindText({ type: nameOfType(value) });
  const hint = literalHint(value, wanted);
  if (must === undefined || is === undefined || must === is) {
    return [mismatch(`${partName(at, origin)} does not take this ${nameOfKind(value)}`, verdict.error, at, hint)];
  }
  return [issue('CONTRACT_MISMATCH', `${partName(at, origin)} must be ${must}, but this is ${is}`, { path: at, hint })];
}

function mismatch(what: string, reasons: readonly Reason[], at: readonly PathPart[], hint?: string): Issue {
  const why = reasons[0]?.message;
  return issue('CONTRACT_MISMATCH', why === undefined ? what : `${what}: ${why}`, { path: at, hint });
}

/** Keeps the demand on the type; the parts of a value are checked separately. */
function kindOnly({ type }: JsonObject): JsonObject {
  return defined({ type });
}

/** Keeps the demands on a list itself and drops those on its items. */
function listOnly({ type, minItems, maxItems }: JsonObject): JsonObject {
  return {
    ...defined({ type, minItems, maxItems }),
  };
}
