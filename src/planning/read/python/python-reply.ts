// Finds calls in Python in the answer of a model: as the whole answer, or in code fences.
import { withoutReasoning } from '../../../model/without-reasoning.ts';
import { fencesIn } from '../fences.ts';
import { beginsLikeCalls, type PythonPlan, type PythonSource, readPython } from './python-plan.ts';

export interface PythonReply {
  readonly plan: PythonPlan;
  /** Where the calls stand in the answer. */
  readonly from: number;
  readonly end: number;
  readonly place: 'whole' | 'fence';
  /** Other fences with calls. */
  readonly others: number;
}

const PYTHON_LABELS = ['python', 'py', 'python3', 'tool_code', 'tool_call', 'tool_calls'];
const LABELS = [...PYTHON_LABELS, '', 'text', 'txt', 'plaintext', 'code', 'plan'];
/** Fences from the end that are tried at most. */
const MOST_FENCES = 50;

/**
 * The whole answer when it has calls and nothing else, else the last fence with calls and nothing else; failing both, the
 * fence or the answer that has calls beside other things, whose issues say what those are. Undefined without calls.
 */
export function pythonInReply(text: string): PythonReply | undefined {
  const answer = withoutReasoning(text);
  const start = text.lastIndexOf(answer);
  // An answer in pieces, with reasoning between them, stands nowhere in the text.
  const [whole, from] = start < 0 ? [answer, 0] : [text, start];
  const end = from + answer.length;
  const all = read({ text: whole, at: [], from, end }, 'whole');
  if (all !== undefined && isSound(all)) return all;
  const fences = fencesIn(whole).slice(-MOST_FENCES);
  const inFences = fences.flatMap(({ body, label, from: begin }) => {
    if (!LABELS.includes(label) || begin < from || begin >= end) return [];
    return read({ text: whole, at: [], from: begin, end: begin + body.length }, 'fence', label) ?? [];
  });
  const sound = inFences.filter(isSound);
  const found = sound.at(-1) ?? inFences.at(-1) ?? all;
  return found && { ...found, others: Math.max(0, sound.length - 1) };
}

function read(source: Required<PythonSource>, place: PythonReply['place'], label = ''): PythonReply | undefined {
  const plan = readPython([source]);
  const isMeant = PYTHON_LABELS.includes(label) || beginsLikeCalls(source.text.slice(source.from, source.end));
  const isPython = plan.steps.length > 0 || (isMeant && plan.issues.length > 0);
  return isPython ? { plan, from: source.from, end: source.end, place, others: 0 } : undefined;
}

export function isSound({ plan }: PythonReply): boolean {
  return plan.steps.length > 0 && plan.issues.length === 0;
}
