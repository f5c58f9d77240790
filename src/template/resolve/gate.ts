// What a person is asked: by a step that is nothing else, or before a capability is called.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { withDefaults } from '../../contract/defaults.ts';
import { satisfies } from '../../contract/subtype.ts';
import { choiceAt, defined, durationAt, lispAt, textAt } from '../keys/readers.ts';
import type { ApprovalSpec, GateSpec } from '../step-spec.ts';
import type { UnknownOutcome } from '../template.ts';
import { contractAt } from './contract.ts';

export function readGate(raw: JsonObject, issues: Issue[]): GateSpec | undefined {
  const prompt = textAt(raw, 'prompt');
  if (prompt === undefined) return undefined;
  issues.push(...emptyPrompt(prompt, ['prompt']));
  const gate = { prompt, ...gateOf(raw) };
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
  const prompt = textAt(map ?? {}, 'prompt');
  issues.push(...emptyPrompt(prompt, ['approval', 'prompt']));
  return defined<ApprovalSpec>({ prompt, ...gateOf(map ?? {}), when: lispAt(map ?? {}, 'when') });
}

/** `ask`, `fail`, or a map that asks for a time; undefined where nothing is said. */
export function readUnknownOutcome(said: Json | undefined): UnknownOutcome | undefined {
  if (said === 'fail' || said === 'ask') return { mode: said };
  if (!isJsonObject(said)) return undefined;
  return defined<UnknownOutcome>({ mode: 'ask', expiresIn: durationAt(said, 'expires_in') });
}

function emptyPrompt(prompt: string | undefined, path: readonly PathPart[]): Issue[] {
  if (prompt === undefined || prompt.trim() !== '') return [];
  return [issue('SHAPE_WRONG_VALUE', '"prompt" is empty', { path, hint: 'say what the person is asked' })];
}

function gateOf(raw: JsonObject): Omit<GateSpec, 'prompt' | 'decision'> {
  return defined<Omit<GateSpec, 'prompt' | 'decision'>>({
    expiresIn: durationAt(raw, 'expires_in'),
    onExpiry: choiceAt(raw, 'on_expiry', ['approve', 'reject', 'fail', 'converge']) ?? 'fail',
  });
}
