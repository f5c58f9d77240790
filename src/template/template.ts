// A resolved and checked template. It is plain JSON, because a run keeps the template that it started with.
import type { Digest } from '../base/digest.ts';
import type { Limit, LimitedResource } from '../budget/amount.ts';
import type { RunBudget } from '../budget/limits.ts';
import type { Declaration } from '../contract/declaration.ts';
import type { EmbeddingsProfile, ModelProfile } from '../model/profile.ts';
import type { AgentSpec, SkillSpec } from './keys/agent.ts';
import type { CapabilitySource } from './keys/source.ts';
import type { LockDifference } from './lock/difference.ts';
import type { CriticSettings, TemplateKeys } from './schema/template.ts';
import type { StepSpec } from './step-spec.ts';

export type { RateLimit } from './keys/concurrency.ts';

/** A child template, whose runs are called like a capability. */
export interface ChildTemplate {
  readonly template: Template;
  /** The most that one run of it can use; absent resources have no bound. */
  readonly most: Limit;
  /** The least and the most that one run uses when nothing fails; absent in runs of earlier versions. */
  readonly usual?: { readonly least: Limit; readonly most: Limit };
}

/** A resolved and checked template. The keys that authors write are described in the reference of keys; their names are in camel case here. */
export interface Template extends Omit<TemplateKeys, 'critic'>, CriticSettings {
  readonly language: 1;
  /** The path as the user gave it. */
  readonly file: string;
  /** The chosen environment. */
  readonly environment?: string;
  readonly budget: RunBudget;
  /** Limits that equal the most that a run can use, so that no warning about them is needed. */
  readonly ample?: readonly LimitedResource[];
  /** The budget keys that the author wrote; messages distinguish them from defaults. */
  readonly budgetKeys: readonly string[];
  /** The entries of `capabilities`; a resumed run loads them again. */
  readonly sources: readonly CapabilitySource[];
  /** The granted capabilities by name, as declared when the run started. */
  readonly capabilities: Readonly<Record<string, Declaration>>;
  /** The child templates by the name of their capability; absent: none. */
  readonly templates?: Readonly<Record<string, ChildTemplate>>;
  /** Tools that differed from the lock file at loading, about which a person is asked; absent: none. */
  readonly differs?: readonly LockDifference[];
  /** Model profiles by name. */
  readonly models: Readonly<Record<string, ModelProfile>>;
  /** The model that compares goals and capabilities when words do not decide; absent: only words count. */
  readonly embeddings?: EmbeddingsProfile;
  /** Models without a known price may be asked although cost is limited. */
  readonly allowsUnpriced?: true;
  readonly agents: Readonly<Record<string, AgentSpec>>;
  readonly skills: readonly SkillSpec[];
  readonly steps: readonly StepSpec[];
  /** The planning step that repairs failed authored steps; its name differs from all step names. */
  readonly repair?: StepSpec;
  /** The digest of all other properties. */
  readonly digest: Digest;
}
