// The schema of what people are asked about whatever the steps are: lost calls, and tools that are not as they were.
import type { JsonObject } from '../../base/json.ts';
import { lockModes } from '../keys/lock.ts';
import { choice, duration } from './build.ts';

export const unknownOutcomeSchema: JsonObject = {
  type: ['string', 'object'],
  pattern: '^(ask|fail)$',
  properties: { expires_in: duration('How long a person has; the step fails then.') },
  additionalProperties: false,
  'x-expects': 'ask, fail, or { expires_in }, which asks for as long as that',
  default: 'ask',
  description:
    'What happens when nobody knows whether a call was carried out that may be made only once (`repeat: never`): a person is asked, or the step fails with OUTCOME_UNKNOWN.',
};

export const lockSchema: JsonObject = {
  type: ['string', 'object'],
  pattern: '^(off|warn|ask)$',
  properties: {
    tools: choice('Of MCP servers.', lockModes, 'ask'),
    models: choice('That answer.', lockModes, 'warn'),
  },
  additionalProperties: false,
  'x-expects': 'off, warn or ask, or a map with tools and models',
  description:
    'What happens where tools or models are not as reconverge.lock has them: nothing, a warning, or a question to a person before anything is called. One word is for both. Without a lock file nothing is compared.',
};
