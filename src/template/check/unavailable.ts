// What the language has and this version does not run yet: said aloud, so that nothing is silently ignored.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { foldTemplate } from '../resolve/aliases.ts';

/** The version that says so; a test holds it against package.json. */
export const release = '0.1';

interface Feature {
  /** Keys from the template; `*` is every item of a list or map. */
  readonly path: readonly string[];
}

const features: readonly Feature[] = [{ path: ['capabilities', '*', 'template'] }];

export function checkTemplateFeatures(raw: JsonObject): readonly Issue[] {
  const folded = foldTemplate(raw);
  const present = features.filter(({ path: [key = ''] }) => Object.hasOwn(folded, key));
  return present.flatMap((feature) => asked(folded, feature, feature.path, []));
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
  if (value === undefined) return [];
  return [
    issue('FEATURE_UNAVAILABLE', `"${at.at(-1)}" is not run by version ${release}`, {
      path: at,
      hint: 'take it out; it comes with a later version',
    }),
  ];
}
