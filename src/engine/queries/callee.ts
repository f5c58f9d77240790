// Identifies what a step calls: its capability, or its agent with all of the agent's settings.
import { digestOf } from '../../base/digest.ts';
import type { Json } from '../../base/json.ts';
import { agentIn } from '../../template/keys/agent.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { RunState } from '../state/state.ts';

/** Equal for two steps with interchangeable work; undefined for a step that calls nothing. */
export function calleeOf(state: RunState, spec: StepSpec): string | undefined {
  const { attachments = [] } = spec;
  const performer = withoutAttachments(state, spec);
  if (performer === undefined || attachments.length === 0) return performer;
  return `${performer} with ${digestOf(attachments.map((each) => ({ ...each })))}`;
}

/** The capability's name, with a digest if it is a template: another template is other work. */
function calledIn({ template: { capabilities } }: RunState, capability: string | undefined): string | undefined {
  const declared = Object.hasOwn(capabilities, capability ?? '') ? capabilities[capability ?? ''] : undefined;
  return declared?.runs === undefined ? capability : `${capability} of template ${declared.runs.template}`;
}

function withoutAttachments(state: RunState, { capability, agent, description }: StepSpec): string | undefined {
  if (agent === undefined) return calledIn(state, capability);
  const spec = JSON.parse(
    JSON.stringify({ ...agentIn(state.template.agents, agent), description: description ?? '' }),
  ) as Json;
  return `agent ${agent.name} ${digestOf(spec)}`;
}
