// Makes one capability from a composition: calls its parts in order, and checks each call against its contract.
import { issue, pathText } from '../base/issue.ts';
import { defined, isJsonObject, type Json } from '../base/json.ts';
import { bad, good, type Result } from '../base/result.ts';
import { contractOf } from '../contract/contract.ts';
import { type Declaration, effects, isMutating } from '../contract/declaration.ts';
import { compileCached } from '../lisp/compile-cached.ts';
import { run as runLisp } from '../lisp/run.ts';
import { toJson } from '../lisp/to-json.ts';
import { checkComposition } from '../template/check/compositions.ts';
import { interpolate } from '../template/interpolate.ts';
import { type CompositionSpec, type CompositionStep, resultOfComposition } from '../template/keys/composition.ts';
import { valueAt } from '../template/references.ts';
import { callCapability } from './call.ts';
import { type CallCost, shownCost } from './call-cost.ts';
import { type CallContext, type Capability, defineCapability } from './capability.ts';
import { CapabilityError } from './capability-error.ts';
import { fromNow } from './evaluate-lisp.ts';
import { fillReferences } from './fill-references.ts';

export type CompositionParts = ReadonlyMap<string, Capability>;

/**
 * Issues point into the composition.
 * @param parts the capabilities that the composition may call
 */
export function compose(spec: CompositionSpec, parts: CompositionParts): Result<Capability> {
  const declarations = Object.fromEntries([...parts].map(([name, { declaration }]) => [name, declaration]));
  const issues = checkComposition(spec, declarations);
  if (issues.some(({ severity }) => severity === 'error')) return bad(issues);
  const used = spec.steps.flatMap(({ call }) => parts.get(call) ?? []);
  const capability = defineCapability({
    name: spec.name,
    description: spec.description,
    ...contractIn(spec.input, 'input'),
    ...contractIn(spec.output, 'output'),
    ...summed(used.map(({ declaration }) => declaration)),
    run: (input, ctx) => runComposition(spec, ({ call }) => parts.get(call), input, ctx),
  });
  if (capability.issues.length > 0) return bad([...issues, ...capability.issues]);
  const approval = strictest(used.map(({ declaration }) => declaration));
  return good({ ...capability, declaration: { ...capability.declaration, ...approval } }, issues);
}

/** A composition needs every approval that one of its parts needs. */
function strictest(declarations: readonly Declaration[]): Pick<Declaration, 'approval'> {
  const approval = (['each', 'always'] as const).find((each) => declarations.some((part) => part.approval === each));
  return defined({ approval });
}

function contractIn<Key extends string>(source: Json | undefined, key: Key): { readonly [K in Key]?: string } {
  return typeof source === 'string' || isJsonObject(source) ? ({ [key]: source } as { [K in Key]?: string }) : {};
}

type PartTotals = Pick<Declaration, 'effects' | 'tags' | 'repeat'> & { readonly cost: CallCost };

/** Sums effects and costs; the composition may be repeated as its one mutating part may. */
function summed(declarations: readonly Declaration[]): PartTotals {
  const has = new Set(declarations.flatMap((each) => each.effects));
  const changing = declarations.find(isMutating);
  const repeat = changing === undefined ? 'safe' : changing.repeat;
  const sum = (of: (cost: Declaration['cost']) => number | undefined): number =>
    declarations.reduce((total, { cost }) => total + (of(cost) ?? 0), 0);
  const micro = sum(({ micro_dollars }) => micro_dollars);
  return {
    effects: effects.filter((effect) => has.has(effect)),
    tags: [...new Set(declarations.flatMap(({ tags }) => tags))],
    cost: shownCost({ ms: sum(({ ms }) => ms), ...(micro === 0 ? {} : { micro_dollars: micro }) }),
    ...defined({ repeat }),
  };
}

/** @throws CapabilityError the failure of a call, with the name of the step that failed */
export async function runComposition(
  spec: CompositionSpec,
  partFor: (step: CompositionStep) => Capability | undefined,
  input: Json,
  ctx: CallContext,
): Promise<Json> {
  const results: Record<string, Json> = {};
  for (const step of spec.steps) {
    const part = partFor(step);
    if (part === undefined) throw gone(step);
    const given = filled(fillReferences(step.input, ctx), input, results);
    const called = await callCapability(part, given, { ...ctx, idempotencyKey: `${ctx.idempotencyKey}/${step.name}` });
    if (!called.ok) {
      const { code, message, retry, retryAfter, fate: own } = called.error;
      // Only the last call changes anything: when an earlier call fails, nothing was done.
      const fate = isMutating(part.declaration) ? own : 'refused';
      throw new CapabilityError(code, `${step.name}: ${message}`, {
        retry,
        ...defined({ fate, retryAfter }),
      });
    }
    results[step.name] = checkedOutput(part, step, called.value);
  }
  return filled(resultOfComposition(spec), input, results);
}

function checkedOutput({ declaration }: Capability, { name }: CompositionStep, value: Json): Json {
  const checked = contractOf(declaration.output ?? {}).check(value);
  if (checked.ok) return checked.value;
  const [first] = checked.error;
  const where = first === undefined || first.path.length === 0 ? '' : ` at ${pathText(first.path)}`;
  throw new CapabilityError(
    'OUTPUT_INVALID',
    `${name}: the result breaks its contract${where}: ${first?.message ?? ''}`,
  );
}

function filled(value: Json, input: Json, results: Readonly<Record<string, Json>>): Json {
  const answer = interpolate(
    value,
    (root, path) =>
      root === 'input' ? valueAt(input, path) : root === 'results' ? valueAt({ ...results }, path) : undefined,
    ({ $lisp }) => evaluated($lisp, { input, results: { ...results } }),
  );
  if (answer.ok) return answer.value;
  const [first] = answer.error;
  const message = answer.error.map((each) => each.message).join('; ');
  throw new CapabilityError(first?.code ?? 'REFERENCE_UNRESOLVED', message, { retry: 'never' });
}

function evaluated(source: string, data: Readonly<Record<string, Json>>): Result<Json> {
  const compiled = compileCached(source, { bindings: Object.keys(data) });
  if (!compiled.ok) return compiled;
  const time = fromNow();
  const outcome = runLisp(compiled.value, data, time);
  if (!outcome.ok) return bad([issue(outcome.error.code, outcome.error.message)]);
  const json = toJson(outcome.value, time);
  return json.ok ? good(json.value) : bad([issue(json.error.code, json.error.message)]);
}

function gone({ call }: CompositionStep): CapabilityError {
  return new CapabilityError('CAPABILITY_UNKNOWN', `there is no capability "${call}"`, { retry: 'never' });
}
