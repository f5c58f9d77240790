// Searches for missing capabilities that a plan names, with the strategies of the template.
import { defined, isJsonArray, isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { good } from '../base/result.ts';
import { propertyFor } from '../goals/arguments/property-name.ts';
import { type MissingCapability, missingCapabilityOf } from '../goals/plan/missing-capability.ts';
import type { Brief } from '../planning/brief.ts';
import type { Fragment } from '../planning/fragment.ts';
import { readFragment } from '../planning/read-fragment.ts';
import { eachWork } from '../template/check/paths.ts';
import type { PlannerSpec } from '../template/step-spec.ts';
import type { SearchMeans, ServingCapability } from './missing/search-capability.ts';
import { capabilitySearch } from './missing/search-for-plan.ts';
import type { Planner, Proposal, ProposedPlan } from './planner.ts';

/** The most missing capabilities of one plan that are searched for; the review refuses any others. */
const MOST = 3;

export function withMissing(planner: Planner, kind: PlannerSpec['kind'], means: SearchMeans): Planner {
  return {
    *propose(brief) {
      const reply = yield* planner.propose(brief);
      if (!reply.ok || (learns(kind) && !isTold(brief))) return reply;
      const read = readFragment(reply.value.fragment);
      if (!read.ok || !('steps' in read.value)) return reply;
      return yield* complete(read.value, reply.value, brief, means);
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

function* complete(fragment: Fragment, plan: ProposedPlan, brief: Brief, means: SearchMeans): Proposal {
  const missing = missingIn(fragment, brief);
  if (missing.length === 0) return good(plan);
  const { search, complete: withFound } = capabilitySearch(brief, means);
  let raw: JsonObject = fragment.raw;
  for (const each of missing.slice(0, MOST)) {
    const served = yield* search(each);
    if (!served.ok) return served.error;
    raw = servedBy(served.value, each, raw);
  }
  return good(withFound(raw, plan.found));
}

/** A capability that the plan brings itself has the missing name; any other replaces it. */
function servedBy(serving: ServingCapability, { name }: MissingCapability, plan: JsonObject): JsonObject {
  if (serving.kind === 'own') return plan;
  const { name: to, input = {} } = serving.kind === 'granted' ? serving.line : serving.declaration;
  return renamed(plan, name, to, input);
}

/** The distinct missing capabilities of a plan. */
function missingIn({ steps, capabilities = [] }: Fragment, brief: Brief): readonly MissingCapability[] {
  const known = new Set([...brief.capabilities, ...capabilities].map(({ name }) => name));
  const missing = new Map<string, MissingCapability>();
  eachWork({ steps }, ({ capability, description, input }) => {
    if (capability !== undefined && !known.has(capability) && !missing.has(capability)) {
      missing.set(capability, missingCapabilityOf(capability, description, input, brief.capabilities));
    }
    return [];
  });
  return [...missing.values()];
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
