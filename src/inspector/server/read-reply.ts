// Turns an answer from the page's gate form into an order to the run, by the gate's contract.
import { hasErrors, type Issue, issue } from '../../base/issue.ts';
import { defined, type Json, type JsonObject } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { fieldsOf } from '../../contract/describe-contract.ts';
import type { RunOrder } from '../../engine/record/order.schema.ts';
import type { GateView } from '../../engine/state/run-view.ts';
import { readAnswer } from '../../goals/ask/read-answer.ts';
import { placeIssue } from '../../template/place-in-file.ts';
import type { GateReply } from '../wire.schema.ts';
import { checked, signatureOf, signed, text } from './signed.ts';

export interface ReadReply {
  readonly order: RunOrder;
  /** Maps an issue to its place in the typed text. */
  readonly place: (found: Issue) => Issue;
}

const shape: JsonObject = {
  type: 'object',
  required: ['verdict'],
  properties: {
    verdict: { enum: ['approve', 'reject', 'answer', 'edit'] },
    ...signed,
    grant: { enum: ['step', 'capability'] },
    fields: { type: 'object', additionalProperties: text },
    text,
    plan: text,
  },
  additionalProperties: false,
};

const asItIs = (found: Issue): Issue => found;

export async function readReply(gate: GateView, said: Json, by: string): Promise<Result<ReadReply>> {
  const read = checked<GateReply>(shape, said);
  if (!read.ok) return read;
  const reply = read.value;
  const order = { type: 'review', gate: gate.id, ...signatureOf(reply, by) } as const;
  switch (reply.verdict) {
    case 'approve': {
      const { grant } = reply;
      return good({
        order: { ...order, verdict: 'approve', ...defined({ grant }) },
        place: asItIs,
      });
    }
    case 'reject':
      return good({ order: { ...order, verdict: 'reject' }, place: asItIs });
    case 'answer': {
      const value = readValue(gate, reply);
      return value.ok ? good({ order: { ...order, verdict: 'answer', value: value.value }, place: asItIs }) : value;
    }
    case 'edit': {
      const { parseYaml } = await import('../../template/parse/parse-yaml.ts');
      const { tree, issues } = parseYaml(reply.plan, 'plan');
      if (tree === undefined || hasErrors(issues)) return bad(issues);
      return good({
        order: { ...order, verdict: 'edit', value: tree.value },
        place: (found) => (found.code === 'PLAN_EDIT_INVALID' ? placeIssue(found, tree) : found),
      });
    }
  }
}

function readValue(
  { decision }: GateView,
  { fields, text: whole }: { fields?: Readonly<Record<string, string>>; text?: string },
): Result<Json> {
  if (fields === undefined) {
    const read = readAnswer(whole ?? '', decision);
    return read.ok ? good(read.value) : bad([unreadable([], read.error)]);
  }
  const value: Record<string, Json> = {};
  const issues: Issue[] = [];
  for (const { name, schema, required } of fieldsOf(decision)) {
    const typed = fields[name]?.trim() ?? '';
    if (typed === '' && !required) continue;
    const read = readAnswer(typed, schema);
    if (read.ok) value[name] = read.value;
    else issues.push(unreadable([name], read.error));
  }
  return issues.length === 0 ? good(value) : bad(issues);
}

function unreadable(path: readonly string[], why: string): Issue {
  return issue('GATE_ANSWER_INVALID', path.length === 0 ? why : `${path.join('.')}: ${why}`, { path });
}
