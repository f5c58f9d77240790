// Lists the valid answers at a gate, and checks a decision against them. Used by the core and by user interfaces.
import { unreachable } from '../../base/fault.ts';
import { type Issue, issue } from '../../base/issue.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { contractOf } from '../../contract/contract.ts';
import { withDefaults } from '../../contract/defaults.ts';
import { wholeWords } from '../../contract/describe-contract.ts';
import { findingsText } from '../../contract/finding.ts';
import type { CallFacts, GateKind, Grant, Verdict } from '../record/gate-events.schema.ts';
import type { Gate } from '../state/state.ts';

/** A decision at a gate. `value`: the answer, or the edited plan. */
export interface GateDecision {
  readonly verdict: Verdict;
  readonly value?: Json;
  readonly by: string;
  readonly why?: string;
  /** Other calls that are approved with it. */
  readonly grant?: Grant;
}

interface ValidAnswers {
  readonly verdicts: readonly Verdict[];
  /** JSON Schema of an answer; absent if the gate takes none. */
  readonly contract?: JsonObject;
}

/** The answer that a decision brings, if it brings one. */
type CheckedAnswer = Result<Json | undefined, Issue>;

/** The facts of a gate that decide which answers are valid. */
export type AnswerableGate = Pick<Gate, 'id' | 'kind' | 'decision'> & {
  readonly call?: Partial<CallFacts> | undefined;
};

export function gateAnswers({ kind, decision }: Pick<Gate, 'kind' | 'decision'>): ValidAnswers {
  const verdicts = verdictsOf(kind);
  return { verdicts, ...(verdicts.includes('answer') ? { contract: decision } : {}) };
}

/**
 * Checks a decision. The result is the answer, coerced without loss and with defaults filled in; for a review, the value
 * that approving stands for.
 */
export function checkDecision(
  gate: AnswerableGate,
  { verdict, value, why, grant }: Omit<GateDecision, 'by'>,
): CheckedAnswer {
  const { verdicts } = gateAnswers(gate);
  if (gate.kind === 'child') return refuseChild(gate);
  if (!verdicts.includes(verdict)) return refuseVerdict(gate, verdict, verdicts);
  if (grant !== undefined && (!allowsWiderGrant(gate) || verdict !== 'approve')) return refuseGrant(gate, grant);
  if (verdict === 'answer') return value === undefined ? refuseSilence(gate, 'answer') : checkAnswer(gate, value);
  if (verdict === 'edit') return value === undefined ? refuseSilence(gate, 'edit') : good(value);
  return verdict === 'approve' && gate.kind === 'review' ? checkApproval(gate, why) : good(undefined);
}

/** Whether a person may approve later calls together with this one. */
export function allowsWiderGrant({ kind, call }: Pick<AnswerableGate, 'kind' | 'call'>): boolean {
  return (kind === 'approval' || kind === 'llm_prompt') && call?.each !== true;
}

function verdictsOf(kind: GateKind): readonly Verdict[] {
  switch (kind) {
    case 'review':
    case 'exhaustion':
    case 'outcome':
      return ['approve', 'reject', 'answer'];
    case 'clarification':
      return ['answer', 'reject'];
    case 'approval':
    case 'llm_prompt':
    case 'lock':
      return ['approve', 'reject'];
    case 'synthesis':
    case 'plan_review':
    case 'replan':
      return ['approve', 'reject', 'edit'];
    case 'child':
      return [];
    default:
      return unreachable(kind);
  }
}

function checkAnswer(gate: AnswerableGate, value: Json): CheckedAnswer {
  const checked = contractOf(gate.decision).check(withDefaults(gate.decision, value));
  if (checked.ok) return good(checked.value);
  return bad(
    issue('GATE_ANSWER_INVALID', `gate ${gate.id} does not accept this answer: ${findingsText(checked.error)}`, {
      path: checked.error[0]?.path ?? [],
      hint: wanted(gate),
    }),
  );
}

/** The result of approving; it contains the note if the contract has a key for one. */
function checkApproval(gate: AnswerableGate, notes: string | undefined): CheckedAnswer {
  const bare = { approved: true };
  const noted = notes === undefined ? undefined : checkAnswer(gate, { ...bare, notes });
  if (noted?.ok === true) return noted;
  const checked = checkAnswer(gate, bare);
  if (checked.ok) return checked;
  const message = `gate ${gate.id} needs more than an approval: ${checked.error.message}`;
  return bad({ ...checked.error, message });
}

function refuseChild({ id }: AnswerableGate): CheckedAnswer {
  const message = `gate ${id} waits for a gate of its child run`;
  return bad(issue('GATE_VERDICT_INVALID', message, { hint: `answer the gate of the child run: ${id}/g1` }));
}

function refuseVerdict({ id, kind }: AnswerableGate, verdict: Verdict, verdicts: readonly Verdict[]): CheckedAnswer {
  const message = `gate ${id} (${kind}) cannot be decided with "${verdict}"`;
  return bad(issue('GATE_VERDICT_INVALID', message, { hint: `choose from ${verdicts.join(', ')}` }));
}

function refuseGrant({ id, kind, call }: AnswerableGate, grant: Grant): CheckedAnswer {
  if (call?.each === true) {
    const message = `gate ${id} cannot be decided for a whole ${grant}: ${call.capability ?? 'the call'} may destroy something, so each call is asked about`;
    const hint = 'approve this call alone, or write `approval: never` for the tool in the template';
    return bad(issue('GATE_VERDICT_INVALID', message, { hint }));
  }
  const message = `gate ${id} (${kind}) cannot be decided for a whole ${grant}`;
  return bad(
    issue('GATE_VERDICT_INVALID', message, { hint: 'leave the grant out: only approvals of calls may have one' }),
  );
}

function refuseSilence(gate: AnswerableGate, verdict: 'answer' | 'edit'): CheckedAnswer {
  const what = verdict === 'answer' ? 'an answer needs a value' : 'an edit needs the edited plan';
  return bad(
    issue('GATE_ANSWER_INVALID', `gate ${gate.id}: ${what}`, {
      hint: verdict === 'answer' ? wanted(gate) : 'give the plan in the format of planners: {"steps": […]}',
    }),
  );
}

function wanted({ decision }: AnswerableGate): string {
  return `answer with ${wholeWords(decision)}`;
}
