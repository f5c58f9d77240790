// The tools of an agent: its granted capabilities in the form that a model is offered.

import { pathText } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { contractOf } from '../../contract/contract.ts';
import type { Declaration } from '../../contract/declaration.ts';
import { approvalFor, type EffectsPolicy } from '../../contract/effects-policy.ts';
import { undeclaredKeys } from '../../contract/path.ts';
import type { ToolCall, ToolOffer } from '../../model/request.ts';
import { selectTools } from '../../planning/select-tools.ts';
import type { SkillSpec } from '../../template/keys/agent.ts';
import { isModelCall } from '../../template/model-call.ts';
import type { Template } from '../../template/template.ts';

export interface AgentTools {
  /** The skills that belong to the tools. */
  readonly skills: readonly SkillSpec[];
  readonly offers: readonly ToolOffer[];
  /** By the name that the model uses. */
  readonly byName: ReadonlyMap<string, Declaration>;
}

/** The tool with which an agent asks a person. */
export const askPerson: ToolOffer = {
  name: 'ask_person',
  description: 'Asks the person in charge one question that only they can answer, and waits for the answer.',
  input: {
    type: 'object',
    required: ['question'],
    properties: { question: { type: 'string', description: 'In plain words, with examples of answers.' } },
    additionalProperties: false,
  },
};

/** Models choose badly among more tools, and providers refuse more. */
const MOST_TOOLS = 64;
const LONGEST_NAME = 64;

/** `granted` are globs; an empty list grants nothing. Capabilities that the policy denies or that are models are left out. */
export function toolsOf(
  { capabilities, skills, contextTags }: Pick<Template, 'capabilities' | 'skills' | 'contextTags'>,
  granted: readonly string[],
  policy: EffectsPolicy | undefined,
): AgentTools {
  const byName = new Map<string, Declaration>();
  const declarations = Object.values(capabilities).filter(
    (declaration) => !isModelCall(declaration.name) && approvalFor(declaration, policy, 'agent').verdict !== 'denied',
  );
  const linked = selectTools({ wants: granted, declarations, skills, contextTags });
  for (const { declaration } of linked.tools.slice(0, MOST_TOOLS)) {
    byName.set(free(toolName(declaration.name), byName), declaration);
  }
  const offers = [...byName].map(([name, { description, input }]) => ({
    name,
    description,
    input: input?.type === 'object' ? input : { type: 'object', properties: {} },
  }));
  return { offers, byName, skills: linked.skills.map(({ skill }) => skill) };
}

/** `csv.sniff` as providers allow it: `csv_sniff`. */
function toolName(capability: string): string {
  return capability.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, LONGEST_NAME);
}

function free(name: string, taken: ReadonlyMap<string, unknown>): string {
  let candidate = name;
  for (let n = 2; taken.has(candidate) || candidate === askPerson.name; n++)
    candidate = `${name.slice(0, LONGEST_NAME - 4)}_${n}`;
  return candidate;
}

interface CheckedCall {
  readonly declaration: Declaration;
  readonly input: Json;
}

/** Checks a tool call by its contract. A refused call is not made; the model reads the error instead of a result. */
export function readToolCall(
  { byName }: AgentTools,
  { name, arguments: input }: ToolCall,
): Result<CheckedCall, string> {
  // Some models call a tool as the prompt does, not as it is offered.
  const declaration = byName.get(name) ?? [...byName.values()].find((each) => each.name === name);
  if (declaration === undefined) {
    const known = [...byName.keys()].join(', ');
    return bad(`there is no tool "${name}"; your tools are ${known === '' ? 'none' : known}`);
  }
  if (declaration.input === undefined) return good({ declaration, input });
  const checked = contractOf(declaration.input).check(input);
  const undeclared = undeclaredKeys(declaration.input, input);
  if (checked.ok && undeclared.length === 0) return good({ declaration, input: checked.value });
  const told = new Map<string, string>(
    (checked.ok ? [] : checked.error).map(({ path, message }) => [
      path.length === 0 ? 'arguments' : pathText(path),
      message,
    ]),
  );
  for (const path of undeclared.map(pathText)) {
    if (!told.has(path)) told.set(path, 'the tool takes no such argument');
  }
  const says = [...told].map(([path, message]) => `${path}: ${message}`);
  return bad(`the call was not made, its arguments do not fit: ${says.join('; ')}`);
}
