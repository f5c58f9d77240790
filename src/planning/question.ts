// A question in place of an answer: what a handler or a planner must be told before it can go on.
import { type Json, ownProperty } from '../base/json.ts';

/** What a value asks, unread; null and false stand for no question. */
export function questionIn(value: Json): Json | undefined {
  const said = ownProperty(value, 'needs_clarification');
  return said === null || said === false ? undefined : said;
}
