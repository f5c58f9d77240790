// Searches for missing capabilities that a plan names, with the strategies of the template.
import { defined, isJsonArray, isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import type { Declaration } from '../contract/declaration.ts';
import { propertyFor } from '../goals/arguments/property-name.ts';
import { type MissingCapability, missingCapabilityOf } from '../goals/plan/missing-capability.ts';
import type { Brief } from '../planning/brief.ts';
import type { Fragment } from '../planning/fragment.ts';
import { readFragment } from '../planning/read-fragment.ts';
import { eachWork } from '../template/check/paths.ts';
import type { PlannerSpec } from '../template/step-spec.ts';
import type { Asker } from './missing/model-json.ts';
import { type Means, type SearchOutcome, serve } from './missing/serve.ts';
import type { Planner, Proposal, Reply } from './planner.ts';

/** The most missing capabilities of one plan that are searched for; the review refuses any others. */
const MOST = 3;

export function withMissing(planner: Planner, kind: PlannerSpec['kind'], means: Means): Planner {
  return {
    *propose(brief) {
      const reply = yield* planner.propose(brief);
      if (!reply.ok || (learns(kind) && !isTold(brief))) return reply;
      const read = readFragment(reply.fragment);
      if (!read.ok || !('steps' in read.value)) return reply;
      return yield* complete(read.value, reply, brief, means);
    },
  };
}

/** Tells whether a planner can correct itself: it first gets the nearest names as feedback. */
function learns(kind: PlannerSpec['kind']): boolean {
  return kind === 'llm' || kind === 'hybrid' || kind === 'capability';
}

function isTold({ feedback = [] }: Brief): boolean {
  return feedback.some(({ code }) => code === 'FRAGMENT_UNKNOWN_CAPABILITY');
}

function* complete(fragment: Fragment, reply: Reply & { readonly ok: true }, brief: Brief, means: Means): Proposal {
  const wanted = wantedIn(fragment, brief);
  if (wanted.length === 0) return reply;
  const asker: Asker = { model: means.model, asked: 0 };
  const own: JsonObject[] = [];
  const found: Declaration[] = [...(reply.found ?? [])];
  let plan: JsonObject = fragment.raw;
  for (const each of wanted.slice(0, MOST)) {
    const served: SearchOutcome = yield* serve(each, brief, asker, means);
    switch (served.kind) {
      case 'failed':
        return { ok: false, failure: served.failure };
      case 'none':
        return { ok: true, fragment: { impossible: served.why, suggestions: [...served.suggestions] } };
      case 'own':
        own.push(served.capability);
        break;
      case 'found':
        found.push(served.declaration);
        plan = renamed(plan, each.name, served.declaration.name, served.declaration.input ?? {});
        break;
      case 'use': {
        const line = brief.capabilities.find(({ name }) => name === served.name);
        plan = renamed(plan, each.name, served.name, line?.input ?? {});
        break;
      }
    }
  }
  const before = isJsonArray(plan.capabilities) ? plan.capabilities : [];
  const brought = own.length === 0 ? {} : { capabilities: [...before, ...own] };
  return { ok: true, fragment: { ...plan, ...brought }, ...(found.length === 0 ? {} : { found }) };
}

/** The distinct missing capabilities of a plan. */
function wantedIn({ steps, capabilities = [] }: Fragment, brief: Brief): readonly MissingCapability[] {
  const known = new Set([...brief.capabilities, ...capabilities].map(({ name }) => name));
  const wanted = new Map<string, MissingCapability>();
  eachWork({ steps }, ({ capability, description, input }) => {
    if (capability !== undefined && !known.has(capability) && !wanted.has(capability)) {
      wanted.set(capability, missingCapabilityOf(capability, description, input, brief.capabilities));
    }
    return [];
  });
  return [...wanted.values()];
}

/** Replaces a capability in the plan, and renames arguments to the new capability's properties. */
function renamed(plan: JsonObject, from: string, to: string, contract: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(plan).map(([key, value]) => [key, key === 'steps' ? inSteps(value, from, to, contract) : value]),
  );
}

function inSteps(value: Json, from: string, to: string, contract: JsonObject): Json {
  if (isJsonArray(value)) return value.map((each) => inSteps(each, from, to, contract));
  if (!isJsonObject(value)) return value;
  const { capability, handler, input } = value;
  const inner = defined({ do: value.do === undefined ? undefined : inSteps(value.do, from, to, contract) });
  if (capability !== from && handler !== from) return { ...value, ...inner };
  const called = capability === from ? { capability: to } : { handler: to };
  return { ...value, ...inner, ...called, ...(isJsonObject(input) ? { input: underNamesOf(contract, input) } : {}) };
}

function underNamesOf(contract: JsonObject, input: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [propertyFor(key, contract) ?? key, value] as const),
  );
}
