// First check of a result: its size and its contract.
import { type Failure, failure } from '../../base/failure.ts';
import { issue, pathText } from '../../base/issue.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { contractOf } from '../../contract/contract.ts';
import { withDefaults } from '../../contract/defaults.ts';
import { answerContract } from '../../template/answer-contract.ts';
import { agentIn } from '../../template/keys/agent.ts';
import { defaultDecision } from '../../template/step-defaults.ts';
import type { RunState, Step } from '../state/state.ts';

/** A result that passed its contract, with its JSON text. */
interface CheckedResult {
  readonly value: Json;
  readonly text: string;
  /** Paths in the result whose type was mended without loss. */
  readonly coerced: readonly string[];
}

interface RefusedResult {
  readonly failure: Failure;
  /** The value that broke its contract, unless it is too large to be kept. */
  readonly rejected?: Json;
}

export function checkResult(state: RunState, step: Step, value: Json): Result<CheckedResult, RefusedResult> {
  const schema = outputOf(state, step);
  const limit = state.template.limits.resultBytes;
  const checked =
    schema === undefined
      ? ({ ok: true, value, coercions: [] } as const)
      : contractOf(schema).check(isGivenByPerson(step) ? withDefaults(schema, value) : value);
  if (!checked.ok) {
    const issues = checked.error.map(({ path, message }) => issue('OUTPUT_INVALID', message, { path }));
    const [first] = checked.error;
    const where = first === undefined || first.path.length === 0 ? '' : ` at ${pathText(first.path)}`;
    const why = failure('OUTPUT_INVALID', `the result breaks its contract${where}: ${first?.message ?? ''}`, {
      issues,
    });
    return bad({ failure: why, ...(JSON.stringify(value).length > limit ? {} : { rejected: value }) });
  }
  const text = JSON.stringify(checked.value);
  if (text.length > limit) {
    const message = `the result has ${text.length} characters of JSON; limits.result_bytes allows ${limit}`;
    return bad({ failure: failure('RESULT_TOO_LARGE', message, { retry: 'never' }) });
  }
  return good({ value: checked.value, text, coerced: checked.coercions.map(({ path }) => pathText(path)) });
}

/** Whether a person gives the result: people may leave out keys with defaults. */
function isGivenByPerson({ spec }: Step): boolean {
  return spec.gate !== undefined;
}

/**
 * The contract of a step's result: the step's own, else that of its agent or capability; for a human_review the contract
 * of its gate. An agent without a contract answers with the fields that the step's predicate reads.
 */
export function outputOf(state: RunState, { spec }: Step): JsonObject | undefined {
  if (spec.gate !== undefined) return spec.gate.decision ?? defaultDecision;
  if (spec.output !== undefined) return spec.output;
  if (spec.agent !== undefined) return agentIn(state.template.agents, spec.agent).output ?? answerContract(spec);
  return spec.capability === undefined ? undefined : state.template.capabilities[spec.capability]?.output;
}
