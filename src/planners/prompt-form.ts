// The form of a request to a planning model: rules, the schema of the answer, and the settings of the profile.
import type { Failure } from '../base/failure.ts';
import { defined } from '../base/json.ts';
import type { Result } from '../base/result.ts';
import { askModel } from '../engine/agent/model-tries.ts';
import type { Prompt } from '../engine/agent/prompt.ts';
import type { Work } from '../engine/record/call.ts';
import type { ModelReply } from '../model/reply.ts';
import type { AnswerShape, Message } from '../model/request.ts';
import type { NamedModel } from '../template/model-use.ts';

/** The rules of a prompt and the schema of its answer. */
export interface PromptForm {
  readonly rules: Prompt;
  readonly shape: AnswerShape;
}

/** `messages` follow the rules. */
export function* askPlanningModel(
  model: NamedModel,
  { rules, shape }: PromptForm,
  messages: readonly Message[],
): Work<Result<ModelReply, Failure>> {
  const { name, profile } = model;
  const { temperature } = profile;
  const request = {
    model: name,
    messages: [{ role: 'system' as const, content: rules.text }, ...messages],
    answer: shape,
    ...defined({ temperature }),
  };
  return yield* askModel({ purpose: 'plan', request, prompt: rules.stamp, model });
}
