// The plan hash of a step: a digest of its behavior and inputs that ignores names.
import { type Digest, digestOf } from '../base/digest.ts';
import { defined, isJsonObject, type Json } from '../base/json.ts';
import { isLisp, parseText, type Reference, referenceText } from '../template/references.ts';
import type { StepSpec } from '../template/step-spec.ts';
import { namesUsedBy } from './names-used.ts';

/** `producer` gives the hash of a used step, or its id when it is not part of a plan. */
export function planHash(step: StepSpec, producer: (name: string) => string): Digest {
  const branches = new Set(step.decision?.branches);
  const names = [...namesUsedBy(step)].filter((name) => !branches.has(name));
  const meaning = new Map(names.map((name) => [name, producer(name)] as const));
  const { dependencies, ...behaviour } = behaviourOf(step);
  const after = [...new Set(dependencies.map((name) => meaning.get(name) ?? name))].sort();
  return digestOf({ after, does: withMeaning(JSON.parse(JSON.stringify(behaviour)), meaning) });
}

function behaviourOf({ name: _, description: __, place: ___, implied: ____, ...step }: StepSpec) {
  const { fanOut, planning } = step;
  return {
    ...step,
    ...defined({
      fanOut: fanOut === undefined ? undefined : { ...fanOut, do: { ...fanOut.do, name: '', description: '' } },
      planning: planning === undefined ? undefined : { ...planning, target: '' },
    }),
  };
}

function withMeaning(value: Json, meaning: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return value.includes('{{') ? inText(value, meaning) : value;
  if (Array.isArray(value)) return value.map((each: Json) => withMeaning(each, meaning));
  if (!isJsonObject(value)) return value;
  if (isLisp(value)) return inLisp(value.$lisp, meaning);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withMeaning(each, meaning)] as const));
}

function inText(text: string, meaning: ReadonlyMap<string, string>): Json {
  return parseText(text).parts.map((part) => (typeof part === 'string' ? part : meant(part, meaning)));
}

function meant({ root, path }: Reference, meaning: ReadonlyMap<string, string>): string {
  const [step = '', ...rest] = path;
  const known = root === 'results' || root === 'depends' ? meaning.get(step) : undefined;
  return referenceText({ root, path: known === undefined ? path : [known, ...rest] });
}

/** Replaces step names in Lisp, which are strings or keywords. */
function inLisp(source: string, meaning: ReadonlyMap<string, string>): string {
  return source.replace(/"([^"\\]*)"|:([\w./~-]+)/g, (written: string, text?: string, keyword?: string) => {
    const known = meaning.get(text ?? keyword ?? '');
    return known === undefined ? written : `"${known}"`;
  });
}
