// Builds the frame of a plan without a template, for the commands about plans.
import { defined, type JsonObject } from '../../base/json.ts';
import type { Flag, ParsedArguments } from '../command.ts';

export const missionFlags: readonly Flag[] = [
  { name: '--mission <text>', description: 'The purpose of the plan; the critic compares the plan with it.' },
  {
    name: '--capabilities <module>',
    description: 'A module whose capabilities the plan may call, beside the catalog.',
    repeats: true,
  },
  { name: '--root <folder>', description: 'A folder that file capabilities may touch.', repeats: true },
  {
    name: '--critic <mode>',
    description: 'on: critical findings reject the plan; strict: all findings do; off: there is no critic.',
    choices: ['on', 'strict', 'off'],
  },
];

/** Returns keys of a template. Paths are relative to the working directory. */
export function frameGiven(given: ParsedArguments): JsonObject {
  const critic = given.text('critic');
  const roots = given.all('root');
  return {
    capabilities: ['catalog', ...given.all('capabilities')],
    ...(roots.length === 0 ? {} : { roots }),
    ...defined({ critic }),
  };
}
