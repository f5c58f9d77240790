// A skill: a piece of expertise in words, handed to the planners and agents that it concerns.

export interface SkillSpec {
  readonly name: string;
  readonly text: string;
  /** Globs over capability names: whoever may use one of them is told. */
  readonly appliesTo: readonly string[];
  /** In a run with one of these tags everyone is told. */
  readonly contextTags: readonly string[];
}
