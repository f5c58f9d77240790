// Who does the work of a step, by what it is: the capability it calls, or the agent with all that makes it what it is.
import { digestOf } from '../../base/digest.ts';
import type { Json } from '../../base/json.ts';
import { agentIn } from '../../template/keys/agent.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { RunState } from '../state/state.ts';

/** The same for two steps whose work is interchangeable; absent where nothing is called. */
export function performerOf(state: RunState, { attachments = [], ...spec }: StepSpec): string | undefined {
  const performer = withoutAttachments(state, spec);
  if (performer === undefined || attachments.length === 0) return performer;
  return `${performer} with ${digestOf(attachments.map((each) => ({ ...each })))}`;
}

/** Runs of a template are the same work while it is the same template. */
function calledIn({ template: { capabilities } }: RunState, capability: string | undefined): string | undefined {
  const declared = Object.hasOwn(capabilities, capability ?? '') ? capabilities[capability ?? ''] : undefined;
  return declared?.runs === undefined ? capability : `${capability} of template ${declared.runs.template}`;
}

function withoutAttachments(
  state: RunState,
  { capability, agent, description }: Omit<StepSpec, 'attachments'>,
): string | undefined {
  if (agent === undefined) return calledIn(state, capability);
  const spec = JSON.parse(
    JSON.stringify({ ...agentIn(state.template.agents, agent), description: description ?? '' }),
  ) as Json;
  return `agent ${agent.name} ${digestOf(spec)}`;
}
