// The complete fragment in a planning prompt, made of granted capabilities and accepted by the review.
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { contractOf } from '../../contract/contract.ts';
import { isMutating } from '../../contract/declaration.ts';
import { exampleOf } from '../../contract/example.ts';
import { namesAt, propertiesOf, type Schema, schemaOf, typesOf } from '../../contract/schema.ts';
import type { CapabilityLine } from '../../goals/capability-lines.ts';
import type { Frame } from '../../planning/frame.ts';
import { readFragment } from '../../planning/read-fragment.ts';
import { review } from '../../planning/review.ts';

/** The most capabilities that are tried for an example. */
const TRIED = 20;
const MOST_CHARACTERS = 500;

/**
 * A fragment with a call, a reference and a verification, as far as the capabilities allow. `asksAgents`: an agent can work
 * without naming a model. It refers to its own steps only.
 */
export function exampleFragment(capabilities: readonly CapabilityLine[], asksAgents: boolean): JsonObject {
  const frame = frameOf(capabilities);
  const calls = capabilities.filter(isPlain).toSorted(bySuitability).slice(0, TRIED);
  for (const line of calls) {
    for (const fragment of examplesWith(line, asksAgents)) if (isAccepted(fragment, frame)) return fragment;
  }
  return withoutCalls(asksAgents);
}

/** Changes nothing and asks no model, so that nobody has to agree. */
function isPlain(line: CapabilityLine): boolean {
  return !isMutating(line) && !line.effects.includes('llm');
}

/** Few parameters first, and results with fields before others; calls over the network last. Equal ones keep their order. */
function bySuitability(one: CapabilityLine, other: CapabilityLine): number {
  return unsuitable(one) - unsuitable(other);
}

function unsuitable({ effects, input = {}, output = {} }: CapabilityLine): number {
  const needed = namesAt(input, 'required').length;
  const told = checkedField(output) === undefined ? 10 : 0;
  return told + (effects.includes('network') ? 20 : 0) + (needed === 0 ? 2 : needed - 1);
}

function* examplesWith(line: CapabilityLine, asksAgents: boolean): Generator<JsonObject> {
  const input = inputFor(line.input);
  if (input === undefined) return;
  const name = stepName(line.name);
  const field = checkedField(line.output ?? {});
  const retried = line.effects.includes('network') ? { on_failure: 'retry' } : {};
  const call = { name, capability: line.name, input, ...retried };
  const found = field === undefined ? `{{ results.${name} }}` : `{{ results.${name}.${field.name} }}`;
  const next = asksAgents ? thought(found) : computed(name);
  const rationale = 'Look, then use what was found.';
  if (field !== undefined) {
    const verified = { ...call, verification: field.verification };
    yield { rationale, steps: [verified, next] };
  }
  yield { rationale, steps: [call, next] };
}

function thought(found: string): JsonObject {
  return {
    name: 'sum_up',
    agent: 'default',
    description: 'Sum up what was found.',
    input: { found },
  };
}

function computed(name: string): JsonObject {
  return { name: 'keep', type: 'compute', depends_on: [name], expr: `(get data/depends "${name}")` };
}

function withoutCalls(asksAgents: boolean): JsonObject {
  const first = { name: 'start', type: 'compute', expr: '{:items [1 2 3]}' };
  const next = asksAgents ? thought('{{ results.start.items }}') : computed('start');
  return { rationale: 'A value, then what follows from it.', steps: [first, next] };
}

/** Required arguments only. Plain texts say what they are instead of repeating one word. */
function inputFor(contract: Schema | undefined): JsonObject | undefined {
  if (contract === undefined) return {};
  const example = exampleOf({ ...contract, examples: [] });
  if (!isJsonObject(example)) return undefined;
  const needed = new Set(namesAt(contract, 'required'));
  const properties = propertiesOf(contract);
  const entries = Object.entries(example).filter(([name]) => needed.has(name));
  const named = entries.map(([name, value]): readonly [string, Json] => {
    const isAny = value === 'text' && schemaOf(properties[name]).enum === undefined;
    return [name, isAny ? `the ${name.replaceAll(/[^A-Za-z0-9]+/g, ' ').trim()}` : value];
  });
  const fits = [Object.fromEntries(named), Object.fromEntries(entries)].find(
    (input) => contractOf(contract).check(input).ok,
  );
  return fits !== undefined && JSON.stringify(fits).length <= MOST_CHARACTERS ? fits : undefined;
}

interface CheckedField {
  readonly name: string;
  readonly verification: string;
}

/** The first required field of a result that a verification can check. */
function checkedField(output: Schema): CheckedField | undefined {
  const properties = propertiesOf(output);
  const fields = namesAt(output, 'required').filter(
    (name) => /^[a-z][a-z0-9_]*$/.test(name) && Object.hasOwn(properties, name),
  );
  return ['array', 'integer', 'string'].flatMap((type) => {
    const name = fields.find((each) => typesOf(schemaOf(properties[each])).join() === type);
    return name === undefined ? [] : [{ name, verification: predicates[type]?.(`(:${name} data/result)`) ?? '' }];
  })[0];
}

const predicates: Readonly<Record<string, (value: string) => string>> = {
  array: (value) => `(seq ${value})`,
  integer: (value) => `(pos? ${value})`,
  string: (value) => `(not (str/blank? ${value}))`,
};

/** `github.list_issues` becomes `list_issues`. */
function stepName(capability: string): string {
  const last = capability.split('.').at(-1) ?? '';
  const name = last
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '');
  return name === '' || name === 'sum_up' || name === 'keep' ? 'first' : name;
}

function isAccepted(fragment: JsonObject, frame: Frame): boolean {
  const read = readFragment(fragment, frame.declarations, frame.stepTimeout);
  if (!read.ok || !('steps' in read.value)) return false;
  const { accepted, issues } = review(read.value, frame);
  return accepted && issues.length === 0;
}

/** A frame without a goal, in which the capabilities are granted. */
function frameOf(capabilities: readonly CapabilityLine[]): Frame {
  const declarations = Object.fromEntries(
    capabilities.map((line) => [line.name, { ...line, tags: [], cost: {} }] as const),
  );
  return {
    planner: 'plan',
    prefix: 'plan.1',
    target: 'end',
    depthLeft: 0,
    outside: new Map(),
    declarations,
    bounds: { fragmentSteps: 2, fragmentDepth: 2, fanOut: 1 },
    available: {},
    converge: false,
  };
}
