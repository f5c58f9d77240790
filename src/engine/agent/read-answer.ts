// Reads the answer of a model, as text or as JSON that passes a contract, and asks again for an unusable one.

import { type Failure, failure } from '../../base/failure.ts';
import { defined, type Json, type JsonObject } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { contractOf } from '../../contract/contract.ts';
import { findingsText } from '../../contract/finding.ts';
import { readValue } from '../../model/read-value.ts';
import type { ModelReply } from '../../model/reply.ts';
import type { AnswerShape, Message } from '../../model/request.ts';
import { shownText, whyUnread } from '../../model/why-unread.ts';
import type { NamedModel } from '../../template/model-use.ts';
import type { Work } from '../record/call.ts';
import type { Purpose } from '../record/step-events.schema.ts';
import { askModel } from './model-tries.ts';
import type { Prompt } from './prompt.ts';

/** Without a schema any text that is not empty is an answer. An error is the correction that the model reads. */
export function readAnswer(
  { text, finish, reasoned }: ModelReply,
  schema: JsonObject | undefined,
): Result<Json, string> {
  if (finish === 'length') {
    const before =
      text.trim() === '' ? 'before it began; answer again, and reason less' : 'at its longest; answer again, shorter';
    return bad(`your answer was cut off ${before}`);
  }
  if (text.trim() === '') return bad(`your answer was empty${reasoned === true ? ' after its reasoning' : ''}`);
  if (schema === undefined) return good(text);
  const contract = contractOf(schema);
  const read = readValue(text, { fits: (value) => contract.check(value).ok, mayClose: true });
  // Text itself meets a contract for a string.
  const value = schema.type === 'string' && read?.fits !== true ? text : read?.value;
  if (value === undefined) return bad(`your answer ${whyUnread(text)}; answer with one JSON value and nothing else`);
  const checked = contract.check(value);
  if (checked.ok) return good(checked.value);
  const told = read?.place === 'whole' ? '' : `; it was read as ${shownText(JSON.stringify(value))}`;
  return bad(`your answer does not fit its schema: ${findingsText(checked.error)}${told}`);
}

/** A question that a model answers without tools. */
interface SingleQuestion {
  readonly purpose: Purpose;
  readonly prompt: Prompt;
  readonly task: string;
  /** Absent: the answer is text. */
  readonly answer?: AnswerShape;
  /** The contract of the answer where it is wider than the shape that the model is asked for. */
  readonly contract?: JsonObject;
  readonly maxOutputTokens: number;
  /** The message of the failure when the model refuses; absent: a refusal is an unusable answer. */
  readonly refusal?: string;
  /** Code and beginning of the failure when no answer can be read. */
  readonly unreadable: { readonly code: string; readonly message: string };
}

/** An unusable answer is asked for twice more. */
export const ANSWER_READINGS = 3;

/** The most tokens of an answer: after one that was cut off there is room for one twice as long. */
export function roomFor(tokens: number, timesCut: number): number {
  return tokens * 2 ** timesCut;
}

export function* askForAnswer(
  model: NamedModel,
  { purpose, prompt, task, answer, contract, maxOutputTokens, refusal, unreadable }: SingleQuestion,
): Work<Result<Json, Failure>> {
  const { name, profile } = model;
  const { temperature } = profile;
  const messages: Message[] = [
    { role: 'system', content: prompt.text },
    { role: 'user', content: task },
  ];
  let timesCut = 0;
  for (let reading = 1; ; reading++) {
    const request = {
      model: name,
      messages: [...messages],
      ...defined({ answer }),
      maxOutputTokens: Math.min(roomFor(maxOutputTokens, timesCut), profile.maxOutputTokens),
      ...defined({ temperature }),
    };
    const asked = yield* askModel({ purpose, request, prompt: prompt.stamp, model });
    if (!asked.ok) return asked;
    const { value: reply } = asked;
    if (refusal !== undefined && (reply.finish === 'refusal' || reply.finish === 'filter')) {
      return bad(failure('MODEL_REFUSED', refusal));
    }
    const read = readAnswer(reply, contract ?? answer?.schema);
    if (read.ok) return read;
    if (reading === ANSWER_READINGS) return bad(failure(unreadable.code, `${unreadable.message}: ${read.error}`));
    if (reply.finish === 'length') timesCut += 1;
    messages.push({ role: 'assistant', content: reply.text }, { role: 'user', content: read.error });
  }
}
