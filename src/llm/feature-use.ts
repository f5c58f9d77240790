// Notes which features a request uses, and which it goes without because the server refused them.
import type { Dialect } from './dialect.ts';
import { type Feature, isFeature } from './features.ts';

export interface FeatureUse {
  /** True when the server takes the feature, which is then noted as sent; otherwise it is noted as left out. */
  uses(feature: Feature): boolean;
  /** True when the server takes the feature; nothing is noted. */
  takes(feature: Feature): boolean;
  /** Notes a feature as left out. */
  lacks(feature: Feature): void;
  /** The parameters with a value, without those that the server refuses. */
  only<T extends object>(parameters: T): Partial<T>;
  sent(): readonly Feature[];
  leftOut(): readonly Feature[];
}

export function featureUse(dialect: Dialect): FeatureUse {
  const sent = new Set<Feature>();
  const leftOut = new Set<Feature>();
  const uses = (feature: Feature): boolean => {
    const isTaken = dialect.takes(feature);
    (isTaken ? sent : leftOut).add(feature);
    return isTaken;
  };
  return {
    uses,
    takes: dialect.takes,
    lacks: (feature) => {
      leftOut.add(feature);
    },
    only(parameters) {
      const kept = { ...parameters };
      for (const name in kept) {
        if (kept[name] === undefined || (isFeature(name) && !uses(name))) delete kept[name];
      }
      return kept;
    },
    sent: () => [...sent],
    leftOut: () => [...leftOut],
  };
}
