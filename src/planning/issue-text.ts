// What is wrong with a plan and where, in one line: the path into it, and the name of the step that stands there.
import { type Issue, pathText } from '../base/issue.ts';
import { type Json, ownProperty } from '../base/json.ts';
import { readReplyText } from './read/reply-text.ts';
import { findPlan } from './read/step-list.ts';

/** `steps[0].expires_in ("approve"): must be a duration`; a name that the message says already is not repeated. */
export function issueText({ path, message }: Issue, reply: Json): string {
  if (path.length === 0) return message;
  const name = stepNameAt(path, reply);
  const named = name === undefined || message.includes(`"${name}"`) ? '' : ` ("${name}")`;
  return `${pathText(path)}${named}: ${message}`;
}

function stepNameAt([list, index]: Issue['path'], reply: Json): string | undefined {
  if (list !== 'steps' || typeof index !== 'number') return undefined;
  const value = typeof reply === 'string' ? readReplyText(reply)?.value : reply;
  const plan = value === undefined ? undefined : findPlan(value);
  const step = plan === undefined || 'code' in plan ? undefined : plan.steps[index];
  const name = step === undefined ? undefined : ownProperty(step, 'name');
  return typeof name === 'string' && name !== '' ? name : undefined;
}
