// The planner for goals of any kind: their own words where these suffice, else whoever reads more into them.
import type { PatternSettings } from '../template/pattern-settings.ts';
import { patternPlanner, suffices } from './pattern.ts';
import type { Planner } from './planner.ts';

/** Without another planner, a person is asked where the words alone are not clear enough. */
export function hybridPlanner(settings: PatternSettings, other: Planner | undefined): Planner {
  const pattern = patternPlanner(settings);
  return {
    *propose(brief) {
      const planner = other === undefined || suffices(brief, settings) ? pattern : other;
      return yield* planner.propose(brief);
    },
  };
}
