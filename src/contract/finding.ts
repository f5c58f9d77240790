// Findings: errors of a value with path, name and type, but without the value itself.
import type { ErrorObject } from 'ajv/dist/2020.js';
import { type PathPart, pathText } from '../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, nameOfKind, ownProperty } from '../base/json.ts';
import { didYouMean } from '../base/nearest.ts';
import { mayTake } from './coercion.ts';
import { conjuncts, type Schema, schemasOf } from './schema.ts';

export interface Finding {
  readonly path: readonly PathPart[];
  /** One sentence without a full stop that names the path. */
  readonly message: string;
  readonly expected: string;
  /** The name of a type, or `absent`. */
  readonly found: string;
}

/** Limits both the findings and the errors to look at; more would say nothing new. */
const MAX_FINDINGS = 50;
const MAX_ERRORS = 1_000;

export const tooDeep: Finding = {
  path: [],
  message: 'the value nests too deeply to be checked',
  expected: 'fewer levels',
  found: 'a deeper value',
};

/** All findings in one line, each behind its path. */
export function findingsText(findings: readonly Finding[]): string {
  const texts = findings.map(({ path, message }) => (path.length === 0 ? message : `${pathText(path)}: ${message}`));
  return texts.join('; ');
}

export function findingsOf(errors: readonly ErrorObject[], value: Json, schema: Schema): readonly Finding[] {
  const telling = withoutUnionNoise(errors.slice(0, MAX_ERRORS), value, schema);
  const findings = new Map<string, Finding>();
  for (const error of telling) {
    const finding = findingOf(error, value, schema);
    findings.set(finding.message, finding);
    if (findings.size === MAX_FINDINGS) break;
  }
  return [...findings.values()];
}

function findingOf(error: ErrorObject, root: Json, schema: Schema): Finding {
  const { path, value } = locate(root, error.instancePath);
  const where = path.length === 0 ? 'the value' : `"${pathText(path)}"`;
  const found = nameOfKind(value);
  const is = (expected: string): Finding => ({
    path,
    message: `${where} is a ${found}, not ${expected}`,
    expected,
    found,
  });
  const must = (expected: string): Finding => ({
    path,
    message: `${where} must ${expected}`,
    expected: `to ${expected}`,
    found,
  });
  const { params } = error;
  switch (error.keyword) {
    case 'required':
      return missing([...path, String(params.missingProperty)], where, value);
    case 'additionalProperties':
      return unknown([...path, String(params.additionalProperty)], where, value, declaredNames(error, schema));
    case 'propertyNames':
      return must(`name its properties as the contract says, unlike "${params.propertyName}"`);
    case 'type':
      return is([params.type].flat().map(typeText).join(' or '));
    case 'anyOf':
    case 'oneOf':
      return error.keyword === 'oneOf' && isJsonArray(params.passingSchemas)
        ? must('fit exactly one of the alternatives, and fits several')
        : must('fit one of the alternatives of its contract');
    case 'enum':
      return must(`be one of ${listText(params.allowedValues)}`);
    case 'const':
      return must(`be ${listText([params.allowedValue])}`);
    case 'false schema':
      return must('not be there');
    case 'not':
      return must('not fit what its contract excludes');
    case 'format':
      return must(`be written as ${params.format}`);
    case 'pattern':
      return must(`match the pattern ${params.pattern}`);
    case 'multipleOf':
      return must(`be a multiple of ${params.multipleOf}`);
    case 'incomparable':
      return must('hold no "toString" or "valueOf" of its own where it is compared');
    case 'uniqueItems':
      return must('hold each item once');
    default:
      return must(limitText(error));
  }
}

function missing(path: readonly PathPart[], where: string, owner: Json | undefined): Finding {
  const name = String(path.at(-1));
  const near = isJsonObject(owner) ? didYouMean(name, Object.keys(owner)) : undefined;
  const hint = near === undefined ? '' : `; it has ${near.slice('did you mean '.length, -1)}`;
  return { path, message: `${where} lacks "${name}"${hint}`, expected: `property "${name}"`, found: 'absent' };
}

function unknown(path: readonly PathPart[], where: string, owner: Json | undefined, names: readonly string[]): Finding {
  const name = String(path.at(-1));
  const near = didYouMean(name, names);
  const known = names.length === 0 ? 'no properties' : names.map((each) => `"${each}"`).join(', ');
  const message = `${where} has an unknown property "${name}"; ${near ?? `it takes ${known}`}`;
  return { path, message, expected: known, found: nameOfKind(ownProperty(owner, name)) };
}

/** The property names beside the `additionalProperties` that Ajv complains about. */
function declaredNames(error: ErrorObject, schema: Schema): readonly string[] {
  const properties = keywordAt(error.schemaPath.replace(/[^/]*$/, 'properties'), schema);
  return isJsonObject(properties) ? Object.keys(properties) : [];
}

const typeTexts: Readonly<Record<string, string>> = {
  null: 'null',
  boolean: 'a boolean',
  integer: 'a whole number',
  number: 'a number',
  string: 'a string',
  array: 'a list',
  object: 'a map',
};

function typeText(type: string): string {
  return typeTexts[type] ?? type;
}

/** Lists values of the contract, never of the data. */
function listText(values: Json): string {
  const texts = (isJsonArray(values) ? values : [values]).map((value) => JSON.stringify(value));
  return texts.length <= 12 ? texts.join(', ') : `${texts.slice(0, 12).join(', ')} and ${texts.length - 12} more`;
}

const measures: Readonly<Record<string, string>> = {
  Items: 'items',
  Length: 'characters',
  Properties: 'properties',
};

function limitText({ keyword, params }: ErrorObject): string {
  const measured = /^(min|max)(Items|Length|Properties)$/.exec(keyword);
  if (measured !== null) {
    return `have at ${measured[1] === 'min' ? 'least' : 'most'} ${params.limit} ${measures[measured[2] ?? '']}`;
  }
  return params.limit === undefined ? `fit "${keyword}"` : `be ${params.comparison} ${params.limit}`;
}

/** Ajv reports errors of branches before the error of their union, so inner unions come first. */
function withoutUnionNoise(errors: readonly ErrorObject[], value: Json, root: Schema): readonly ErrorObject[] {
  let kept: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') {
      kept.push(error);
      continue;
    }
    const inside = kept.filter((each) => isInside(each, error));
    const likely = likelyBranch(error, value, root);
    const telling = likely === undefined ? [] : inside.filter((each) => isOfBranch(each, error, likely));
    kept = kept.filter((each) => !isInside(each, error));
    kept.push(...(telling.length === 0 ? [error] : telling));
  }
  return kept;
}

const DEFINITIONS = '#/$defs/';

/** True for errors below the union's value that come from the union or from a referenced schema. */
function isInside(error: ErrorObject, union: ErrorObject): boolean {
  if (error.instancePath !== union.instancePath && !error.instancePath.startsWith(`${union.instancePath}/`))
    return false;
  if (error.schemaPath.startsWith(`${union.schemaPath}/`)) return true;
  if (!error.schemaPath.startsWith(DEFINITIONS)) return false;
  const owner = union.schemaPath.slice(0, union.schemaPath.lastIndexOf('/') + 1);
  return !owner.startsWith(DEFINITIONS) || !error.schemaPath.startsWith(owner);
}

function isOfBranch(error: ErrorObject, union: ErrorObject, branch: number): boolean {
  if (error.schemaPath.startsWith(`${union.schemaPath}/`))
    return error.schemaPath.startsWith(`${union.schemaPath}/${branch}/`);
  return error.keyword !== 'type' || error.instancePath !== union.instancePath;
}

/** The index of the only branch that allows this kind of value. */
function likelyBranch(union: ErrorObject, value: Json, root: Schema): number | undefined {
  const here = locate(value, union.instancePath).value;
  if (here === undefined) return undefined;
  const likely = schemasOf(keywordAt(union.schemaPath, root))
    .map((branch, index) => ({ index, takes: mayTake(here, conjuncts(branch, root)) }))
    .filter((branch) => branch.takes);
  return likely.length === 1 ? likely[0]?.index : undefined;
}

function plain(raw: string): string {
  return raw.replaceAll('~1', '/').replaceAll('~0', '~');
}

interface LocatedValue {
  /** Indexes are numbers, names are strings. */
  readonly path: readonly PathPart[];
  readonly value: Json | undefined;
}

/** The value at an `instancePath`. */
function locate(value: Json, pointer: string): LocatedValue {
  const path: PathPart[] = [];
  let here: Json | undefined = value;
  for (const name of pointer.split('/').slice(1).map(plain)) {
    path.push(isJsonArray(here) ? Number(name) : name);
    here = isJsonArray(here) ? here[Number(name)] : ownProperty(here, name);
  }
  return { path, value: here };
}

/** The keyword value at a `schemaPath`. */
function keywordAt(schemaPath: string, root: Json): Json | undefined {
  return locate(root, schemaPath.split('/').map(decodeURIComponent).join('/')).value;
}
