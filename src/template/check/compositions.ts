// Checks a composition: contracts fit from its input to its result, and only its last call may change something.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { defined, type Json, type JsonObject } from '../../base/json.ts';
import { type Declaration, isMutating } from '../../contract/declaration.ts';
import { type CompositionSpec, type CompositionStep, resultOfComposition } from '../keys/composition.ts';
import { readSchema } from '../keys/kinds.ts';
import { isModelCall } from '../model-call.ts';
import { isLisp } from '../references.ts';
import { resolveStep } from '../resolve/step.ts';
import type { Producer, Scope } from '../scope.ts';
import { referencesOf } from '../step-references.ts';
import { checkCapabilities } from './capabilities.ts';
import { checkContracts } from './contracts.ts';
import { checkReferences } from './references.ts';

type Declarations = Readonly<Record<string, Declaration>>;

/** Paths begin at the composition. `declarations` are the capabilities that it may call. */
export function checkComposition(spec: CompositionSpec, declarations: Declarations): readonly Issue[] {
  const { steps } = spec;
  if (steps.length === 0) {
    return [issue('COMPOSITION_EMPTY', `the composition "${spec.name}" calls nothing`, { path: ['steps'] })];
  }
  const input = contractIn(spec.input, 'input');
  const output = contractIn(spec.output, 'output');
  const known = new Map<string, Producer>();
  const found = steps.flatMap((step, index) => {
    const issues = [
      ...(known.has(step.name) ? [repeated(step, index)] : []),
      ...checkCall(step, ['steps', index], { known, input: input.schema, declarations }),
    ];
    known.set(step.name, producerOf(step, declarations));
    return issues;
  });
  const answer: CompositionStep = { name: 'result', call: 'result', input: { value: resultOfComposition(spec) } };
  const wanted = answerDeclaration(output.schema);
  return [
    ...input.issues,
    ...output.issues,
    ...found,
    ...checkMutation(spec, declarations),
    ...checkCall(answer, [], { known, input: input.schema, declarations: { result: wanted } }).map(asResult),
  ];
}

interface CallScope {
  /** The earlier calls. */
  readonly known: ReadonlyMap<string, Producer>;
  readonly input: JsonObject | undefined;
  readonly declarations: Declarations;
}

/** Checks a call like a step of a template, in a scope with the earlier calls only. */
function checkCall(
  step: CompositionStep,
  at: readonly PathPart[],
  { known, input, declarations }: CallScope,
): readonly Issue[] {
  const resolved = resolveStep({ name: step.name, handler: step.call, input: step.input }, []);
  if (resolved.step === undefined) return [];
  const outside = { get: (name: string) => known.get(name), names: () => [...known.keys()] };
  const scope: Scope = { steps: [resolved.step], outside, declarations, ...defined({ input }) };
  const strays = referencesOf(resolved.step).references.filter(({ root }) => root !== 'input' && root !== 'results');
  const inSteps = [...checkCapabilities(scope), ...checkReferences(scope), ...checkContracts(scope)];
  return [
    ...resolved.issues.map((each) => ({ ...each, path: [...at, ...each.path] })),
    ...inSteps.map((each) => ({ ...each, path: [...at, ...each.path.slice(2)] })),
    ...strays.map(({ root, at: inside }) => stray(root, [...at, ...inside])),
    ...(declarations[step.call]?.asks === true ? [asking(step.call, 'may ask a person', at)] : []),
    ...(declarations[step.call]?.runs === undefined ? [] : [asking(step.call, 'is a run of its own', at)]),
    ...(isModelCall(step.call) ? [asking(step.call, 'asks a model', at)] : []),
  ].map((each) => ({ ...each, path: each.path.map((part) => (part === 'handler' ? 'call' : part)) }));
}

function checkMutation({ steps, result }: CompositionSpec, declarations: Declarations): readonly Issue[] {
  const changing = steps.flatMap(({ call }, index) => {
    const declaration = Object.hasOwn(declarations, call) ? declarations[call] : undefined;
    return declaration !== undefined && isMutating(declaration) ? [{ call, index }] : [];
  });
  const [first] = changing;
  if (first === undefined) return [];
  const early = changing.filter(({ index }) => index < steps.length - 1);
  if (early.length > 0) {
    return early.map(({ call, index }) =>
      misplaced(`"${call}" changes something, and a later call may fail`, ['steps', index, 'call']),
    );
  }
  return holdsLisp(result ?? null)
    ? [misplaced(`the result is computed after "${first.call}" has changed something, and may fail`, ['result'])]
    : [];
}

function misplaced(message: string, path: readonly PathPart[]): Issue {
  return issue('COMPOSITION_MUTATION_MISPLACED', message, {
    path,
    hint: 'split it into two capabilities, or into steps of the template: only the last call of a composition may have side effects',
  });
}

function holdsLisp(value: Json): boolean {
  if (isLisp(value)) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsLisp);
}

function contractIn(source: Json | undefined, key: string) {
  if (source === undefined) return { schema: undefined, issues: [] };
  const read = readSchema(source);
  if (read.ok) return { schema: read.value, issues: read.warnings };
  return { schema: undefined, issues: read.error.map((each) => ({ ...each, path: [key, ...each.path] })) };
}

function producerOf({ name, call }: CompositionStep, declarations: Declarations): Producer {
  const schema = Object.hasOwn(declarations, call) ? declarations[call]?.output : undefined;
  return { id: name, optional: false, ...defined({ schema }) };
}

/** A capability whose input has the contract of the composition's result: the result is checked as its input. */
function answerDeclaration(schema: JsonObject | undefined): Declaration {
  const input = { type: 'object', properties: { value: schema ?? {} }, required: ['value'] };
  return { name: 'result', description: '', input, effects: ['pure'], tags: [], cost: {} };
}

function asResult(found: Issue): Issue {
  const [, , ...rest] = found.path;
  return { ...found, path: ['result', ...rest] };
}

function repeated({ name }: CompositionStep, index: number): Issue {
  return issue('COMPOSITION_NAME_REPEATED', `two calls are named "${name}"`, {
    path: ['steps', index, 'name'],
    hint: 'give each call its own name',
  });
}

function stray(root: string, path: readonly PathPart[]): Issue {
  return issue('REFERENCE_UNKNOWN', `there is no "${root}" in a composition`, {
    path,
    hint: 'refer to "input" and to "results" of the calls before',
  });
}

function asking(call: string, whom: string, at: readonly PathPart[]): Issue {
  return issue('COMPOSITION_ASKS', `"${call}" ${whom}, which a composition cannot do`, {
    path: [...at, 'call'],
    hint: 'call it in a step of the template',
  });
}
