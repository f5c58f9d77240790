// Searches for the missing capabilities of a goal's tasks, and keeps the results for the plan.
import { type JsonObject, ownProperty } from '../../base/json.ts';
import type { Declaration } from '../../contract/declaration.ts';
import { schemaOf } from '../../contract/schema.ts';
import type { Call, CallOutcome } from '../../engine/record/call.ts';
import type { CapabilityLine } from '../../goals/capability-lines.ts';
import type { MissingCapability } from '../../goals/plan/missing-capability.ts';
import type { Brief } from '../../planning/brief.ts';
import type { Question, Reply } from '../planner.ts';
import type { Asker } from './model-json.ts';
import { type Means, serve } from './serve.ts';

interface Search {
  /** Found capabilities, by description of the task. */
  readonly served: ReadonlyMap<string, CapabilityLine>;
  /** Returns a reply when the search fails and planning ends. */
  search(wanted: MissingCapability): Generator<Call | Question, Reply | undefined, CallOutcome>;
  /** Adds own capabilities and found declarations to a plan. */
  brought(plan: JsonObject): { readonly fragment: JsonObject; readonly found?: readonly Declaration[] };
}

export function searchFor(brief: Brief, means: Means | undefined): Search {
  const served = new Map<string, CapabilityLine>();
  const own: JsonObject[] = [];
  const found: Declaration[] = [];
  const asker: Asker = { model: means?.model, asked: 0 };
  return {
    served,
    *search(wanted) {
      if (means === undefined) return undefined;
      const result = yield* serve(wanted, brief, asker, means);
      switch (result.kind) {
        case 'failed':
          return { ok: false, failure: result.failure };
        case 'none':
          return { ok: true, fragment: { impossible: result.why, suggestions: [...result.suggestions] } };
        case 'use': {
          const line = brief.capabilities.find(({ name }) => name === result.name);
          if (line !== undefined) served.set(wanted.description, line);
          return undefined;
        }
        case 'found':
          found.push(result.declaration);
          served.set(wanted.description, result.declaration);
          return undefined;
        case 'own':
          own.push(result.capability);
          served.set(wanted.description, lineOf(wanted, result.capability));
          return undefined;
      }
    },
    brought: (plan) => ({
      fragment: own.length === 0 ? plan : { ...plan, capabilities: own },
      ...(found.length === 0 ? {} : { found }),
    }),
  };
}

/** A written capability as a brief line; without `input` when it takes the whole task as text. */
function lineOf({ name, description }: MissingCapability, capability: JsonObject): CapabilityLine {
  const input = schemaOf(capability.input ?? null);
  const takesTask = ownProperty(input.properties ?? null, 'task') !== undefined;
  return { name, description, effects: ['pure'], ...(takesTask ? {} : { input }) };
}
