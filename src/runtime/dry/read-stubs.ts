// Reads the stubs of a dry run, and makes example stubs for a template.
import { type Issue, issue } from '../../base/issue.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { contractOf } from '../../contract/contract.ts';
import { exampleOf } from '../../contract/example.ts';
import { agentIn } from '../../template/keys/agent.ts';
import { plannerModelOf } from '../../template/model-use.ts';
import { placeIssue } from '../../template/place-in-file.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import { parseFile } from '../load/parse-file.ts';
import type { Stubs } from './stand-in.ts';

/** The content of a file of stubs; `answers` holds the answers of people, by the step that asks. */
export interface StubFile extends Stubs {
  readonly answers: JsonObject;
}

const parts = ['steps', 'capabilities', 'plans', 'answers'] as const;

export const noStubs: StubFile = { steps: {}, capabilities: {}, plans: {}, answers: {} };

const schema: JsonObject = {
  type: 'object',
  properties: Object.fromEntries(parts.map((part) => [part, { type: 'object' }])),
  additionalProperties: false,
};

/** Issues: TEMPLATE_UNREADABLE, those of the text, STUBS_INVALID, and STUB_UNUSED as a warning. */
export async function readStubs(file: string, template: Template): Promise<Result<StubFile>> {
  const parsed = await parseFile(file, '.');
  if (!parsed.ok) return parsed;
  const { tree, issues } = parsed.value;
  if (tree === undefined) return bad(issues);
  const checked = contractOf(schema).check(tree.value);
  if (!checked.ok) {
    const found = checked.error.map(({ path, message }) =>
      issue('STUBS_INVALID', message, { path, hint: `write ${parts.join(', ')} as maps` }),
    );
    return bad([...issues, ...found.map((each) => placeIssue(each, tree))]);
  }
  const stubs = Object.assign({}, noStubs, checked.value) as StubFile;
  const unused = unknownIn(stubs, template).map((each) => placeIssue(each, tree));
  return good(stubs, [...issues, ...unused]);
}

/** Warns of names that the template does not have. The names of planned steps are not known before the run. */
function unknownIn({ capabilities, plans }: StubFile, template: Template): readonly Issue[] {
  const planning = template.steps.filter(({ type }) => type === 'planning').map(({ name }) => name);
  const missing = (part: string, stubs: JsonObject, known: readonly string[]): readonly Issue[] =>
    Object.keys(stubs)
      .filter((name) => !known.includes(name) && !name.includes('/'))
      .map((name) =>
        issue('STUB_UNUSED', `nothing in the template is called "${name}"`, {
          severity: 'warning',
          path: [part, name],
          hint: known.length === 0 ? 'remove it' : `choose from ${known.slice(0, 12).join(', ')}`,
        }),
      );
  const nested = planning.length > 0 ? [] : missing('plans', plans, planning);
  return [...missing('capabilities', capabilities, Object.keys(template.capabilities)), ...nested];
}

/** The values that a dry run would use, for the author to change. */
export function stubsFor(template: Template): JsonObject {
  const given = template.steps.flatMap((step): [string, Json][] => {
    const value = resultOf(step, template);
    return value === undefined ? [] : [[step.name, value]];
  });
  const planned = template.steps.filter(({ planning }) => plannerModelOf(planning?.planner) !== undefined);
  const asked = template.steps.filter(({ type }) => type === 'human_review');
  const plan = { rationale: 'an example of a plan', steps: [] };
  return {
    steps: Object.fromEntries(given),
    plans: Object.fromEntries(planned.map(({ name }) => [name, plan])),
    answers: Object.fromEntries(asked.map(({ name }) => [name, true])),
  };
}

function resultOf(step: StepSpec, template: Template): Json | undefined {
  const { capability, agent, output } = step;
  if (capability === undefined && agent === undefined) return undefined;
  const declaration = capability === undefined ? undefined : template.capabilities[capability];
  if (declaration?.effects.every((effect) => effect === 'compute')) return undefined;
  const contract = output ?? declaration?.output ?? (agent && agentIn(template.agents, agent)?.output);
  return isJsonObject(contract) ? (exampleOf(contract) ?? null) : null;
}
