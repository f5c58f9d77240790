// The facts that a person needs at a gate: its question, the consequences of each answer, and the steps that follow.
import { defined, isJsonObject, type Json } from '../../base/json.ts';
import type { Effect } from '../../contract/declaration.ts';
import type { GateKind } from '../../engine/record/gate-events.schema.ts';
import type { GateView, RunView, StepView } from '../../engine/state/run-view.ts';
import { isTerminal } from '../../engine/state/state.ts';
import { successors } from '../../graph/plan-graph.ts';
import { questionIn } from '../head/question.ts';
import { localName } from '../status.ts';

export interface GateFacts {
  /** `review`, `plan review` */
  readonly kind: string;
  readonly question: string;
  /** The rest of the prompt. */
  readonly rest: string;
  /** The consequence of each answer, in one sentence each. */
  readonly consequences: readonly string[];
  /** Steps behind the gate that write or change something, the nearest first. */
  readonly writes: readonly PlannedWrite[];
}

interface PlannedWrite {
  readonly step: string;
  readonly capability: string;
  readonly effects: readonly Effect[];
  /** The path, the address or the table that the step's input names; references that are not known yet stay as written. */
  readonly target?: string;
}

export function gateFacts(state: RunView, gate: GateView): GateFacts {
  return {
    kind: gate.kind.replaceAll('_', ' '),
    ...questionIn(gate.prompt),
    consequences: consequencesOf(state, gate),
    writes: writesBehind(state, gate.step),
  };
}

function consequencesOf(state: RunView, { kind, step, call }: GateView): readonly string[] {
  const name = localName(step);
  const follows = followersText(state, step);
  const fails = `Rejecting fails ${name}${follows === undefined ? '' : `, and ${follows} does not run for want of it`}.`;
  const planRejected = 'Rejecting sends the plan back to its planner with your notes.';
  const texts: Readonly<Record<GateKind, readonly string[]>> = {
    review: [follows === undefined ? `Approving completes ${name}.` : `Approving lets ${follows} run.`, fails],
    approval: [
      `Approving makes the call of ${call?.capability ?? name}.`,
      rejectedCall(state, state.steps.get(step), fails),
    ],
    llm_prompt: ['Approving shows the text to the model.', fails],
    clarification: [`${name} goes on with your answer.`, fails],
    plan_review: [`Approving adds the steps of the plan to the run.`, planRejected],
    synthesis: ['Approving lets the run use the new capability.', planRejected],
    replan: ['Approving lets the repair go on.', 'Rejecting lets the failure stand, or sends its plan back.'],
    exhaustion: [
      'Approving converges with what there is.',
      'Raising the limit, or replanning smaller, goes on with the work.',
      'Rejecting cancels the run.',
    ],
    outcome: [
      'Approving makes the call again: it was not carried out.',
      'Answering gives its result: it was carried out.',
      `Rejecting leaves ${name} out, and the run goes on.`,
    ],
    lock: ['Approving goes on with the tools as they are now.', 'Rejecting cancels the run.'],
    child: ['It is answered in its own run.'],
  };
  return texts[kind];
}

function rejectedCall(state: RunView, step: StepView | undefined, fails: string): string {
  const isAgent = step?.spec.agent !== undefined && step.spec.capability === undefined;
  return isAgent && state.status !== 'ended' ? 'Rejecting lets the agent go on without the call.' : fails;
}

/** `publish`, `publish and 3 more steps`; undefined if nothing waits for the step. */
function followersText(state: RunView, step: string): string | undefined {
  const next = successors(state.graph, step);
  const [first] = next;
  if (first === undefined) return undefined;
  const more = next.length - 1;
  return `${localName(first)}${more === 0 ? '' : ` and ${more} more ${more === 1 ? 'step' : 'steps'}`}`;
}

const changing: readonly Effect[] = ['output', 'filesystem', 'system', 'write', 'delete'];

/** The most steps that are listed. */
const MOST_WRITES = 12;

function writesBehind(state: RunView, from: string): readonly PlannedWrite[] {
  const found: PlannedWrite[] = [];
  const seen = new Set([from]);
  for (const id of seen) {
    for (const next of successors(state.graph, id)) seen.add(next);
    const step = state.steps.get(id);
    if (step === undefined || isTerminal(step) || found.length >= MOST_WRITES) continue;
    const capability = step.spec.capability ?? '';
    const effects = (state.template.capabilities[capability]?.effects ?? []).filter((each) => changing.includes(each));
    if (effects.length === 0) continue;
    const target = targetOf(state, step.spec.input);
    found.push({ step: id, capability, effects, ...defined({ target }) });
  }
  return found;
}

const targetKeys = ['path', 'file', 'url', 'table', 'to'] as const;

function targetOf({ id }: RunView, input: Json | undefined): string | undefined {
  if (!isJsonObject(input)) return undefined;
  const target = targetKeys.map((key) => input[key]).find((value) => typeof value === 'string');
  return typeof target === 'string' ? target.replaceAll(/\{\{\s*run\.id\s*\}\}/g, id) : undefined;
}
