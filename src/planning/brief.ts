// The brief: what a planner is told. It needs no knowledge of the engine's insides to answer it.
import type { Issue } from '../base/issue.ts';
import { defined, type Json } from '../base/json.ts';
import type { Reference } from '../base/references.ts';
import { shownFigures } from '../budget/shown.ts';
import { type CapabilityLine, capabilityLines } from '../goals/capability-lines.ts';
import type { Experience } from '../goals/learned.ts';
import type { SkillSpec } from '../template/keys/skill.ts';
import type { Frame, Left } from './frame.ts';
import type { RepairBrief } from './repair-brief.ts';

/** Plain JSON; kept with the run, so that what a planner saw can be read afterwards. */
export interface Brief {
  /** Full id of the planning step. */
  readonly planner: string;
  /** Counts from 1. */
  readonly attempt: number;
  readonly goal?: string;
  /** The run's input. */
  readonly input: Json;
  /** Body of the context packet. */
  readonly packet: Json;
  /** Places in this brief that stand for values of the run: whoever reads in full finds the values there. */
  readonly references?: readonly Reference[];
  /** For a planner that reads in full: the packet that a model is shown who looks at its plan. */
  readonly shown?: Json;
  /** With all contracts; a model is shown them within an allowance. */
  readonly capabilities: readonly CapabilityLine[];
  /** Agents of the template that its steps may name; absent: there are none but `default`. */
  readonly agents?: readonly AgentLine[];
  /** Expertise that concerns what it may use. */
  readonly skills?: readonly SkillLine[];
  readonly bounds: BriefBounds;
  /** Money in dollars, time in seconds. */
  readonly budget: Left;
  /** Where the phase comes together. */
  readonly target: string;
  /** Little is left: finish, and plan no further. */
  readonly converge: boolean;
  readonly constraints: readonly string[];
  /** What was wrong with the attempt before this one. */
  readonly feedback?: readonly Issue[];
  /** What that attempt proposed. */
  readonly rejected?: Json;
  /** What the planner has asked people, in order. */
  readonly clarifications?: readonly Clarification[];
  /** For a repair: what failed, in which plan, and what was tried. The packet's feedback says it too. */
  readonly repair?: RepairBrief;
  /** What earlier runs have taught; settles ties and orders, and nothing else. */
  readonly learned?: Experience;
}

interface AgentLine {
  readonly name: string;
  readonly description?: string;
  readonly tools: readonly string[];
}

interface SkillLine {
  readonly name: string;
  readonly text: string;
}

/** A question, answered. */
export interface Clarification {
  readonly question: string;
  readonly answer: Json;
}

/** In the words of the YAML keys. */
interface BriefBounds {
  readonly max_fragment_steps: number;
  readonly max_fragment_depth: number;
  readonly max_fan_out: number;
  /** How many planning steps may still nest in each other below this one. */
  readonly max_planning_depth: number;
}

export interface BriefRequest {
  readonly frame: Frame;
  readonly attempt: number;
  /** References filled in. */
  readonly goal?: string | undefined;
  readonly input: Json;
  readonly packet: Json;
  readonly references?: readonly Reference[];
  readonly shown?: Json | undefined;
  /** Of the template and of the planning step. */
  readonly constraints: readonly string[];
  readonly feedback?: readonly Issue[] | undefined;
  readonly rejected?: Json | undefined;
  readonly clarifications?: readonly Clarification[];
  readonly repair?: RepairBrief | undefined;
  /** Those that concern it. */
  readonly skills?: readonly SkillSpec[];
  readonly learned?: Experience | undefined;
}

export function briefOf(request: BriefRequest): Brief {
  const { frame, attempt, goal, input, packet, constraints, feedback, clarifications = [], repair } = request;
  const isRejected = feedback !== undefined && feedback.length > 0;
  const { skills = [], learned, references = [], shown } = request;
  return {
    planner: frame.planner,
    attempt,
    ...defined({ goal }),
    input,
    packet,
    ...(references.length === 0 ? {} : { references }),
    ...defined({ shown }),
    capabilities: capabilityLines(Object.values(frame.declarations), learned),
    ...agentLines(frame),
    ...(skills.length === 0 ? {} : { skills: skills.map(({ name, text }) => ({ name, text })) }),
    bounds: {
      max_fragment_steps: frame.bounds.fragmentSteps,
      max_fragment_depth: frame.bounds.fragmentDepth,
      max_fan_out: frame.bounds.fanOut,
      max_planning_depth: frame.converge ? 0 : frame.depthLeft,
    },
    budget: shownFigures(frame.available),
    target: frame.target,
    converge: frame.converge,
    constraints,
    ...(isRejected ? { feedback } : {}),
    ...(isRejected && request.rejected !== undefined ? { rejected: request.rejected } : {}),
    ...(clarifications.length === 0 ? {} : { clarifications }),
    ...defined({ repair, learned }),
  };
}

function agentLines({ asking }: Frame): Pick<Brief, 'agents'> {
  const agents = Object.values(asking?.agents ?? {}).map(({ name, description, tools }) => ({
    name,
    ...defined({ description }),
    tools,
  }));
  return agents.length === 0 ? {} : { agents };
}
