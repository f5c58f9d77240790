// Reads an agent's final answer: text, or JSON that passes the contract.

import { pathText } from '../../base/issue.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { contractOf } from '../../contract/contract.ts';
import type { ModelReply } from '../../model/reply.ts';
import { readReplyText } from '../../planning/read/reply-text.ts';

/** Without a schema any text that is not empty is an answer. An error is the correction that the model reads. */
export function readAnswer({ text, finish }: ModelReply, schema: JsonObject | undefined): Result<Json, string> {
  if (finish === 'length') return bad('your answer was cut off at its longest; answer again, shorter');
  if (text.trim() === '') return bad('your answer was empty');
  if (schema === undefined) return good(text);
  const read = readReplyText(text);
  // Text itself meets a contract for a string.
  const value = read?.value ?? (schema.type === 'string' ? text : undefined);
  if (value === undefined) return bad('your answer is not one JSON value');
  const checked = contractOf(schema).check(value);
  if (checked.ok) return good(checked.value);
  const findings = checked.error.map(({ path, message }) =>
    path.length === 0 ? message : `${pathText(path)}: ${message}`,
  );
  return bad(`your answer does not fit its schema: ${findings.join('; ')}`);
}
