// Reads the questions of a step to a person: the question of a human_review, and the approval of a call.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import type { JsonObject } from '../../base/json.ts';
import { withDefaults } from '../../contract/defaults.ts';
import { satisfies } from '../../contract/subtype.ts';
import { type KeyValues, readKeys } from '../keys/key.ts';
import { type commonKeys, gateKeys } from '../keys/step.ts';
import { approvalKeys } from '../keys/step-parts.ts';
import type { ApprovalSpec, GateSpec } from '../step-spec.ts';

export function readGate(raw: JsonObject, issues: Issue[]): GateSpec | undefined {
  const found: Issue[] = [];
  const { prompt, ...gate } = readKeys(gateKeys, raw, found);
  if (prompt === undefined) return undefined;
  issues.push(...emptyPrompt(prompt, ['prompt']), ...found);
  const { decision, onExpiry } = gate;
  const takesApproval =
    decision === undefined || satisfies({ const: withDefaults(decision, { approved: true }) }, decision).ok;
  if (onExpiry === 'approve' && !takesApproval) {
    issues.push(
      issue('CONTRACT_MISMATCH', 'an approval answers {approved: true}, which does not match the contract "decision"', {
        path: ['on_expiry'],
        hint: 'permit {approved: true} in "decision", or write "on_expiry: fail" or "on_expiry: converge"',
      }),
    );
  }
  return { prompt, ...gate };
}

/** Undefined when no call needs approval. */
export function readApproval(
  approval: KeyValues<typeof commonKeys>['approval'],
  step: string,
  capability: string | undefined,
  issues: Issue[],
): ApprovalSpec | undefined {
  if (approval === undefined || approval === 'never') return undefined;
  if (capability === undefined) {
    issues.push(
      issue('APPROVAL_WITHOUT_CALL', `step "${step}" calls no capability that could be approved`, {
        path: ['approval'],
        hint: 'let the step depend on a human_review',
      }),
    );
    return undefined;
  }
  if (approval === 'always') return readKeys(approvalKeys, {});
  issues.push(...emptyPrompt(approval.prompt, ['approval', 'prompt']));
  return approval;
}

function emptyPrompt(prompt: string | undefined, path: readonly PathPart[]): Issue[] {
  if (prompt === undefined || prompt.trim() !== '') return [];
  return [issue('SHAPE_WRONG_VALUE', '"prompt" is empty', { path, hint: 'write the question to the person' })];
}
