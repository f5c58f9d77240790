// The task of an agent as its model reads it: the step's purpose, its input, and the results of the steps before it.

import { type Failure, failure } from '../../base/failure.ts';
import { isJsonObject, type Json } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { plainView } from '../../context/shrink.ts';
import { synthesis } from '../../context/synthesis.ts';
import type { AgentSpec } from '../../template/keys/agent.ts';
import type { Attachment } from '../../template/keys/attachment.ts';
import { taskOfCall } from '../../template/model-call.ts';
import { recordOf } from '../packet/packet-request.ts';
import type { Batch } from '../state/batch.ts';
import { type RunState, type Step, stepOf } from '../state/state.ts';
import type { GatheredResults } from '../values/gathered-results.ts';
import { resultsForAgent } from '../values/gathered-results.ts';
import type { PromptRoom } from './conversation.ts';
import { dataText } from './prompt.ts';

/** Bytes of input for each token of room; a larger input is shrunk, with a note in its place. */
const BYTES_PER_TOKEN = 2;

interface TaskFacts {
  readonly input: Json;
  readonly attachments: readonly Attachment[];
  readonly room: PromptRoom;
}

/** Shows results as a packet does: shrunk by their contracts, with a receipt. */
export function taskFor(
  batch: Batch,
  step: Step,
  agent: AgentSpec,
  { input, attachments, room }: TaskFacts,
): Result<string, Failure> {
  const { name, capability = '', description = agent.description ?? `do the step "${name}"` } = step.spec;
  const given = resultsForAgent(batch.state, step);
  const call = taskOfCall(capability, input);
  const said = call === undefined ? shownInput(input, given) : call.data;
  const results = given === undefined ? undefined : shownResults(batch, step, given);
  if (results?.ok === false) return results;
  const { feedback } = step;
  const parts = [
    `Task: ${call?.task ?? description}`,
    ...branchesText(batch.state, step),
    ...(said === undefined ? [] : [dataText('input', plainView(said).show(room.maxTokens * BYTES_PER_TOKEN))]),
    ...(results === undefined ? [] : [dataText('results', results.value)]),
    ...(attachments.length === 0
      ? []
      : [['Attachments, by reference:', ...attachments.map(attachmentLine)].join('\n')]),
    ...(feedback === undefined
      ? []
      : [`A previous attempt failed verification: ${feedback}. Do it again so that this does not happen.`]),
  ];
  return good(parts.join('\n\n'));
}

/** The input without the gathered results that `callInput` added to it. */
function shownInput(input: Json, given: GatheredResults | undefined): Json {
  if (given === undefined || !isJsonObject(input)) return input;
  const { results: _, absent: __, ...said } = input;
  return said;
}

function shownResults(
  { state, values, countTokens }: Batch,
  step: Step,
  { present, absent }: GatheredResults,
): Result<Json, Failure> {
  const shrunk = synthesis({
    steps: present.map(([name, each]) => ({ ...recordOf(state, each, values), id: name })),
    beside: { absent },
    maxTokens: step.spec.context?.maxTokens ?? state.template.context.maxTokens,
    countTokens,
  });
  if (shrunk.ok) return good(shrunk.value.body);
  const { error: issues } = shrunk;
  return bad(
    failure('CONTEXT_OVER_ALLOWANCE', issues[0]?.message ?? '', { hint: issues[0]?.hint, retry: 'never', issues }),
  );
}

function branchesText(state: RunState, { spec, refs }: Step): readonly string[] {
  const branches = spec.decision?.branches ?? [];
  if (branches.length === 0) return [];
  const lines = branches.map((name) => {
    const { description } = stepOf(state, refs?.[name] ?? name).spec;
    return description === undefined ? `- ${name}` : `- ${name}: ${description}`;
  });
  return [['Decide which of these run next; it may be several, or none:', ...lines].join('\n')];
}

function attachmentLine({ kind, ref, label }: Attachment): string {
  return `- ${kind} ${ref}${label === undefined ? '' : ` (${label})`}`;
}
