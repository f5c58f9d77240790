// Checks that a step's input satisfies its capability's contract, as far as that is known before the run.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { defined, isJsonObject, type Json, type JsonObject, nameOfKind } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { around, namesIn, schemaAt } from '../../contract/path.ts';
import { namesAt } from '../../contract/schema.ts';
import type { Reason } from '../../contract/subtype/rule.ts';
import { satisfies } from '../../contract/subtype.ts';
import { isLisp, parseText, referenceText } from '../references.ts';
import type { Scope } from '../scope.ts';
import type { FanOutSpec, StepSpec } from '../step-spec.ts';
import { eachWork } from './paths.ts';
import { producersOf } from './producers.ts';
import { originOfItem, type ReferenceOrigin, targetOf } from './reference-targets.ts';

/** Skips values of expressions, which are only known in the run. */
export function checkContracts(scope: Scope): readonly Issue[] {
  const producers = producersOf(scope);
  return eachWork(scope, (step, at, of = step) => {
    const outer: ReferenceOrigin = { scope, producers, step: of, converges: of.convergence !== undefined };
    const origin = step === of || of.fanOut === undefined ? outer : originOfItem(outer, of.fanOut);
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
    return [...fixed, ...given, ...missing({ ...settings, ...input }, wanted, [...at, 'input'])];
  });
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
  origin: ReferenceOrigin,
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

function ofValue(value: Json, wanted: JsonObject, at: readonly PathPart[], origin: ReferenceOrigin): readonly Issue[] {
  if (isLisp(value)) return [];
  if (typeof value === 'string' && value.includes('{{')) return ofText(value, wanted, at, origin);
  if (Array.isArray(value)) {
    const items = value.flatMap((each: Json, index) => ofPart(each, schemaAt(wanted, [index]), [...at, index], origin));
    const size = { minItems: value.length, maxItems: value.length };
    return [...ofKind(value, { type: 'array', ...size }, listOnly(wanted), at), ...items];
  }
  if (!isJsonObject(value)) return ofKind(value, { const: value }, wanted, at);
  const wrongKind = ofKind(value, { type: 'object' }, kindOnly(wanted), at);
  if (wrongKind.length > 0) return wrongKind;
  const properties = Object.entries(value).flatMap(([key, each]) => ofProperty(key, each, wanted, at, origin));
  return [...properties, ...missing(value, wanted, at)];
}

function ofPart(
  value: Json,
  wanted: ReturnType<typeof schemaAt>,
  at: readonly PathPart[],
  origin: ReferenceOrigin,
): readonly Issue[] {
  return typeof wanted === 'string' ? [] : ofValue(value, wanted, at, origin);
}

/** A contract with declared properties accepts others only with `additionalProperties`. */
function ofProperty(
  key: string,
  value: Json,
  wanted: JsonObject,
  holder: readonly PathPart[],
  origin: ReferenceOrigin,
): readonly Issue[] {
  const at = [...holder, key];
  const found = schemaAt(wanted, [key]);
  if (found !== 'absent') return ofPart(value, found, at, origin);
  const known = namesIn(wanted);
  return [
    issue('INPUT_UNKNOWN_KEY', `"${key}" is no parameter of the called capability`, {
      path: at,
      hint: didYouMean(key, known) ?? `use one of ${known.join(', ')}`,
    }),
  ];
}

function missing(given: JsonObject, wanted: JsonObject, at: readonly PathPart[]): readonly Issue[] {
  return namesAt(wanted, 'required')
    .filter((name) => !Object.hasOwn(given, name))
    .map((name) =>
      issue('INPUT_MISSING_KEY', `the called capability requires "${name}"`, { path: at, hint: 'add it to "input"' }),
    );
}

/** A text that is one placeholder has the contract of the referenced value; any other text is a string. */
function ofText(text: string, wanted: JsonObject, at: readonly PathPart[], origin: ReferenceOrigin): readonly Issue[] {
  const { parts } = parseText(text);
  const [only] = parts;
  if (parts.length !== 1 || only === undefined || typeof only === 'string') {
    return ofKind(text, { type: 'string' }, kindOnly(wanted), at);
  }
  const target = targetOf(only, origin);
  if (!target.known || target.schema === undefined) return [];
  const produced = schemaAt(target.schema, target.path);
  if (typeof produced === 'string') return [];
  const whole = target.optional ? around(produced, (inside) => ({ anyOf: [inside, { type: 'null' }] })) : produced;
  const verdict = satisfies(whole, wanted);
  if (verdict.ok) return [];
  const maybeNull = target.optional && satisfies(produced, wanted).ok;
  const hint = maybeNull ? 'give a value for the case that the step is skipped, with !lisp' : undefined;
  return [mismatch(`${referenceText(only)} does not match the contract`, verdict.error, at, hint)];
}

function ofKind(value: Json, produced: JsonObject, wanted: JsonObject, at: readonly PathPart[]): readonly Issue[] {
  const verdict = satisfies(produced, wanted);
  return verdict.ok ? [] : [mismatch(`this ${nameOfKind(value)} does not match the contract`, verdict.error, at)];
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
