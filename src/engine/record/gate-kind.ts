// The kinds of gates: what people are asked about.

/** What a gate is opened for. */
export type GateKind =
  | 'review'
  | 'clarification'
  | 'approval'
  | 'plan_review'
  | 'replan'
  | 'exhaustion'
  | 'synthesis'
  | 'llm_prompt'
  /** Nobody knows whether a call was carried out that must not be made twice. */
  | 'outcome'
  /** Tools or models are not as the lock file has them. */
  | 'lock'
  /** A run that the step has started waits for people itself. */
  | 'child';
