// One finding instead of a dozen when a value fits no branch of a union: the likely branch's, or the union's own.
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Json } from '../base/json.ts';
import { mayTake } from './coercion.ts';
import { keywordAt, locate } from './pointer.ts';
import { conjuncts, type Schema, schemasOf } from './schema.ts';

/** Ajv reports the branches' errors first and the union's error after them, so unions are met innermost first. */
export function withoutUnionNoise(errors: readonly ErrorObject[], value: Json, root: Schema): readonly ErrorObject[] {
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

/** Under the union's value, and reported by the union or by something that is referred to. */
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

/** The index of the one branch that takes this kind of value. */
function likelyBranch(union: ErrorObject, value: Json, root: Schema): number | undefined {
  const here = locate(value, union.instancePath).value;
  if (here === undefined) return undefined;
  const likely = schemasOf(keywordAt(union.schemaPath, root))
    .map((branch, index) => ({ index, takes: mayTake(here, conjuncts(branch, root)) }))
    .filter((branch) => branch.takes);
  return likely.length === 1 ? likely[0]?.index : undefined;
}
