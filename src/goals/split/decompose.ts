// Decomposes a goal into tasks by its words alone: deterministic, and abstaining when the words do not prove the tasks.
import { defined } from '../../base/json.ts';
import type { Attachment } from '../../template/keys/attachment.ts';
import type { TaskKinds } from '../../template/keys/pattern.ts';
import { refinementsIn } from '../arguments/refinement.ts';
import { mask, type Span, unmask } from '../match/mask.ts';
import type { DescribedCapability } from '../match/tool.ts';
import { type ArrangedClause, arrange, type PlacedClause } from './arrange.ts';
import { type Block, blocksOf } from './blocks.ts';
import { capabilitiesIn, classifier } from './classify.ts';
import { clausesOf, conditionOf } from './clauses.ts';
import { hasKnownVerb, headOf, orderIn } from './is-order.ts';
import { mentionsIn } from './mentions.ts';
import { type Verbs, verbsOf } from './order-verbs.ts';
import { onlyIn, repeatIn } from './repeats.ts';
import { signalsIn } from './signals.ts';
import { REFERS_BACK, type Statement, statementsOf } from './statements.ts';
import type { Decomposition, GoalSignal, Task, TaskKind } from './task.ts';

export interface DecomposeOptions {
  readonly kinds?: TaskKinds;
  /** The granted capabilities: tasks may name them, and their verbs begin orders. */
  readonly capabilities?: readonly DescribedCapability[];
  /** The attachments of the goal. */
  readonly attachments?: readonly Attachment[];
}

interface Draft extends PlacedClause {
  readonly said: Statement;
  /** Sentences about the task that order nothing themselves. */
  readonly remarks: readonly string[];
  readonly names: readonly string[];
  /** The order for one item of a list. */
  readonly one?: string;
  /** Words that select some items of the list. */
  readonly only?: string;
  /** Its verb is known, or none is needed. */
  readonly isClear: boolean;
}

interface Reader {
  readonly spans: readonly Span[];
  readonly verbs: Verbs;
  readonly options: DecomposeOptions;
}

const SURE = 0.9;
const WITH_REMARKS = 0.8;
const UNKNOWN_WORDS = 0.5;

/** Never throws, for any text. */
export function decompose(goal: string, options: DecomposeOptions = {}): Decomposition {
  const { text, spans } = mask(goal);
  const reader = { spans, options, verbs: verbsOf(options.capabilities ?? []) };
  const blocks = blocksOf(text);
  const drafts = draftsOf(statementsOf(blocks, reader.verbs), reader);
  const signals = [...blocks.flatMap(signalsOfHeading), ...drafts.flatMap((each) => signalsOf(each, reader))].map(
    (signal): GoalSignal => ({ ...signal, clause: unmask(signal.clause, spans) }),
  );
  if (signals.length > 0) return abstain(signals, becauseOf(signals));
  if (drafts.length === 0) return abstain([], 'the goal orders nothing');
  const { tasks, moved } = arrange(drafts);
  const read = tasks.map((each) => taskOf(each, spans));
  return {
    tasks: handOver(options.attachments ?? [], read),
    confidence: confidenceIn(drafts),
    signals: [],
    notes: [...moved.map((each) => movedNote(each, spans)), ...drafts.flatMap((each) => remarkNotes(each, spans))],
  };
}

/** One order of a goal, in its own words. */
export interface GoalOrder {
  readonly says: string;
  readonly kind: TaskKind;
}

/** The orders of a goal, also where the words do not suffice to plan it. */
export function ordersIn(goal: string, options: DecomposeOptions = {}): readonly GoalOrder[] {
  const { text, spans } = mask(goal);
  const reader = { spans, options, verbs: verbsOf(options.capabilities ?? []) };
  const drafts = draftsOf(statementsOf(blocksOf(text), reader.verbs), reader);
  return drafts.flatMap(({ said, kind }) => {
    const parts = behindCondition(said.text, reader.verbs);
    return parts.map((part) => ({ says: unmask(orderIn(part), spans), kind }));
  });
}

/** `If it is late, close it and tell Anna` orders twice; the condition stays with the first order. */
function behindCondition(text: string, verbs: Verbs): readonly string[] {
  const condition = conditionOf(text);
  if (condition === '') return [text];
  return clausesOf(text.slice(condition.length), verbs).map((clause, index) =>
    index === 0 ? condition + clause.text : clause.text,
  );
}

function abstain(signals: readonly GoalSignal[], why: string): Decomposition {
  return { tasks: [], confidence: 0, signals, notes: [], abstained: why };
}

function becauseOf(signals: readonly GoalSignal[]): string {
  const said = signals.slice(0, 3).map(({ words, clause }) => `"${words}" in "${short(clause)}"`);
  const more = signals.length > said.length ? `, and ${signals.length - said.length} more` : '';
  return `the goal is more than a list of orders: ${said.join(', ')}${more}`;
}

function short(text: string): string {
  const points = [...text.slice(0, 160)];
  return points.length > 80 ? `${points.slice(0, 79).join('')}…` : text;
}

/** A sentence without an order joins the task before it; leading ones join the first task. */
function draftsOf(said: readonly Statement[], reader: Reader): readonly Draft[] {
  const { spans, options, verbs } = reader;
  const kindOf = classifier(options.kinds ?? {});
  const amongOrders = said.some(({ isTask, isQuestion }) => isTask && !isQuestion);
  const hasTasks = said.some(({ isTask }) => isTask);
  const known = (options.capabilities ?? []).map(({ name }) => name);
  const drafts: Draft[] = [];
  let waiting: string[] = [];
  for (const each of said) {
    const { text, isQuestion: question } = each;
    const names = capabilitiesIn(text, spans, known);
    const kind = kindOf({ text, question, amongOrders, spans, names });
    const isTask = each.isTask || (!hasTasks && !each.isForbidding) || kind === 'clarification' || kind === 'tool_call';
    const last = drafts.at(-1);
    if (isTask) {
      const before = drafts.flatMap((draft) => (draft.said.isOrder ? [draft.said.text] : []));
      const repeat = kind === 'clarification' ? undefined : repeatIn(text, before, verbs);
      if (repeat?.listing !== undefined)
        drafts.push(draftOf({ ...each, text: repeat.listing }, 'processing', [], reader));
      const joint = repeat?.listing === undefined ? each.joint : 'then';
      const draft = draftOf({ ...each, joint }, kind, names, reader);
      const only = repeat === undefined ? onlyIn(text, before) : repeat.only;
      const one = repeat && { one: repeat.item, isClear: draft.isClear || hasKnownVerb(repeat.item, verbs) };
      drafts.push({ ...draft, remarks: waiting, ...one, ...defined({ only }) });
      waiting = [];
    } else if (last === undefined) waiting.push(text);
    else drafts[drafts.length - 1] = { ...last, remarks: [...last.remarks, text] };
  }
  return drafts;
}

/** Verbs for reading something that others need; listing and showing are orders of their own. */
const TAKES_IN = /^(?:read|review|study|consult)$/i;
const ASKS_SOMETHING =
  /^(?:what|which|who|whom|whose|where|when|why|how|is|are|was|were|do|does|did|can|could|should|would|will|may|has|have)(?!\p{L})/iu;

function draftOf(said: Statement, kind: string, names: readonly string[], { spans, verbs }: Reader): Draft {
  const { text, joint, item } = said;
  const { parameters, attachments } = mentionsIn(text, spans);
  return {
    said,
    kind,
    names,
    remarks: [],
    joint,
    isClear:
      kind !== 'processing' ||
      (said.isQuestion ? ASKS_SOMETHING.test(text) : hasKnownVerb(text, verbs) || refinementsIn(text).length > 0),
    ...defined({ item }),
    reads: TAKES_IN.test(headOf(orderIn(text))) && attachments.length > 0,
    refersBack: REFERS_BACK.test(text),
    paths: parameters.paths ?? [],
    outputs: parameters.outputs ?? [],
  };
}

function signalsOfHeading({ kind, text }: Block): readonly GoalSignal[] {
  if (kind !== 'heading') return [];
  return signalsIn({ text, accounted: new Set() }).map((each) => ({ ...each, clause: text }));
}

/** The signals of a draft. A question may hold a condition, and an order over a list is judged by its order for one item. */
function signalsOf({ said, kind, one, remarks }: Draft, { verbs }: Reader): readonly GoalSignal[] {
  const { text, isQuestion, doubts } = said;
  const accounted = new Set<GoalSignal['kind']>(
    kind === 'clarification'
      ? ['interaction', 'condition', 'alternative', 'conjunction']
      : isQuestion
        ? ['condition']
        : [],
  );
  const found = [
    ...doubts.map((words) => ({ kind: 'conjunction' as const, words })),
    ...signalsIn({ text: one ?? text, accounted, verbs }),
  ].map((each) => ({ ...each, clause: text }));
  const beside = remarks.flatMap((remark) =>
    signalsIn({ text: remark, accounted: new Set(), verbs }).map((each) => ({ ...each, clause: remark })),
  );
  return [...found, ...beside];
}

function taskOf(
  { item: { said, kind, names, remarks, one, only }, after }: ArrangedClause<Draft>,
  spans: readonly Span[],
): Task {
  const order = said.isQuestion ? `${said.text}?` : orderIn(said.text);
  const text = [order, ...remarks].join('. ');
  const { parameters, attachments } = mentionsIn(text, spans);
  return {
    description: unmask(text, spans),
    kind,
    ...defined({ item: one === undefined ? undefined : unmask(one, spans), only }),
    after,
    names,
    parameters,
    attachments: unique(attachments),
  };
}

function unique(attachments: readonly Attachment[]): readonly Attachment[] {
  return [...new Map(attachments.map((each) => [each.ref, each])).values()];
}

/** Confidence by known verbs: orders with unknown words are left to a model or a person. */
function confidenceIn(drafts: readonly Draft[]): number {
  if (!drafts.every(({ isClear }) => isClear)) return UNKNOWN_WORDS;
  return drafts.some(({ remarks }) => remarks.length > 0) ? WITH_REMARKS : SURE;
}

function movedNote({ said, kind }: Draft, spans: readonly Span[]): string {
  const what = `"${short(unmask(said.text, spans))}"`;
  return kind === 'clarification'
    ? `${what} comes before what it is about`
    : `${what} comes first, so that what it reads is there for the others`;
}

function remarkNotes({ said, remarks }: Draft, spans: readonly Span[]): readonly string[] {
  const to = short(unmask(said.text, spans));
  return remarks.map((each) => `"${short(unmask(each, spans))}" orders nothing of its own: it goes with "${to}"`);
}

function handOver(attachments: readonly Attachment[], tasks: readonly Task[]): readonly Task[] {
  if (attachments.length === 0) return tasks;
  const speaking = attachments.map((attachment) => ({
    attachment,
    by: new Set(tasks.filter((task) => speaksOf(task, attachment))),
  }));
  return tasks.map((task) => {
    const given = speaking.filter(({ by }) => (by.size === 0 ? task.kind !== 'clarification' : by.has(task)));
    const named = new Set(given.flatMap(({ attachment }) => namesOf(attachment)));
    const others = task.attachments.filter(({ ref }) => !named.has(ref.toLowerCase()));
    return { ...task, attachments: [...others, ...given.map(({ attachment }) => attachment)] };
  });
}

function speaksOf({ description }: Task, attachment: Attachment): boolean {
  const text = description.toLowerCase();
  return namesOf(attachment).some((name) => text.includes(name));
}

/** The reference, file name and label of an attachment. */
function namesOf({ ref, label = '' }: Attachment): readonly string[] {
  const name = ref.slice(Math.max(ref.lastIndexOf('/'), ref.lastIndexOf('\\')) + 1);
  // A file name without an ending could be any word.
  const names = [ref, name.includes('.') ? name : '', label];
  return names.flatMap((each) => (each === '' ? [] : [each.toLowerCase()]));
}
