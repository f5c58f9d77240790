// The system message of a planning model: the same bytes for every planning step of a template, so that servers cache it.
import { defined } from '../../base/json.ts';
import { approvalFor, onlyWith } from '../../contract/effects-policy.ts';
import { isGranted } from '../../contract/grant.ts';
import { type Prompt, promptOf } from '../../engine/agent/prompt.ts';
import { type CapabilityLine, capabilityLines } from '../../goals/capability-lines.ts';
import type { Brief } from '../../planning/brief.ts';
import { selectTools } from '../../planning/select-tools.ts';
import { defaultAgent, type SkillSpec } from '../../template/keys/agent.ts';
import { modelNamed, plannerModelOf } from '../../template/model-use.ts';
import type { PlanningSpec, StepSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import { agentLines, capabilitiesText, MOST_SHOWN, serversText } from './catalogue.ts';
import { exampleFragment } from './planning-example.ts';
import { PLANNING_RULES, WRITING_RULE } from './planning-rules.ts';

/** The parts of a template that its planners are told. */
export type PromptTemplate = Pick<Template, 'capabilities' | 'agents' | 'skills' | 'contextTags' | 'steps' | 'models'> &
  Partial<Pick<Template, 'description' | 'effects' | 'repair'>>;

export interface PlanningSystem {
  readonly prompt: Prompt;
  /** The names that the message shows with a signature; none of a larger catalogue. */
  readonly listed: ReadonlySet<string>;
}

/** `mayWrite`: a fragment may bring capabilities of its own. */
export function planningSystem(template: PromptTemplate, mayWrite: boolean): PlanningSystem {
  const known = remembered.get(template.capabilities) ?? [];
  const found = known.find((each) => each.mayWrite === mayWrite && isSame(each.template, template));
  if (found !== undefined) return found.system;
  const system = systemOf(template, mayWrite);
  remembered.set(template.capabilities, [{ template, mayWrite, system }, ...known].slice(0, MOST_REMEMBERED));
  return system;
}

interface RememberedSystem {
  readonly template: PromptTemplate;
  readonly mayWrite: boolean;
  readonly system: PlanningSystem;
}

/** Systems by the capabilities of their template, because each call of a planner makes the planner anew. */
const remembered = new WeakMap<Template['capabilities'], readonly RememberedSystem[]>();
const MOST_REMEMBERED = 4;

function isSame(one: PromptTemplate, other: PromptTemplate): boolean {
  const parts = ['agents', 'skills', 'contextTags', 'steps', 'models', 'effects', 'repair', 'description'] as const;
  return parts.every((part) => one[part] === other[part]);
}

/** For a planner without its template. */
export function systemForBrief({ capabilities, agents = [], skills = [] }: Brief, mayWrite: boolean): PlanningSystem {
  return systemWith(capabilities, {
    ...{ mayWrite, asksAgents: true, example: capabilities, agents },
    skills: skills.map(({ name, text }) => `- ${name}: ${text}`),
  });
}

function systemOf(template: PromptTemplate, mayWrite: boolean): PlanningSystem {
  const { agents, skills, contextTags, models, description } = template;
  const grants = grantsOf(template);
  const declarations = grants.all.map(({ declaration }) => declaration);
  const applying = selectTools({ wants: ['*'], declarations, skills, contextTags }).skills;
  return systemWith(capabilityLines(declarations), {
    mayWrite,
    asksAgents: modelNamed(models, undefined) !== undefined,
    example: capabilityLines(grants.shared.map(({ declaration }) => declaration)),
    agents: Object.values(agents),
    skills: applying.map(({ skill }) => skillLine(skill)),
    ...defined({ purpose: description }),
  });
}

interface SystemParts {
  readonly mayWrite: boolean;
  readonly asksAgents: boolean;
  /** Capabilities that every planning step may use. */
  readonly example: readonly CapabilityLine[];
  readonly agents: Parameters<typeof agentLines>[0];
  readonly skills: readonly string[];
  readonly purpose?: string;
}

function systemWith(capabilities: readonly CapabilityLine[], parts: SystemParts): PlanningSystem {
  const isShort = capabilities.length <= MOST_SHOWN;
  const { name, tools } = defaultAgent;
  const agents = [...(parts.asksAgents ? [{ name, tools }] : []), ...parts.agents];
  const text = [
    parts.mayWrite ? `${PLANNING_RULES}\n${WRITING_RULE}` : PLANNING_RULES,
    parts.purpose === undefined ? '' : `# The workflow\n${parts.purpose}`,
    capabilities.length === 0 || !isShort ? '' : `# Capabilities\n${capabilitiesText(capabilities)}`,
    isShort ? '' : `# Servers and their numbers of capabilities\n${LOOK_FURTHER}\n${serversText(capabilities)}`,
    section('Agents', [agentLines(agents), ...(parts.asksAgents ? [] : [NO_NEW_AGENTS])]),
    parts.skills.length === 0 ? '' : `# What you should know\n${parts.skills.join('\n')}`,
    `# Example\n${JSON.stringify(exampleFragment(parts.example, parts.asksAgents))}`,
  ];
  const prompt = promptOf(
    parts.mayWrite ? 'llm-planner-writing' : 'llm-planner',
    3,
    text.filter((part) => part !== '').join('\n\n'),
  );
  return { prompt, listed: new Set(isShort ? capabilities.map(({ name }) => name) : []) };
}

/** New agents ask the model that is called default, or the only one. */
const NO_NEW_AGENTS = 'New agents have no model here: define none.';

function section(title: string, lines: readonly string[]): string {
  return `# ${title}\n${lines.filter((line) => line !== '').join('\n')}`;
}

const LOOK_FURTHER =
  'You are shown those nearest to the goal. Look for others by server, {"capability": "github.*"}, or by words, {"capability": "merge a branch"}.';

interface Grants {
  /** Capabilities that some planning step may use. */
  readonly all: readonly Grant[];
  /** Capabilities that all of them may use. */
  readonly shared: readonly Grant[];
}

interface Grant {
  readonly declaration: Template['capabilities'][string];
  readonly steps: number;
}

/** Capabilities that a plan of the run wrote itself are named to the steps that may use them. */
function grantsOf({ capabilities, effects, steps, repair }: PromptTemplate): Grants {
  const planners = [...steps, ...(repair === undefined ? [] : [repair])].flatMap((step) => asksModel(step) ?? []);
  const all = Object.values(capabilities).flatMap((declaration): readonly Grant[] => {
    if (declaration.lisp !== undefined) return [];
    if (approvalFor(declaration, effects, 'grafted').verdict === 'denied') return [];
    const granting = planners.filter(({ planning: { allow, deny }, only }) => {
      const isAllowed = approvalFor(declaration, onlyWith(only), 'grafted').verdict !== 'denied';
      return isAllowed && isGranted(declaration.name, allow, deny);
    });
    return granting.length > 0 || planners.length === 0 ? [{ declaration, steps: granting.length }] : [];
  });
  const shared = all.filter(
    (grant) => grant.steps === planners.length && approvalFor(grant.declaration, effects, 'grafted').verdict === 'free',
  );
  return { all, shared };
}

interface ModelPlanner {
  readonly planning: PlanningSpec;
  /** The only effects of its plans. */
  readonly only: StepSpec['effects'];
}

function asksModel({ planning, effects }: StepSpec): ModelPlanner | undefined {
  const mayAsk =
    planning !== undefined && (planning.planner === undefined || plannerModelOf(planning.planner) !== undefined);
  return mayAsk ? { planning, only: effects } : undefined;
}

function skillLine({ name, text, appliesTo }: SkillSpec): string {
  return `- ${name}${appliesTo.length === 0 ? '' : ` (${appliesTo.join(', ')})`}: ${text}`;
}
