// A template as the engine takes it: read, resolved, checked; plain JSON, so that a run keeps the one it started with.

import type { Digest } from '../base/digest.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Duration } from '../base/quantity.ts';
import type { Limit, Limited } from '../budget/amount.ts';
import type { RunBudget } from '../budget/limits.ts';
import type { Declaration } from '../contract/declaration.ts';
import type { EffectsPolicy } from '../contract/effects-policy.ts';
import type { EmbeddingsProfile, ModelProfile } from '../model/profile.ts';
import type { AgentSpec } from './keys/agent.ts';
import type { HttpPolicy } from './keys/http.ts';
import type { LockSetting } from './keys/lock.ts';
import type { MissingStrategy } from './keys/missing.ts';
import type { WorkPattern } from './keys/pattern.ts';
import type { SkillSpec } from './keys/skill.ts';
import type { CapabilitySource } from './keys/source.ts';
import type { LockDifference } from './lock/difference.ts';
import type { ContextSettings, StepSpec } from './step-spec.ts';

interface Concurrency {
  /** How many attempts of one run are under way at once. */
  readonly max: number;
  /** By `concurrency_key`. */
  readonly keys: Readonly<Record<string, RateLimit>>;
  /** By the name of a capability, or by the beginning of names: `github.*`. */
  readonly capabilities?: Readonly<Record<string, RateLimit>>;
}

/** Limits what shares a concurrency key, or the calls of a capability. */
export interface RateLimit {
  /** The most at once. */
  readonly max?: number;
  /** The most that begin in any span of `per` milliseconds. */
  readonly rate?: { readonly count: number; readonly per: Duration };
}

/** A template whose runs are called like a capability, as it was loaded with the template that names it. */
export interface ChildTemplate {
  readonly template: Template;
  /** The most that a run of it uses, whatever happens; what is not named is bounded by nothing. */
  readonly most: Limit;
  /** The least and the most that it uses when nothing fails; absent in runs of earlier versions. */
  readonly usual?: { readonly least: Limit; readonly most: Limit };
}

export interface UnknownOutcome {
  readonly mode: 'ask' | 'fail';
  /** How long a person has; absent: as long as it takes. */
  readonly expiresIn?: Duration;
}

export interface Template {
  readonly language: 1;
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  readonly metadata?: JsonObject;
  /** Where it was read from, as the user named it. */
  readonly file: string;
  /** The named overlay that was chosen for it. */
  readonly environment?: string;
  /** JSON Schema of the run's input. */
  readonly input?: JsonObject;
  /** What the run answers: a value with references; absent: the results of its sinks. */
  readonly output?: Json;
  readonly budget: RunBudget;
  /** Limits that are what a run of it can use at most: nobody is warned of them. */
  readonly ample?: readonly Limited[];
  /** The budget keys that the author wrote, so that messages can tell them from defaults. */
  readonly budgetKeys: readonly string[];
  readonly context: Required<Pick<ContextSettings, 'strategy' | 'maxTokens'>> & ContextSettings;
  /** Told to every planner. */
  readonly constraints: readonly string[];
  readonly contextTags: readonly string[];
  readonly concurrency: Concurrency;
  readonly failFast: boolean;
  /** What happens when nobody knows whether a call was carried out that may be made only once; absent: a person is asked. */
  readonly unknownOutcome?: UnknownOutcome;
  /** What happens where tools or models are not as the lock file has them; absent: `usualLock`. */
  readonly lock?: LockSetting;
  /** Telemetry may carry data of its runs. */
  readonly captureContent?: true;
  /** How plans are criticised; absent: what is critical goes back to the planner. */
  readonly critic?: 'off' | 'strict';
  /** Name of the profile under `models:` that is asked about each plan beside that; absent: nobody is. */
  readonly criticModel?: string;
  /** What is tried, in this order, where nothing serves what a plan wants; absent: nothing. */
  readonly missing?: readonly MissingStrategy[];
  /** How sure planners must be of what a goal comes apart into, unless they say it themselves; absent: `ASK_BELOW`. */
  readonly askBelow?: number;
  /** How a goal is worked towards, chosen among the patterns or by name; absent: as the plan goes. */
  readonly pattern?: 'auto' | WorkPattern;
  /** Neither learns from earlier runs nor teaches later ones. */
  readonly learning?: false;
  /** Absent: risky effects of what planners and agents think of need approval, and nothing is denied. */
  readonly effects?: EffectsPolicy;
  /** Absent: nothing may be reached. */
  readonly http?: HttpPolicy;
  /** Folders that file capabilities may touch; as written, relative to the template. */
  readonly roots: readonly string[];
  readonly limits: { readonly lisp: Readonly<Record<string, number>>; readonly resultBytes: number };
  /** What `capabilities:` names; a resumed run loads them again. */
  readonly sources: readonly CapabilitySource[];
  /** What the template grants, by name, as declared when the run started. */
  readonly capabilities: Readonly<Record<string, Declaration>>;
  /** Those of them that are runs of a template, as they were when this one was loaded; absent: none is. */
  readonly templates?: Readonly<Record<string, ChildTemplate>>;
  /** Tools that were not as the lock file has them when it was loaded, and that a person is asked about; absent: none. */
  readonly differs?: readonly LockDifference[];
  /** Models that agents and planners may ask, by name. */
  readonly models: Readonly<Record<string, ModelProfile>>;
  /** Who says how alike goals and capabilities are, where words do not decide; absent: words alone. */
  readonly embeddings?: EmbeddingsProfile;
  /** Models without a price may be asked although cost is limited. */
  readonly allowsUnpriced?: true;
  /** By name. */
  readonly agents: Readonly<Record<string, AgentSpec>>;
  readonly skills: readonly SkillSpec[];
  readonly steps: readonly StepSpec[];
  /** The planning step that plans again what an authored step outside of any phase could not do; no step is called so. */
  readonly repair?: StepSpec;
  /** Of everything above. */
  readonly digest: Digest;
}
