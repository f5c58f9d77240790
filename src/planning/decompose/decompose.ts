// Decomposes a text goal into tasks, by its words alone: the same goal always gives the same tasks, and what it cannot tell it leaves to others.
import type { Attachment } from '../../template/attachment.ts';
import type { Kinds } from '../../template/pattern-settings.ts';
import { refinementsIn } from '../arguments/refinement.ts';
import { type Arranged, arrange, type Placed } from './arrange.ts';
import { type Block, blocksOf } from './blocks.ts';
import { capabilitiesIn, classifier } from './classify.ts';
import { asks, type Clause, clausesOf } from './clauses.ts';
import { sentencesOf } from './connectors.ts';
import { handOver } from './handed-over.ts';
import { mask, type Span, unmask } from './mask.ts';
import { mentionsIn } from './mentions.ts';
import { headOf, isOrder, orderIn } from './order.ts';
import { signalsIn } from './signals.ts';
import type { Decomposition, Signal, Task } from './task.ts';

export interface DecomposeOptions {
  readonly kinds?: Kinds;
  /** Names of capabilities: a task that names one calls it. */
  readonly capabilities?: readonly string[];
  /** What came with the goal. */
  readonly attachments?: readonly Attachment[];
}

/** A clause with where it stands. */
interface Said extends Clause {
  readonly question: boolean;
  /** It orders something, is an item of a list, or may be an order by a verb that is not known. */
  readonly isTask: boolean;
  /** By a verb that is known. */
  readonly isOrder: boolean;
  readonly item: Placed['item'];
}

interface Draft extends Placed {
  readonly said: Said;
  /** What else is said of it. */
  readonly remarks: readonly string[];
  readonly names: readonly string[];
}

const SURE = 0.9;
const WITH_REMARKS = 0.8;
const UNKNOWN_WORDS = 0.5;

/** Never throws, whatever the text. */
export function decompose(goal: string, options: DecomposeOptions = {}): Decomposition {
  const { text, spans } = mask(goal);
  const blocks = blocksOf(text);
  const said = blocks.flatMap(saidIn);
  const drafts = draftsOf(said, spans, options);
  const signals = [...blocks.flatMap(signalsOfHeading), ...signalsOf(said, drafts)].map(
    (signal): Signal => ({ ...signal, clause: unmask(signal.clause, spans) }),
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

function abstain(signals: readonly Signal[], why: string): Decomposition {
  return { tasks: [], confidence: 0, signals, notes: [], abstained: why };
}

function becauseOf(signals: readonly Signal[]): string {
  const said = signals.slice(0, 3).map(({ words, clause }) => `"${words}" in "${short(clause)}"`);
  const more = signals.length > said.length ? `, and ${signals.length - said.length} more` : '';
  return `the goal is more than a list of orders: ${said.join(', ')}${more}`;
}

function short(text: string): string {
  const points = [...text.slice(0, 160)];
  return points.length > 80 ? `${points.slice(0, 79).join('')}…` : text;
}

function saidIn(block: Block, index: number, blocks: readonly Block[]): readonly Said[] {
  const { kind, text } = block;
  if (kind === 'heading') return [];
  const item = kind === 'bullet' ? { list: listOf(index, blocks), index } : undefined;
  return sentencesOf(text).flatMap((sentence, nth) =>
    clausesOf(sentence.text).map((clause, at): Said => {
      const isFirst = nth === 0 && at === 0;
      const order = (isOrder(clause.text) || asks(clause.text)) && !FORBIDS.test(clause.text);
      const question = sentence.question && !(order && !ASKS.test(clause.text));
      return {
        ...clause,
        joint: kind === 'numbered' && isFirst ? 'then' : clause.joint,
        text: clause.text.replace(/[\s,;:]+$/u, ''),
        question,
        isOrder: order,
        isTask:
          !FORBIDS.test(clause.text) && (order || question || (kind !== 'prose' && isFirst) || !states(clause.text)),
        item,
      };
    }),
  );
}

const FORBIDS = /^(?:please )?(?:do not|don['’]t|never|avoid|without) /iu;
const SUBJECT =
  /^(?:we|i|it|there|they|you|he|she|the|this|that|these|those|our|my|your|its|their|an?|all|each|every|no|nothing|in|on|at|for|with|as|by|from|note|here|\uE000)(?![\p{L}])/iu;
const PREDICATE =
  /(?<![\p{L}])(?:is|are|was|were|be|been|has|have|had|must|should|shall|will|would|can|could|may|might|needs?|means?|contains?|['’]s|['’]re)(?![\p{L}])/iu;

/** A sentence with a subject, not an order. */
function states(text: string): boolean {
  return FORBIDS.test(text) || SUBJECT.test(text) || PREDICATE.test(text);
}

/** Questions that begin like orders. */
const ASKS = /^(?:do|have) (?:i|we|you|they|the|these|those)(?![\p{L}])/iu;

/** The first of the bullets that stand together. */
function listOf(index: number, blocks: readonly Block[]): number {
  let first = index;
  while (first > 0 && blocks[first - 1]?.kind === 'bullet') first -= 1;
  return first;
}

function draftsOf(said: readonly Said[], spans: readonly Span[], options: DecomposeOptions): readonly Draft[] {
  const kindOf = classifier(options.kinds ?? {});
  const amongOrders = said.some(({ isTask, question }) => isTask && !question);
  const drafts: Draft[] = [];
  let waiting: string[] = [];
  const orders = said.some(({ isTask }) => isTask);
  for (const each of said) {
    const { text, question } = each;
    const names = capabilitiesIn(text, spans, options.capabilities ?? []);
    const kind = kindOf({ text, question, amongOrders, spans, names });
    const last = drafts.at(-1);
    const isTask = each.isTask || !orders || kind === 'clarification' || kind === 'tool_call';
    if (isTask) {
      drafts.push(draftOf({ ...each, isTask }, kind, names, waiting, spans));
      waiting = [];
    } else if (last === undefined) waiting.push(text);
    else drafts[drafts.length - 1] = { ...last, remarks: [...last.remarks, text] };
  }
  return drafts;
}

const READING = new Set('read review study consult see inspect look'.split(' '));
const BACK =
  /(?<![\p{L}])(?:it|its|them|they|their|these|those|this|(?:the|all) (?:results?|outputs?|findings|answers?|above|former|latter|same|rest))(?![\p{L}])/iu;

function draftOf(
  said: Said,
  kind: string,
  names: readonly string[],
  remarks: readonly string[],
  spans: readonly Span[],
): Draft {
  const { text, joint, item } = said;
  const { parameters, attachments } = mentionsIn(text, spans);
  return {
    said,
    kind,
    names,
    remarks,
    joint,
    ...(item === undefined ? {} : { item }),
    reads: READING.has(headOf(orderIn(text)).toLowerCase()) && attachments.length > 0,
    refersBack: BACK.test(text),
    paths: parameters.paths ?? [],
    outputs: parameters.outputs ?? [],
  };
}

function signalsOfHeading({ kind, text }: Block): readonly Signal[] {
  if (kind !== 'heading') return [];
  return signalsIn({ text, accounted: new Set() }).map((each) => ({ ...each, clause: text }));
}

function signalsOf(said: readonly Said[], drafts: readonly Draft[]): readonly Signal[] {
  const asking = new Set(drafts.flatMap((each) => (each.kind === 'clarification' ? [each.said.text] : [])));
  return said.flatMap(({ text, question }) => {
    const accounted = new Set<Signal['kind']>(
      asking.has(text) ? ['interaction', 'condition', 'alternative', 'conjunction'] : question ? ['condition'] : [],
    );
    return signalsIn({ text, accounted }).map((each) => ({ ...each, clause: text }));
  });
}

function taskOf({ item: { said, kind, names, remarks }, after }: Arranged<Draft>, spans: readonly Span[]): Task {
  const order = said.isOrder ? orderIn(said.text) : `${said.text}${said.question ? '?' : ''}`;
  const text = [order, ...remarks].join('. ');
  const { parameters, attachments } = mentionsIn(text, spans);
  return {
    description: unmask(text, spans),
    kind,
    after,
    names,
    parameters,
    attachments: unique(attachments),
  };
}

function unique(attachments: readonly Attachment[]): readonly Attachment[] {
  return [...new Map(attachments.map((each) => [each.ref, each])).values()];
}

function confidenceIn(drafts: readonly Draft[]): number {
  const isClear = ({ said, kind }: Draft): boolean =>
    said.isOrder || said.question || kind !== 'processing' || said.item !== undefined || isRefined(said);
  if (!drafts.every(isClear)) return UNKNOWN_WORDS;
  return drafts.some(({ said, remarks }) => remarks.length > 0 || !(said.isOrder || isRefined(said)))
    ? WITH_REMARKS
    : SURE;
}

/** `newest first` is clear without a verb. */
function isRefined({ text }: Said): boolean {
  return refinementsIn(text).length > 0;
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
