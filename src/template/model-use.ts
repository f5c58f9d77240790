// Decides which model a planner, a critic or a summary asks, and which planners need none.
import type { ModelProfile } from '../model/profile.ts';
import type { PlannerSpec, StepSpec } from './step-spec.ts';
import type { Template } from './template.ts';

export interface NamedModel {
  readonly name: string;
  readonly profile: ModelProfile;
  /** The models to ask in order when this one cannot be reached or refuses the request; absent: none. */
  readonly fallbacks?: readonly NamedModel[];
}

/** Finds a model profile; without a name, the profile `default` or the only one. */
export function modelNamed(
  models: Readonly<Record<string, ModelProfile>>,
  name: string | undefined,
): NamedModel | undefined {
  const names = Object.keys(models);
  const meant = name ?? (names.length === 1 ? names[0] : 'default');
  const profile = meant !== undefined && Object.hasOwn(models, meant) ? models[meant] : undefined;
  if (meant === undefined || profile === undefined) return undefined;
  const fallbacks = fallbacksOf(models, meant, new Set([meant]));
  return { name: meant, profile, ...(fallbacks.length === 0 ? {} : { fallbacks }) };
}

/** The fallbacks of a profile, each followed by its own, without repetition. */
function fallbacksOf(
  models: Readonly<Record<string, ModelProfile>>,
  name: string,
  seen: Set<string>,
): readonly NamedModel[] {
  return (models[name]?.fallback ?? []).flatMap((each): readonly NamedModel[] => {
    const profile = Object.hasOwn(models, each) ? models[each] : undefined;
    if (profile === undefined || seen.has(each)) return [];
    seen.add(each);
    return [{ name: each, profile }, ...fallbacksOf(models, each, seen)];
  });
}

/** A chain of fallbacks that returns to a profile, such as `a, b, a`; undefined when there is none. */
export function fallbackCircle(
  models: Readonly<Record<string, ModelProfile>>,
  name: string,
  way: readonly string[] = [],
): readonly string[] | undefined {
  if (way.includes(name)) return name === way[0] ? [...way, name] : undefined;
  for (const each of models[name]?.fallback ?? []) {
    const found = fallbackCircle(models, each, [...way, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

export interface PlannerModel {
  /** The name of a profile; absent: `default`, or the only profile. */
  readonly model?: string | undefined;
  /** The planner also works when no model is configured. */
  readonly isOptional?: true;
}

/** The model that a planner may ask; undefined for a planner that asks none. */
export function plannerModelOf(planner: PlannerSpec | undefined): PlannerModel | undefined {
  switch (planner?.kind) {
    case 'llm':
      return { model: planner.model };
    case 'hybrid':
      return { model: planner.model, isOptional: true };
    case 'fixed':
      return planner.model === undefined ? undefined : { model: planner.model };
    default:
      return undefined;
  }
}

/** Tells whether a planner matches the words of a goal to capabilities, for which it may ask an embeddings model. */
export function matchesByWords(planner: PlannerSpec | undefined): boolean {
  switch (planner?.kind) {
    case 'pattern':
    case 'hybrid':
      return true;
    case 'llm':
      return planner.strategy !== undefined && planner.strategy !== 'direct';
    default:
      return false;
  }
}

/** The model that criticizes plans before they are grafted; undefined when the template names none. */
export function criticModelOf({
  models,
  criticModel,
}: Pick<Template, 'models' | 'criticModel'>): NamedModel | undefined {
  return criticModel === undefined ? undefined : modelNamed(models, criticModel);
}

/** Tells whether a planner reads results whole. Only models have a limited prompt, for which results are shrunk. */
export function readsInFull(planner: PlannerSpec): boolean {
  switch (planner.kind) {
    case 'lisp':
    case 'capability':
    case 'pattern':
      return true;
    case 'fixed':
      // A model repairs a fixed plan only when the planner has no repair rule.
      return planner.repair !== undefined || planner.model === undefined;
    case 'llm':
    case 'hybrid':
      return false;
  }
}

/** The context settings of a planning step that reads a model's summary; undefined for steps that read the results. */
export function summaryFor(template: Pick<Template, 'context'>, step: StepSpec): Template['context'] | undefined {
  const { planning } = step;
  if (planning === undefined || (planning.planner !== undefined && readsInFull(planning.planner))) return undefined;
  const settings = { ...template.context, ...step.context };
  return settings.strategy === 'summary' ? settings : undefined;
}
