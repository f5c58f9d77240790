// Searches for the capabilities that a plan lacks, and adds what it found to the plan.
import { isJsonArray, type JsonObject } from '../../base/json.ts';
import type { Result } from '../../base/result.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { MissingCapability } from '../../goals/plan/missing-capability.ts';
import type { Brief } from '../../planning/brief.ts';
import type { PlannerReply, PlannerWork, ProposedPlan } from '../planner.ts';
import type { Asker } from './model-json.ts';
import { type SearchMeans, type ServingCapability, searchCapability } from './search-capability.ts';

interface CapabilitySearch {
  /** The error is the planner's reply: the search failed, or found nothing. */
  search(wanted: MissingCapability): PlannerWork<Result<ServingCapability, PlannerReply>>;
  /** Adds written capabilities and found declarations to a plan. */
  complete(fragment: JsonObject, found?: readonly Declaration[]): ProposedPlan;
}

/** All searches for one plan share the limit of requests to a model. */
export function capabilitySearch(brief: Brief, means: SearchMeans): CapabilitySearch {
  const own: JsonObject[] = [];
  const declarations: Declaration[] = [];
  const asker: Asker = { model: means.model, asked: 0 };
  return {
    *search(wanted) {
      const served = yield* searchCapability(wanted, brief, asker, means);
      if (served.ok && served.value.kind === 'own') own.push(served.value.capability);
      if (served.ok && served.value.kind === 'found') declarations.push(served.value.declaration);
      return served;
    },
    complete(fragment, found = []) {
      const before = isJsonArray(fragment.capabilities) ? fragment.capabilities : [];
      const all = [...found, ...declarations];
      return {
        fragment: own.length === 0 ? fragment : { ...fragment, capabilities: [...before, ...own] },
        ...(all.length === 0 ? {} : { found: all }),
      };
    },
  };
}
