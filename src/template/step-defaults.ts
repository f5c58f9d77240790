// Defaults of steps that code without the readers of templates needs, such as the page of the inspector.
import type { JsonObject } from '../base/json.ts';

/** The questions that a step without `max_clarifications` may ask. */
export const CLARIFICATIONS = 3;

/** The contract of an answer to a review without `decision`; the notes are a text even where nobody wrote any. */
export const defaultDecision: JsonObject = {
  type: 'object',
  required: ['approved', 'notes'],
  properties: { approved: { type: 'boolean' }, notes: { type: 'string', default: '' } },
};
