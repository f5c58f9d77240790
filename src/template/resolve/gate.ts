// What a person is asked: by a step that is nothing else, or before a capability is called.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { withDefaults } from '../../contract/defaults.ts';
import { satisfies } from '../../contract/subtype.ts';
import type { ApprovalSpec, GateSpec } from '../step-spec.ts';
import { contractAt } from './contract.ts';
import { choiceAt, defined, durationAt, lispAt, textAt } from './readers.ts';

export function readGate(raw: JsonObject, issues: Issue[]): GateSpec | undefined {
  const prompt = textAt(raw, 'prompt');
  if (prompt === undefined) return undefined;
  issues.push(...emptyPrompt(prompt, ['prompt']));
  const gate = gateOf(raw, prompt);
  const decision = contractAt(raw, 'decision', issues);
  if (decision === undefined) return gate;
  if (gate.onExpiry === 'approve' && !satisfies({ const: withDefaults(decision, { approved: true }) }, decision).ok) {
    issues.push(
      issue('CONTRACT_MISMATCH', 'approving answers {approved: true}, which "decision" does not take', {
        path: ['on_expiry'],
        hint: 'let "decision" take it, or let the step fail or converge when nobody answers',
      }),
    );
  }
  return { ...gate, decision };
}

/** `true` and `always` ask about every call, `false` and `never` about none, a map about those that it says. */
export function readApproval(
  raw: JsonObject,
  step: string,
  capability: string | undefined,
  issues: Issue[],
): ApprovalSpec | undefined {
  const { approval } = raw;
  const map = isJsonObject(approval) ? approval : undefined;
  if (map === undefined && approval !== true && approval !== 'always') return undefined;
  if (capability === undefined) {
    issues.push(
      issue('APPROVAL_WITHOUT_CALL', `step "${step}" calls nothing that could be approved`, {
        path: ['approval'],
        hint: 'let it wait for a human_review',
      }),
    );
    return undefined;
  }
  const written = textAt(map ?? {}, 'prompt');
  issues.push(...emptyPrompt(written, ['approval', 'prompt']));
  const prompt = written ?? `Step "${step}" wants to call ${capability}. May it?`;
  return defined<ApprovalSpec>({ ...gateOf(map ?? {}, prompt), when: lispAt(map ?? {}, 'when') });
}

function emptyPrompt(prompt: string | undefined, path: readonly PathPart[]): Issue[] {
  if (prompt === undefined || prompt.trim() !== '') return [];
  return [issue('SHAPE_WRONG_VALUE', '"prompt" is empty', { path, hint: 'say what the person is asked' })];
}

function gateOf(raw: JsonObject, prompt: string): GateSpec {
  return defined<GateSpec>({
    prompt,
    decision: undefined,
    expiresIn: durationAt(raw, 'expires_in'),
    onExpiry: choiceAt(raw, 'on_expiry', ['approve', 'reject', 'fail', 'converge']) ?? 'fail',
  });
}
