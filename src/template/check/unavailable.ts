// What the language has and this version does not run yet: said aloud, so that nothing is silently ignored.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { foldStep, foldTemplate } from '../resolve/aliases.ts';

/** The version that says so; a test holds it against package.json. */
export const release = '0.1';

interface Feature {
  /** Keys from the template or step; `*` is every item of a list or map. */
  readonly path: readonly string[];
  /** Which values ask for it; absent: any. */
  readonly when?: (value: Json) => boolean;
  /** What is missing; absent: just that it is not there yet. */
  readonly why?: string;
}

const oneOf =
  (...words: string[]) =>
  (value: Json) =>
    words.includes(String(value));
const isTrue = (value: Json) => value === true;

const WITHOUT_MODEL = ': a model would write the summaries, and none can be configured yet';

const inTemplates: readonly Feature[] = [
  { path: ['capabilities', '*', 'template'] },
  { path: ['context', 'strategy'], when: oneOf('summary'), why: WITHOUT_MODEL },
  { path: ['capture_content'], when: isTrue },
];

const inSteps: readonly Feature[] = [{ path: ['context', 'strategy'], when: oneOf('summary'), why: WITHOUT_MODEL }];

export function checkTemplateFeatures(raw: JsonObject): readonly Issue[] {
  return featuresAsked(foldTemplate(raw), inTemplates, []);
}

export function checkStepFeatures(raw: JsonObject, at: readonly PathPart[]): readonly Issue[] {
  const folded = foldStep(raw);
  const inside = folded.do;
  return [
    ...featuresAsked(folded, inSteps, at),
    ...(isJsonObject(inside) ? checkStepFeatures(inside, [...at, 'do']) : []),
  ];
}

function featuresAsked(raw: JsonObject, features: readonly Feature[], at: readonly PathPart[]): readonly Issue[] {
  const present = features.filter(({ path: [key = ''] }) => Object.hasOwn(raw, key));
  return present.flatMap((feature) => asked(raw, feature, feature.path, at));
}

function asked(
  value: Json | undefined,
  feature: Feature,
  path: readonly string[],
  at: readonly PathPart[],
): readonly Issue[] {
  const [key, ...rest] = path;
  if (key === '*') {
    if (Array.isArray(value)) return value.flatMap((each: Json, index) => asked(each, feature, rest, [...at, index]));
    if (!isJsonObject(value)) return [];
    return Object.entries(value).flatMap(([name, each]) => asked(each, feature, rest, [...at, name]));
  }
  if (key !== undefined) {
    const inner = ownProperty(value, key);
    return inner === undefined ? [] : asked(inner, feature, rest, [...at, key]);
  }
  if (value === undefined || feature.when?.(value) === false) return [];
  const word = feature.when === undefined || typeof value !== 'string' ? '' : `: ${value}`;
  return [
    issue('FEATURE_UNAVAILABLE', `"${at.at(-1)}${word}" is not run by version ${release}${feature.why ?? ''}`, {
      path: at,
      hint: 'take it out; it comes with a later version',
    }),
  ];
}
