// A template as the engine takes it: read, resolved, checked; plain JSON, so that a run keeps the one it started with.

import type { Digest } from '../base/digest.ts';
import type { Limit, Limited } from '../budget/amount.ts';
import type { RunBudget } from '../budget/limits.ts';
import type { Declaration } from '../contract/declaration.ts';
import type { EmbeddingsProfile, ModelProfile } from '../model/profile.ts';
import type { AgentSpec, SkillSpec } from './keys/agent.ts';
import type { KeyValues } from './keys/key.ts';
import type { CapabilitySource } from './keys/source.ts';
import type { LockDifference } from './lock/difference.ts';
import type { CriticSettings, templateKeys } from './schema/template.ts';
import type { StepSpec } from './step-spec.ts';

export type { RateLimit } from './keys/concurrency.ts';

/** A template whose runs are called like a capability, as loaded with the template that names it. */
export interface ChildTemplate {
  readonly template: Template;
  /** The most that a run of it uses, whatever happens; a resource that is not named has no bound. */
  readonly most: Limit;
  /** The least and the most that it uses when nothing fails; absent in runs of earlier versions. */
  readonly usual?: { readonly least: Limit; readonly most: Limit };
}

type TemplateKeys = KeyValues<typeof templateKeys>;

/** A resolved and checked template. The keys that authors write are described in docs/template.md; their names are in camel case here. */
export interface Template extends Omit<TemplateKeys, 'critic'>, CriticSettings {
  readonly language: 1;
  /** The path that the user named. */
  readonly file: string;
  /** The named overlay that was chosen for the run. */
  readonly environment?: string;
  readonly budget: RunBudget;
  /** Limits that equal the most that a run can use: nobody is warned of them. */
  readonly ample?: readonly Limited[];
  /** The budget keys that the author wrote, so that messages can tell them from defaults. */
  readonly budgetKeys: readonly string[];
  /** The entries of `capabilities:`; a resumed run loads them again. */
  readonly sources: readonly CapabilitySource[];
  /** The granted capabilities by name, as declared when the run started. */
  readonly capabilities: Readonly<Record<string, Declaration>>;
  /** The granted capabilities that are runs of a template, as loaded with this one; absent: none is. */
  readonly templates?: Readonly<Record<string, ChildTemplate>>;
  /** Tools that differed from the lock file at loading, and that a person is asked about; absent: none. */
  readonly differs?: readonly LockDifference[];
  /** Models that agents and planners may ask, by name. */
  readonly models: Readonly<Record<string, ModelProfile>>;
  /** The model that compares goals and capabilities where words do not decide; absent: words alone. */
  readonly embeddings?: EmbeddingsProfile;
  /** Models without a price may be asked although cost is limited. */
  readonly allowsUnpriced?: true;
  readonly agents: Readonly<Record<string, AgentSpec>>;
  readonly skills: readonly SkillSpec[];
  readonly steps: readonly StepSpec[];
  /** The planning step that replans failed authored steps outside of any phase; its name names no other step. */
  readonly repair?: StepSpec;
  /** The digest of everything above. */
  readonly digest: Digest;
}
