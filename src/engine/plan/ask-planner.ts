// Asks a planner: composes its brief, keeps the brief with the run, and hands it out.

import { type Digest, digestOfText } from '../../base/digest.ts';
import { type Failure, failure } from '../../base/failure.ts';
import { present } from '../../base/fault.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { Receipt } from '../../context/body.ts';
import { assemblePacket, type Packet, type PacketRequest } from '../../context/packet.ts';
import type { Experience } from '../../goals/experience.ts';
import { type Brief, type BriefRequest, briefOf } from '../../planning/brief.ts';
import type { Frame } from '../../planning/frame.ts';
import type { RepairBrief } from '../../planning/repair-brief.ts';
import { selectTools } from '../../planning/select-tools.ts';
import type { SkillSpec } from '../../template/keys/agent.ts';
import { criticModelOf, readsInFull } from '../../template/model-use.ts';
import { outcomesForWork } from '../attempt/call-outcomes.ts';
import { failWithoutRetry } from '../attempt/complete-step.ts';
import { attemptFacts } from '../attempt/hand-out.ts';
import { frameOf, plannerFor, planningOf } from '../packet/frame-of.ts';
import { type FullBrief, fullBrief } from '../packet/full-brief.ts';
import { clarificationsOf, packetRequest } from '../packet/packet-request.ts';
import { repairBriefOf } from '../packet/repair-brief-of.ts';
import { originalOf } from '../queries/lineage.ts';
import { valueIn } from '../record/stored-value.ts';
import { type Batch, emit } from '../state/batch.ts';
import type { Step } from '../state/state.ts';
import { resolveText } from '../values/resolve-value.ts';
import { summarizeResults } from './summarize-results.ts';

/** Starts a planning attempt, which is paid call by call. */
export function askPlanner(batch: Batch, step: Step): void {
  const asked = askable(batch, step);
  if (!asked.ok) return failWithoutRetry(batch, step, asked.error);
  emit(batch, step.since, {
    type: 'attempt.started',
    step: step.id,
    attempt: step.attempt + 1,
  });
  ask(batch, step, asked.value);
}

/** Hands out the brief after a summary, or again after a lost performer. */
export function resumePlanner(batch: Batch, step: Step): void {
  const asked = askable(batch, step);
  if (asked.ok) ask(batch, step, asked.value);
  else failWithoutRetry(batch, step, asked.error);
}

interface PlannerView {
  readonly frame: Frame;
  readonly goal: string | undefined;
  /** All results, for a planner that reads in full. */
  readonly full: FullBrief | undefined;
  /** The packet that a model is shown; undefined if no model reads it. */
  readonly shown: ShownPacket | undefined;
}

interface ShownPacket {
  readonly repair: RepairBrief | undefined;
  readonly request: PacketRequest;
  /** The packet without a summary. */
  readonly packet: Packet;
}

function askable(batch: Batch, step: Step): Result<PlannerView, Failure> {
  const frame = frameOf(batch, step);
  const { goal: written } = planningOf(step);
  const goal = written === undefined ? undefined : resolveText(batch, originalOf(batch.state, step), written);
  if (goal?.ok === false) return goal;
  const told = { frame, goal: goal?.value };
  const full = readsInFull(plannerFor(batch.state, step)) ? fullBrief(batch, step, told) : undefined;
  // A model critic needs the packet, also if the planner is no model.
  const isShown = full === undefined || criticModelOf(batch.state.template) !== undefined;
  if (!isShown) return good({ ...told, full, shown: undefined });
  const { maxTokens } = { ...batch.state.template.context, ...step.spec.context };
  const repair = repairBriefOf(batch, step, maxTokens);
  const request = packetRequest(batch, step, { ...told, repair });
  const packet = assemblePacket(request);
  if (packet.ok) return good({ ...told, full, shown: { repair, request, packet: packet.value } });
  // The planner can still plan; only its critic has no packet.
  if (full !== undefined) return good({ ...told, full, shown: undefined });
  const [first] = packet.error;
  const why = failure(first?.code ?? 'CONTEXT_OVER_ALLOWANCE', first?.message ?? '', {
    hint: first?.hint,
    retry: 'never',
    issues: packet.error,
  });
  return bad(why);
}

/** The skills for the planner's capabilities and the run's context tags. */
function skillsFor(
  { template: { skills, contextTags } }: Batch['state'],
  { declarations }: Frame,
): readonly SkillSpec[] {
  const linked = selectTools({ wants: ['*'], declarations: Object.values(declarations), skills, contextTags });
  return linked.skills.map(({ skill }) => skill);
}

/** Keeps the receipt beside the brief: it lists results that the planner was not shown. */
function receiptOf({ blobs }: Batch, receipt: Receipt): { readonly receipt?: Digest } {
  if (receipt.items.length + receipt.missing.length + (receipt.full?.results ?? 0) === 0) return {};
  const text = JSON.stringify(receipt);
  const digest = digestOfText(text);
  blobs.push({ digest, text });
  return { receipt: digest };
}

function ask(batch: Batch, step: Step, { frame, goal, full, shown }: PlannerView): void {
  if (full === undefined) {
    const { repair, request, packet } = present(shown, `packet of ${step.id}`);
    const summary = summarizeResults(batch, step, request, packet);
    if (summary === 'asked') return;
    const summed = summary && assemblePacket({ ...request, summary });
    const { body, receipt, tokens } = summed?.ok ? summed.value : packet;
    return askWith(batch, step, { frame, goal, repair, packet: body }, { receipt, tokens });
  }
  const { body, repair, references, receipt } = full;
  const told = { frame, goal, repair, packet: body, references, shown: shown?.packet.body };
  const tokens = batch.countTokens(JSON.stringify(body));
  askWith(batch, step, told, { receipt, tokens });
}

function askWith(
  batch: Batch,
  step: Step,
  told: Pick<BriefRequest, 'frame' | 'goal' | 'repair' | 'packet' | 'references' | 'shown'>,
  { receipt, tokens }: Pick<Packet, 'receipt' | 'tokens'>,
): void {
  const { state, values } = batch;
  const brief = briefOf({
    ...told,
    attempt: step.attempt,
    input: valueIn(state.input, values) ?? null,
    constraints: [...state.template.constraints, ...planningOf(step).constraints],
    feedback: step.issues,
    rejected: step.proposal && valueIn(step.proposal, values),
    previous: previousBrief(batch, step),
    clarifications: clarificationsOf(step, values),
    skills: skillsFor(state, told.frame),
    learned: learnedIn(batch),
  });
  const text = JSON.stringify(brief);
  const digest = digestOfText(text);
  batch.blobs.push({ digest, text });
  emit(batch, step.since, {
    type: 'plan.requested',
    step: step.id,
    attempt: step.attempt,
    brief: digest,
    ...receiptOf(batch, receipt),
    tokens,
  });
  handOut(batch, step, brief);
}

/** The last brief of a planner that asks a model, which continues its conversation. */
function previousBrief({ state, values }: Batch, step: Step): Brief | undefined {
  if (step.brief === undefined || readsInFull(plannerFor(state, step))) return undefined;
  // `briefOf` made this value, and it was stored unchanged.
  return values.get(step.brief) as unknown as Brief | undefined;
}

/** The experience of earlier runs. */
function learnedIn({ state: { learned }, values }: Batch): Experience | undefined {
  return learned && (valueIn(learned, values) as Experience | undefined);
}

/** Hands out the brief again, with the outcomes of the planner's calls. */
export function continuePlanner(batch: Batch, step: Step): void {
  const digest = present(step.brief, `brief of ${step.id}`);
  // `briefOf` made this value, and it was stored unchanged.
  const brief = present(batch.values.get(digest), `blob ${digest}`) as unknown as Brief;
  handOut(batch, step, brief);
}

function handOut(batch: Batch, step: Step, brief: Brief): void {
  const planner = plannerFor(batch.state, step);
  const said = outcomesForWork(batch, step);
  batch.effects.push({ type: 'ask-planner', ...attemptFacts(batch, step), input: null, planner, brief, said });
}
