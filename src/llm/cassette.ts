// A cassette: what models and capabilities were asked in a run and what they answered, so that the run can be played again without them.
import { type Digest, digestOf } from '../base/digest.ts';
import type { Failure } from '../base/failure.ts';
import { defined, type Json } from '../base/json.ts';
import type { Usage } from '../model/reply.ts';
import { firstDifference } from './first-difference.ts';

export interface Exchange {
  readonly kind: 'model' | 'embeddings' | 'capability';
  /** The profile, the embeddings model or the capability. */
  readonly name: string;
  /** Who asked, and what for: for readers. */
  readonly step?: string;
  readonly purpose?: string;
  /** As it was rendered, without how long an answer may be and how much time is left: only the budget and the clock decide that. */
  readonly request: Json;
  readonly outcome: { readonly value: Json } | { readonly failure: Failure };
  /** What came of an answer that then failed. */
  readonly heard?: string;
  /** What a model used that failed all the same, and embeddings in any case. */
  readonly usage?: Usage;
}

export interface Cassette {
  readonly cassette: 1;
  /** Name of the template whose run it is. */
  readonly template: string;
  /** How it was made, where it was not by asking real models. */
  readonly note?: string;
  readonly exchanges: readonly Exchange[];
}

export interface Asking {
  readonly kind: Exchange['kind'];
  readonly name: string;
  readonly request: Json;
}

/** What was never asked before, and what came nearest to it. */
export interface Miss {
  /** `messages.1.content, at "…": recorded "…"`; absent: nothing of the kind was recorded. */
  readonly differs?: string;
  /** It was recorded, but not so often. */
  readonly usedUp?: number;
}

export interface Player {
  /** The same question is answered as often as it was recorded, in that order. */
  play(asking: Asking): Exchange | Miss;
}

export function isMiss(found: Exchange | Miss): found is Miss {
  return !('outcome' in found);
}

export function playerOf({ exchanges }: Cassette): Player {
  const byKey = new Map<Digest, Exchange[]>();
  for (const exchange of exchanges) {
    const key = keyOf(exchange);
    byKey.set(key, [...(byKey.get(key) ?? []), exchange]);
  }
  const used = new Map<Digest, number>();
  return {
    play(asking) {
      const key = keyOf(asking);
      const recorded = byKey.get(key) ?? [];
      const at = used.get(key) ?? 0;
      used.set(key, at + 1);
      const found = recorded[at];
      if (found !== undefined) return found;
      return recorded.length > 0 ? { usedUp: recorded.length } : nearest(asking, exchanges);
    },
  };
}

function keyOf({ kind, name, request }: Asking): Digest {
  return digestOf({ kind, name, request });
}

/** Of the same kind and name; the one whose request agrees the longest. */
function nearest(asking: Asking, exchanges: readonly Exchange[]): Miss {
  const alike = exchanges.filter(({ kind, name }) => kind === asking.kind && name === asking.name);
  const differences = alike.map(({ request }) => firstDifference(asking.request, request));
  const [closest] = differences.sort((left, right) => right.agrees - left.agrees);
  return defined({ differs: closest === undefined ? undefined : closest.text });
}
