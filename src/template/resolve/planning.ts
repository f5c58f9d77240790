// What a planning step asks for, and of whom.
import type { JsonObject } from '../../base/json.ts';
import type { PlannerSpec, PlanningSpec } from '../step-spec.ts';
import { lispAt, mapAt, numberAt, textAt, wordsAt } from './readers.ts';

const PROPOSALS = 3;

/** `inherited`: who plans when a nested step does not say. */
export function readPlanning(raw: JsonObject, inherited: PlannerSpec | undefined): PlanningSpec {
  const settings = mapAt(raw, 'planner');
  const planner = settings === undefined ? inherited : readPlanner(settings);
  const goal = textAt(raw, 'goal');
  const target = textAt(raw, 'convergence_target');
  return {
    ...(planner === undefined ? {} : { planner }),
    ...(goal === undefined ? {} : { goal }),
    allow: wordsAt(raw, 'allow'),
    deny: wordsAt(raw, 'deny'),
    constraints: wordsAt(raw, 'constraints'),
    ...(target === undefined ? {} : { target }),
    maxAttempts: numberAt(raw, 'max_attempts') ?? PROPOSALS,
  };
}

function readPlanner(settings: JsonObject): PlannerSpec | undefined {
  const source = lispAt(settings, 'source');
  const repair = lispAt(settings, 'repair');
  const name = textAt(settings, 'name');
  switch (settings.kind) {
    case 'lisp':
      return source && { kind: 'lisp', source, ...(repair === undefined ? {} : { repair }) };
    case 'fixed': {
      const { fragment } = settings;
      return fragment === undefined
        ? undefined
        : { kind: 'fixed', fragment, ...(repair === undefined ? {} : { repair }) };
    }
    case 'capability':
      return name === undefined ? undefined : { kind: 'capability', name };
    case 'llm':
    case 'pattern':
    case 'hybrid':
      return { kind: settings.kind, settings };
    default:
      return undefined;
  }
}
