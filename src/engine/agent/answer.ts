// Reads an agent's final answer: text, or JSON that passes the contract.
import { pathText } from '../../base/issue.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { contractOf } from '../../contract/contract.ts';
import type { ModelReply } from '../../model/reply.ts';
import { readReplyText } from '../../planning/read/reply-text.ts';

export type ReadAnswer =
  | { readonly ok: true; readonly value: Json }
  /** The correction that the model reads. */
  | { readonly ok: false; readonly says: string };

/** Without a schema any text that is not empty is an answer. */
export function readAnswer({ text, finish }: ModelReply, schema: JsonObject | undefined): ReadAnswer {
  if (finish === 'length') return wrong('your answer was cut off at its longest; answer again, shorter');
  if (text.trim() === '') return wrong('your answer was empty');
  if (schema === undefined) return { ok: true, value: text };
  const read = readReplyText(text);
  // Text itself meets a contract for a string.
  const value = read?.value ?? (schema.type === 'string' ? text : undefined);
  if (value === undefined) return wrong('your answer is not one JSON value');
  const checked = contractOf(schema).check(value);
  if (checked.ok) return { ok: true, value: checked.value };
  const findings = checked.error.map(({ path, message }) =>
    path.length === 0 ? message : `${pathText(path)}: ${message}`,
  );
  return wrong(`your answer does not fit its schema: ${findings.join('; ')}`);
}

function wrong(says: string): ReadAnswer {
  return { ok: false, says };
}
