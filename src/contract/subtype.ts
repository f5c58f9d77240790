// Tests whether every value of one contract fits another. Sound: refuses pairs that it cannot prove, with reasons.

import { type PathPart, pathText } from '../base/issue.ts';
import { bad, good, type Result } from '../base/result.ts';
import { conjuncts, type Kind, kinds, kindsOf, openKinds, type Schema, takesAnything } from './schema.ts';
import { type Alternative, alternativesOf } from './subtype/alternative.ts';
import { excludes } from './subtype/exclusion.ts';
import { itemsRule, uniqueRule } from './subtype/list-rules.ts';
import { namesRule, othersRule, propertiesRule, requiredRule } from './subtype/map-rules.ts';
import { multipleRule, rangeRules } from './subtype/number-rules.ts';
import type { Comparison, Reason, Rule } from './subtype/rule.ts';
import { sizeRules } from './subtype/size-rules.ts';
import { formatRule, patternRule } from './subtype/text-rules.ts';
import { anyOfRule, notRule, oneOfRule } from './subtype/union-rules.ts';
import { valuesRule, wholeRule } from './subtype/values-rule.ts';

/** Refused with the reasons. */
export type Satisfaction = Result<undefined, readonly Reason[]>;

/** Each rule checks one demand of a consumer; together they cover the subset in `keywords.ts`. */
const rules: readonly Rule[] = [
  wholeRule,
  valuesRule,
  ...rangeRules,
  multipleRule,
  ...sizeRules,
  patternRule,
  formatRule,
  itemsRule,
  uniqueRule,
  requiredRule,
  propertiesRule,
  othersRule,
  namesRule,
  anyOfRule,
  oneOfRule,
  notRule,
];

const MAX_DEPTH = 64;
const MAX_COMPARISONS = 20_000;
const MAX_REASONS = 20;

/**
 * Tests whether each value of the producer passes the consumer's check without coercion. Both schemas must have passed
 * `schemaIssues`. A recursive pair counts as satisfied while its proof is under way.
 */
export function satisfies(producer: Schema, consumer: Schema): Satisfaction {
  const reasons = compare([producer], consumer, [], { producer, consumer, assumed: [], left: MAX_COMPARISONS });
  if (reasons.length === 0) return good(undefined);
  const distinct = new Map(reasons.map((reason) => [`${pathText(reason.path)} ${reason.message}`, reason]));
  return bad([...distinct.values()].slice(0, MAX_REASONS));
}

interface Session {
  readonly producer: Schema;
  readonly consumer: Schema;
  /** The pairs whose proof is under way. */
  readonly assumed: (readonly [Schema, Schema])[];
  left: number;
}

function compare(
  given: readonly Schema[],
  consumer: Schema,
  path: readonly PathPart[],
  session: Session,
): readonly Reason[] {
  if (takesAnything(consumer)) return [];
  session.left -= 1;
  if (session.left < 0 || path.length > MAX_DEPTH) return [{ path, message: 'the contracts are too large to compare' }];
  const producer = given.filter((schema) => !takesAnything(schema));
  const [only, another] = producer;
  if (only === undefined || another !== undefined) return compareAll(producer, consumer, path, session);
  if (session.assumed.some(([left, right]) => left === only && right === consumer)) return [];
  session.assumed.push([only, consumer]);
  const reasons = compareAll(producer, consumer, path, session);
  session.assumed.pop();
  return reasons;
}

function compareAll(
  producer: readonly Schema[],
  consumer: Schema,
  path: readonly PathPart[],
  session: Session,
): readonly Reason[] {
  const alternatives = alternativesOf(producer, session.producer);
  if (alternatives === undefined) return [{ path, message: 'has too many alternatives to compare' }];
  const open = openKinds(consumer, session.consumer);
  const fitting = alternatives.filter((alternative) => open.has(alternative.kind));
  const others = new Set(alternatives.map((alternative) => alternative.kind)).difference(open);
  const misfit =
    others.size === 0 ? [] : [{ path, message: `may be ${kindsText(others)}, but ${kindsText(open)} is required` }];
  return [...misfit, ...fitting.flatMap((alternative) => compareOne(alternative, consumer, path, session))];
}

function compareOne(
  producer: Alternative,
  schema: Schema,
  path: readonly PathPart[],
  session: Session,
): readonly Reason[] {
  return conjuncts(schema, session.consumer).flatMap((consumer) => {
    if (!kindsOf(consumer).has(producer.kind)) {
      return [
        { path, message: `may be ${kindsText([producer.kind])}, but ${kindsText(kindsOf(consumer))} is required` },
      ];
    }
    const comparison: Comparison = {
      producer,
      consumer,
      path,
      below: (part, schemas, wanted) => compare(schemas, wanted, [...path, part], session),
      against: (branch) => compareOne(producer, branch, path, session),
      excludes: (branch) => excludes(producer, branch, session),
    };
    return rules.flatMap((rule) => rule(comparison));
  });
}

const kindTexts: Readonly<Record<Kind, string>> = {
  null: 'null',
  boolean: 'a boolean',
  number: 'a number',
  string: 'a string',
  list: 'a list',
  map: 'a map',
};

function kindsText(these: Iterable<Kind>): string {
  const texts = [...these].map((kind) => kindTexts[kind]);
  if (texts.length === kinds.length) return 'anything';
  return texts.length === 0 ? 'nothing' : texts.join(' or ');
}
