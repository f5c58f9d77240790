// The headline of a run: one sentence that says who must act, what runs, or how the run ended.
import { counted } from '../../base/counted.ts';
import { defined } from '../../base/json.ts';
import { limitText } from '../../budget/limit-text.ts';
import type { Exhaustion } from '../../engine/record/event-parts.schema.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import { RUN_ACCOUNT } from '../../engine/state/state.ts';
import { cut } from '../cut.ts';
import { openGatesOf } from '../open-gates.ts';
import type { PhaseTree } from '../phases/phase-tree.ts';
import type { ShownStatus } from '../phases/shown-status.ts';
import { localName } from '../status.ts';
import type { Summary } from '../summary.ts';
import { resourceName } from './meters.ts';
import { questionIn } from './question.ts';
import { placeAtWork } from './work-place.ts';

export interface Headline {
  /** The colors of the sign. */
  readonly status: ShownStatus;
  readonly sign: string;
  readonly sentence: string;
  /** The way out of a state in which the run does not go on by itself. */
  readonly hint?: string;
}

/** The order that paused or cancelled the run. */
export interface GivenOrder {
  readonly by: string;
  readonly why?: string;
}

const LONGEST = 160;

/** The order is left out for runs that nobody paused or cancelled. */
export function headlineOf(state: RunView, tree: PhaseTree, summary: Summary, order?: GivenOrder): Headline {
  const { sentence, ...rest } = headline(state, tree, summary, order);
  return { ...rest, sentence: cut(sentence.replaceAll(/\s+/g, ' '), LONGEST) };
}

function headline(state: RunView, tree: PhaseTree, summary: Summary, order: GivenOrder | undefined): Headline {
  switch (summary.status) {
    case 'completed':
      return summary.partial ? partial(state, summary) : completed(summary);
    case 'failed':
      return { status: 'failed', sign: '✗', sentence: `Failed: ${summary.failure?.message ?? 'no result.'}` };
    case 'cancelled':
      return { status: 'not_run', sign: '■', sentence: `Cancelled${orderText(order)}` };
    case 'paused':
      return { status: 'asks', sign: '‖', ...paused(state, order) };
    default:
      return underWay(state, tree, summary, order);
  }
}

function underWay(state: RunView, tree: PhaseTree, summary: Summary, order: GivenOrder | undefined): Headline {
  if (state.status === 'cancelling') {
    return {
      status: 'not_run',
      sign: '■',
      sentence: `Being cancelled${orderText(order)} Running steps are broken off.`,
    };
  }
  const asked = questionOf(state);
  if (asked !== undefined) return { status: 'asks', sign: '?', sentence: asked };
  if (summary.status === 'interrupted') {
    const place = placeAtWork(state, tree);
    return {
      status: 'asks',
      sign: '!',
      sentence: `Interrupted${place === undefined ? '' : ` while ${lowered(place)}`}: no process drives this run.`,
      hint: `resume it here, or with reconverge resume ${summary.run}`,
    };
  }
  const spent = state.exhausted.get(RUN_ACCOUNT);
  const place = placeAtWork(state, tree);
  if (spent !== undefined) {
    const work = place === undefined ? 'landing with what is there' : `landing, ${lowered(place)}`;
    return { status: 'running', sign: '▶', sentence: `Out of budget (${spentText(spent)}): ${work}.` };
  }
  return { status: 'running', sign: '▶', sentence: `${place ?? 'Between two steps'}.` };
}

/** `Waiting for you: May the report be written?` */
function questionOf(state: RunView): string | undefined {
  const gates = openGatesOf(state);
  const [first] = gates;
  if (first === undefined) return undefined;
  const child = state.gates.get(first.gate)?.child;
  if (child !== undefined) return `Waiting for run ${child.run}, which ${localName(first.step)} started.`;
  const more = gates.length === 1 ? '' : ` (1 of ${gates.length})`;
  return `Waiting for you${more}: ${questionIn(first.prompt).question}`;
}

function paused(state: RunView, order: GivenOrder | undefined): Pick<Headline, 'sentence' | 'hint'> {
  const running = state.running.size;
  const rest = running === 0 ? 'No step runs.' : `${counted(running, 'step')} still ${running === 1 ? 'runs' : 'run'}.`;
  return {
    sentence: `Paused${orderText(order)} ${rest}`,
    hint: `resume it here, or with reconverge resume ${state.id}`,
  };
}

function completed({ failed, tolerated, steps }: Summary): Headline {
  const mended = failed.filter(({ takenUp }) => takenUp?.outcome === 'repaired').length;
  const open = failed.length - mended;
  const all = Object.values(steps).reduce((sum, count) => sum + count, 0);
  const notes = [
    ...(open > 0 ? [counted(open, 'failure')] : []),
    ...(mended > 0 ? [`${counted(mended, 'failure')} repaired`] : []),
    ...(tolerated.length > 0 ? [`${counted(tolerated.length, 'failure')} tolerated`] : []),
  ];
  const isWhole = steps.completed === all;
  const sentence = notes.length > 0 ? `Done, with ${notes.join(' and ')}.` : isWhole ? wholeText(all) : 'Done.';
  return { status: 'completed', sign: '✓', sentence };
}

function wholeText(steps: number): string {
  return steps === 1 ? 'Done: its step completed.' : `Done: all ${steps.toLocaleString('en')} steps completed.`;
}

function partial(state: RunView, { failed, skipped, orders = [] }: Summary): Headline {
  const open = failed.filter(({ takenUp }) => takenUp?.outcome !== 'repaired').length;
  const missed = skipped.filter(({ reason }) => reason !== 'when_false' && reason !== 'not_chosen').length;
  const left = orders.filter(({ outcome }) => outcome === 'not_done').length;
  const { stop } = state;
  const notes = [
    ...(stop === undefined ? [] : [`out of budget (${spentText(stop)})`]),
    ...(left > 0 ? [`${counted(left, 'order')} of the goal not done`] : []),
    ...(stop === undefined && open > 0 ? [`${counted(open, 'step')} failed`] : []),
    ...(missed > 0 ? [`${counted(missed, 'step')} did not run`] : []),
  ];
  const sentence = notes.length === 0 ? 'Done in part.' : `Done in part: ${notes.join(', ')}.`;
  return { status: 'completed', sign: '◐', sentence };
}

/** `model calls, 48 of 48` */
function spentText({ account, resource, spent, limit }: Exhaustion): string {
  const place = account === RUN_ACCOUNT ? '' : ` of ${account}`;
  return `${resourceName(resource)}${place}, ${limitText(resource, spent)} of ${limitText(resource, limit)}`;
}

/** ` by ann: wrong folder.` */
function orderText(order: GivenOrder | undefined): string {
  if (order === undefined) return '.';
  const { by, why } = defined(order);
  return ` by ${by}${why === undefined || why.trim() === '' ? '' : `: ${why.trim().replace(/\.$/, '')}`}.`;
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
