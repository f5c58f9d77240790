// Prints an issue of a plan in one line, with its path and the name of its step.
import { type Issue, pathText } from '../base/issue.ts';
import { type Json, ownProperty } from '../base/json.ts';
import { findPlan, stepsOf } from './read/find-plan.ts';
import { readReplyText } from './read/reply-text.ts';

/** For example `steps[0].expires_in ("approve"): must be a duration`; a name in the message is not repeated. */
export function issueText({ path, message }: Issue, reply: Json): string {
  if (path.length === 0) return message;
  const name = stepNameAt(path, reply);
  const named = name === undefined || message.includes(`"${name}"`) ? '' : ` ("${name}")`;
  return `${pathText(path)}${named}: ${message}`;
}

function stepNameAt(path: Issue['path'], reply: Json): string | undefined {
  const value = typeof reply === 'string' ? readReplyText(reply)?.value : reply;
  const plan = value === undefined ? undefined : findPlan(value);
  if (plan === undefined || 'code' in plan) return undefined;
  const step = stepsOf(plan).find(({ at }) => at.every((part, index) => path[index] === part))?.value ?? null;
  const name = ownProperty(step, 'name') ?? ownProperty(step, 'id');
  return typeof name === 'string' && name !== '' ? name : undefined;
}
