// Reads a question that a handler or planner returns instead of an answer.
import { type Json, ownProperty } from '../base/json.ts';

/** The raw question of a value; null and false mean no question. */
export function questionIn(value: Json): Json | undefined {
  const said = ownProperty(value, 'needs_clarification');
  return said === null || said === false ? undefined : said;
}
