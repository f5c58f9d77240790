// Reports keys of one map that mean the same.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, ownProperty } from '../../base/json.ts';
import { aliasesOf, type DocumentKind, schemaOfPath } from '../schema/meaning.ts';

const aliases = {
  template: aliasesIn('template'),
  include: aliasesIn('include'),
  fragment: aliasesIn('fragment'),
  scenarios: aliasesIn('scenarios'),
};

function aliasesIn(kind: DocumentKind) {
  return { ofDocument: aliasesOf(schemaOfPath(kind, [])), ofStep: aliasesOf(schemaOfPath(kind, ['steps', 0])) };
}

/** Reports a key and an alias of it in the same map, because it is unclear which of them counts. */
export function repeatedMeanings(document: Json, kind: DocumentKind): readonly Issue[] {
  const { ofDocument, ofStep } = aliases[kind];
  const steps = ownProperty(document, 'steps');
  return [
    ...repeatedIn(document, [], ofDocument),
    ...(isJsonArray(steps) ? steps.flatMap((step, index) => repeatedInStep(step, ['steps', index], ofStep)) : []),
  ];
}

function repeatedInStep(step: Json, path: readonly PathPart[], aliases: ReadonlyMap<string, string>): readonly Issue[] {
  const inside = ownProperty(step, 'do');
  return [
    ...repeatedIn(step, path, aliases),
    ...(inside === undefined ? [] : repeatedInStep(inside, [...path, 'do'], aliases)),
  ];
}

function repeatedIn(map: Json, path: readonly PathPart[], aliases: ReadonlyMap<string, string>): readonly Issue[] {
  if (!isJsonObject(map)) return [];
  const meant = new Map<string, string>();
  return Object.keys(map).flatMap((key) => {
    const own = aliases.get(key) ?? key;
    const first = meant.get(own);
    meant.set(own, first ?? key);
    if (first === undefined) return [];
    return [
      issue('SHAPE_KEY_REPEATED', `"${key}" means the same as "${first}"`, {
        path: [...path, key],
        hint: 'keep one of them',
      }),
    ];
  });
}
