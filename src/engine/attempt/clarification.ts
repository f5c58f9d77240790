// Clarification: a handler or a planner answers with a question, and goes on with a person's answer.
import { type Failure, failure } from '../../base/failure.ts';
import { defined, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { Amount } from '../../budget/amount.ts';
import { readContract } from '../../contract/contract.ts';
import { CLARIFICATIONS } from '../../template/step-defaults.ts';
import { openGate } from '../gates/open-gate.ts';
import { retryOrFail } from '../repair/retry-or-fail.ts';
import type { Batch } from '../state/batch.ts';
import type { Step } from '../state/state.ts';
import { hasFiles, isAboutAttachment } from '../values/attachments.ts';

/** `said` is the question that `questionIn` found. `seen` describes the asking work to the person. */
export function clarify(batch: Batch, step: Step, said: Json, seen: Json, bill: Amount): void {
  const asked = mayAsk(batch, step, said) ? readQuestion(step, said) : undeclared(step);
  if (!asked.ok) return retryOrFail(batch, step, asked.error, { kind: 'failure', bill, chance: 0 });
  openGate(batch, step, step.since, { kind: 'clarification', context: seen, bill, ...asked.value });
}

/**
 * A capability may ask only if it declares so, because the bound of a run counts its questions. Planners may always ask,
 * and a missing attachment is asked about before the capability is called.
 */
function mayAsk({ state }: Batch, { spec }: Step, said: Json): boolean {
  if (hasFiles(spec) && isAboutAttachment(ownProperty(said, 'as'))) return true;
  return spec.capability === undefined || state.template.capabilities[spec.capability]?.asks === true;
}

function undeclared({ spec: { capability = '' } }: Step): Result<never, Failure> {
  return refuse(
    'CLARIFICATION_UNDECLARED',
    `it asks a person, and ${capability} does not declare that it may: asks: true`,
  );
}

interface PersonQuestion {
  readonly prompt: string;
  readonly decision: JsonObject;
  readonly as?: string;
}

/** A question is `{question, answer?, as?}` or a text. */
function readQuestion({ spec, people }: Step, said: Json): Result<PersonQuestion, Failure> {
  const most = spec.maxClarifications ?? CLARIFICATIONS;
  if ((people?.asked ?? 0) >= most) {
    return refuse('CLARIFICATIONS_EXCEEDED', `it asks again, and max_clarifications allows ${most}`);
  }
  const prompt = typeof said === 'string' ? said : ownProperty(said, 'question');
  const as = ownProperty(said, 'as');
  const strange = strangeKey(said);
  if (strange !== undefined) return unclear(strange);
  if (typeof prompt !== 'string') return unclear('"question" must be a text');
  if (prompt.trim() === '') return unclear('"question" is empty');
  if (as !== undefined && (typeof as !== 'string' || as === '')) return unclear('"as" must name a key of the input');
  const contract = readContract(ownProperty(said, 'answer'));
  if (!contract.ok) return unclear(`"answer" is no contract: ${contract.error[0]?.message ?? ''}`);
  const { schema: decision } = contract.value;
  return good({ prompt, decision, ...defined({ as }) });
}

const keys = ['question', 'answer', 'as'];

/** The first unknown key: a misspelled `answer` would leave the person's answer unchecked. */
function strangeKey(said: Json): string | undefined {
  const strange = isJsonObject(said) ? Object.keys(said).find((key) => !keys.includes(key)) : undefined;
  if (strange === undefined) return undefined;
  const whole = keys.find((key) => key.startsWith(strange)) ?? strange;
  const near = didYouMean(whole, keys) ?? `it takes ${keys.map((key) => `"${key}"`).join(', ')}`;
  return `"${strange}" is no key of a question; ${near}`;
}

function unclear(message: string): Result<never, Failure> {
  return refuse('CLARIFICATION_INVALID', `its question cannot be put to anyone: ${message}`);
}

function refuse(code: string, message: string): Result<never, Failure> {
  return bad(failure(code, message, { retry: 'never' }));
}
