// Reports older spellings of keys and words, which still work, with the current spelling.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { stepSchema, typeAliases } from '../keys/step.ts';
import { isLisp } from '../references.ts';
import { aliasesOf } from '../schema/meaning.ts';
import { templateSchema } from '../schema/template.ts';

const ofSteps = aliasesOf(stepSchema);
const ofTemplates = aliasesOf(templateSchema);
const types: ReadonlyMap<string, string> = new Map(Object.entries(typeAliases));

/** Older names of keys in `data/packet`, with their current names. */
const ofPackets = new Map([
  ['fragment_steps', 'max_fragment_steps'],
  ['fragment_depth', 'max_fragment_depth'],
  ['fan_out', 'max_fan_out'],
  ['nesting', 'max_planning_depth'],
]);

export function outdatedSpellings(document: Json): readonly Issue[] {
  const steps = ownProperty(document, 'steps');
  return [
    ...keysIn(document, [], ofTemplates),
    ...(isJsonArray(steps) ? steps.flatMap((step, index) => inStep(step, ['steps', index])) : []),
    ...inRules(document, []),
  ];
}

function inStep(step: Json, path: readonly PathPart[]): readonly Issue[] {
  if (!isJsonObject(step)) return [];
  const type = types.get(String(step.type));
  return [
    ...keysIn(step, path, ofSteps),
    ...(type === undefined ? [] : [outdated([...path, 'type'], `type: ${String(step.type)}`, `type: ${type}`)]),
    ...retries(step, path),
    ...['plan_review', 'approval'].flatMap((key) => yesOrNo(step, key, path)),
    ...(step.do === undefined ? [] : inStep(step.do, [...path, 'do'])),
  ];
}

function keysIn(map: Json, path: readonly PathPart[], aliases: ReadonlyMap<string, string>): readonly Issue[] {
  if (!isJsonObject(map)) return [];
  return Object.keys(map).flatMap((key) => {
    const own = aliases.get(key);
    return own === undefined ? [] : [outdated([...path, key], `"${key}"`, `"${own}"`)];
  });
}

function retries(step: JsonObject, path: readonly PathPart[]): readonly Issue[] {
  const inside = ownProperty(step.retry, 'max_retries');
  return [
    ...(typeof step.max_retries === 'number' ? [{ at: ['max_retries'], count: step.max_retries }] : []),
    ...(typeof inside === 'number' ? [{ at: ['retry', 'max_retries'], count: inside }] : []),
  ].map(({ at, count }) =>
    outdated([...path, ...at], `"max_retries: ${count}"`, `"retry: { max_attempts: ${count + 1} }"`),
  );
}

function yesOrNo(step: JsonObject, key: string, path: readonly PathPart[]): readonly Issue[] {
  const value = step[key];
  if (typeof value !== 'boolean') return [];
  return [outdated([...path, key], `"${key}: ${value}"`, `"${key}: ${value ? 'always' : 'never'}"`)];
}

function inRules(value: Json, path: readonly PathPart[]): readonly Issue[] {
  if (isLisp(value)) return [...ofPackets].flatMap(([old, now]) => readBy(value.$lisp, old, now, path));
  if (isJsonArray(value)) return value.flatMap((each, index) => inRules(each, [...path, index]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => inRules(each, [...path, key]));
}

function readBy(lisp: string, old: string, now: string, path: readonly PathPart[]): readonly Issue[] {
  const isRead = new RegExp(`:budget\\s+:${old}(?![\\w-])|:${old}\\s+\\(:budget\\b`).test(lisp);
  return isRead ? [outdated(path, `":${old}" of the packet's budget`, `":${now}"`)] : [];
}

function outdated(path: readonly PathPart[], old: string, now: string): Issue {
  const hint = `write ${now}`;
  return issue('SPELLING_OUTDATED', `${old} is an older spelling of ${now}`, { severity: 'warning', path, hint });
}
