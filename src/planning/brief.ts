// The brief: everything a planner needs to answer, without knowledge of the engine.
import type { Issue } from '../base/issue.ts';
import { defined, type Json } from '../base/json.ts';
import type { Reference } from '../base/references.ts';
import { shownFigures } from '../budget/display-figures.ts';
import { type CapabilityLine, capabilityLines } from '../goals/capability-lines.ts';
import type { Experience } from '../goals/experience.ts';
import type { SkillSpec } from '../template/keys/agent.ts';
import type { Frame, RemainingBudget } from './frame.ts';
import type { RepairBrief } from './repair-brief.ts';

/** Plain JSON, stored with the run, so that a planner's input can be read afterwards. */
export interface Brief {
  /** Full id of the planning step. */
  readonly planner: string;
  /** Counts from 1. */
  readonly attempt: number;
  readonly goal?: string;
  /** The run's input. */
  readonly input: Json;
  /** The body of the context packet. */
  readonly packet: Json;
  /** References in this brief to values of the run, for a planner that reads in full. */
  readonly references?: readonly Reference[];
  /** For a planner that reads in full: the smaller packet for a model that reviews its plan. */
  readonly shown?: Json;
  /** All capabilities with contracts; a model's prompt shows contracts within an allowance. */
  readonly capabilities: readonly CapabilityLine[];
  /** Agents of the template that steps may name; absent when there is only `default`. */
  readonly agents?: readonly AgentLine[];
  /** Skills that apply to its tools. */
  readonly skills?: readonly SkillLine[];
  readonly bounds: BriefBounds;
  /** The remaining budget: money in dollars, time in seconds. */
  readonly budget: RemainingBudget;
  /** The convergence target of the phase. */
  readonly target: string;
  /** The least number of steps with which the plan must end, for a target with a quorum. */
  readonly ends?: number;
  /** Little budget is left: the planner must finish without further planning. */
  readonly converge: boolean;
  readonly constraints: readonly string[];
  /** The issues of the attempt before. */
  readonly feedback?: readonly Issue[];
  /** The proposal of that attempt. */
  readonly rejected?: Json;
  /** For a planner that asks a model: the conversation that this attempt continues. */
  readonly earlier?: EarlierAttempts;
  /** Answered questions of the planner, in order. */
  readonly clarifications?: readonly Clarification[];
  /** For a repair: the failures, their plan and earlier trials. The packet's feedback holds them too. */
  readonly repair?: RepairBrief;
  /** Experience from earlier runs; it only decides ties and orders. */
  readonly learned?: Experience;
}

/** The earlier attempts of a planning step, so that a model's conversation grows and is never rewritten. */
export interface EarlierAttempts {
  /** The parts of the first attempt's brief that change from attempt to attempt. */
  readonly first: Pick<Brief, 'packet' | 'budget' | 'converge' | 'clarifications'>;
  /** Oldest first. */
  readonly rejections: readonly Rejection[];
}

/** A rejected fragment and its issues. */
export interface Rejection {
  readonly fragment: Json;
  readonly issues: readonly Issue[];
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

/** A question and its answer. */
export interface Clarification {
  readonly question: string;
  readonly answer: Json;
}

/** Bounds under the names of the YAML keys. */
interface BriefBounds {
  readonly max_fragment_steps: number;
  readonly max_fragment_depth: number;
  readonly max_fan_out: number;
  /** The number of planning levels that may nest below this step. */
  readonly max_planning_depth: number;
}

export interface BriefRequest {
  readonly frame: Frame;
  readonly attempt: number;
  /** The goal with references filled in. */
  readonly goal?: string | undefined;
  readonly input: Json;
  readonly packet: Json;
  readonly references?: readonly Reference[];
  readonly shown?: Json | undefined;
  /** Constraints of the template and of the planning step. */
  readonly constraints: readonly string[];
  readonly feedback?: readonly Issue[] | undefined;
  readonly rejected?: Json | undefined;
  /** The brief before, for a planner that asks a model. */
  readonly previous?: Brief | undefined;
  readonly clarifications?: readonly Clarification[];
  readonly repair?: RepairBrief | undefined;
  /** Skills that apply to this planner. */
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
    ...endsNeeded(frame),
    converge: frame.converge,
    constraints,
    ...(isRejected ? { feedback } : {}),
    ...(isRejected && request.rejected !== undefined ? { rejected: request.rejected } : {}),
    ...(clarifications.length === 0 ? {} : { clarifications }),
    ...defined({ repair, learned, earlier: earlierAttempts(request) }),
  };
}

/** Undefined for the first attempt, and for an attempt that begins a new conversation. */
function earlierAttempts(request: BriefRequest): EarlierAttempts | undefined {
  const { previous, attempt, feedback, rejected, clarifications: answers = [] } = request;
  if (previous === undefined) return undefined;
  const { packet, budget, converge, clarifications } = previous;
  const first = { packet, budget, converge, ...defined({ clarifications }) };
  const earlier = previous.earlier ?? { first, rejections: [] };
  const isAnswered = answers.length > (clarifications?.length ?? 0);
  if (previous.attempt === attempt || isAnswered) return earlier;
  if (feedback === undefined || feedback.length === 0 || rejected === undefined) return undefined;
  const isKnown = JSON.stringify([previous.rejected, previous.feedback]) === JSON.stringify([rejected, feedback]);
  if (isKnown) return earlier;
  return { first: earlier.first, rejections: [...earlier.rejections, { fragment: rejected, issues: feedback }] };
}

function endsNeeded({ quorum }: Frame): Pick<Brief, 'ends'> {
  const ends = quorum === undefined ? 0 : quorum.min - quorum.beside;
  return ends > 0 ? { ends } : {};
}

function agentLines({ asking }: Frame): Pick<Brief, 'agents'> {
  const agents = Object.values(asking?.agents ?? {}).map(({ name, description, tools }) => ({
    name,
    ...defined({ description }),
    tools,
  }));
  return agents.length === 0 ? {} : { agents };
}
