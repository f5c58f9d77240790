// Classifies clauses into kinds of tasks, by their words and the settings.
import { builtInKinds, type TaskKinds } from '../../template/keys/pattern.ts';
import { type Span, spansIn } from '../match/mask.ts';
import { stemOf } from '../match/terms.ts';
import { needsTool, usualVerbs } from '../match/verbs.ts';
import { headOf, orderIn } from './is-order.ts';
import { isDoubt, personQuestionIn } from './person-question.ts';
import type { TaskKind } from './task.ts';

interface Candidate {
  /** The masked text. */
  readonly text: string;
  readonly question: boolean;
  /** The goal holds orders too, so a question is meant for the person who gave them. */
  readonly amongOrders: boolean;
  readonly spans: readonly Span[];
  /** The capabilities that it names. */
  readonly names: readonly string[];
}

/** Default words of some kinds; any other kind is recognized by its name. */
const usual: Readonly<Record<string, readonly string[]>> = {
  retrieval: ['retrieve', 'look up', 'search for', 'retrieval'],
  unit_test: ['unit test', 'unit-test'],
  analysis: ['analyse', 'analyze', 'analysis'],
  refactor: ['refactor', 'refactoring'],
  code_implementation: ['implement', 'code'],
};

/**
 * A function from clauses to kinds. A task that names a capability, holds a command, or sends or destroys something is a
 * call; for other tasks, the match with capabilities decides later.
 */
export function classifier(kinds: TaskKinds): (candidate: Candidate) => TaskKind {
  const own = Object.entries(kinds).flatMap(([kind, { matches }]) => {
    const words =
      matches ?? (builtInKinds.some((basic) => basic === kind) ? [] : (usual[kind] ?? [kind.replaceAll('_', ' ')]));
    const pattern = patternOf(words);
    return pattern === undefined ? [] : [{ kind, pattern }];
  });
  return (candidate) => {
    const { text, spans, names } = candidate;
    const order = orderIn(text);
    if (personQuestionIn(order) !== undefined || isOpen(candidate)) return 'clarification';
    const found = own.find(({ pattern }) => pattern.test(text));
    if (found !== undefined) return found.kind;
    const verb = headOf(order).toLowerCase();
    const isDeed = usualVerbs.has(verb) && needsTool(stemOf(verb));
    return names.length > 0 || isCommand(order, spans) || isDeed ? 'tool_call' : 'processing';
  };
}

function patternOf(words: readonly string[]): RegExp | undefined {
  const alternatives = words.map((each) => each.trim()).filter((each) => each !== '');
  if (alternatives.length === 0) return undefined;
  const escaped = alternatives.map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+'));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?:e?s)?(?![\\p{L}\\p{N}])`, 'iu');
}

function isOpen({ text, question, amongOrders }: Candidate): boolean {
  return isDoubt(text) || (question && amongOrders);
}

const RUNS = /^(?:run|execute|call|invoke|use|try) (?:the command )?(?=\uE000)/iu;

/** A command line: in backticks at the start or after "run", or after a shell prompt. */
function isCommand(order: string, spans: readonly Span[]): boolean {
  const [first] = spansIn(order, spans);
  const at = RUNS.exec(order)?.[0].length ?? 0;
  return (first?.kind === 'code' && first.at === at) || /^\$ \S/.test(order);
}

const NAME =
  /(?:(?:^|[\s(])(use|using|call|calling|with|via|run|invoke|through|by) (?:the )?)?([a-z][\w-]*(?:\.[a-z][\w-]*)*)/gi;

/**
 * The capabilities that a clause names, in text order: in backticks or quotes, with a dot or underscore, or after "use".
 */
export function capabilitiesIn(text: string, spans: readonly Span[], names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const known = new Map(names.map((name) => [name.toLowerCase(), name]));
  const marked = spansIn(text, spans).map((span) => span.text.trim());
  const words = [...text.matchAll(NAME)].flatMap(([, use, word = '']) =>
    use !== undefined || /[._]/.test(word) ? [word] : [],
  );
  const found = [...marked, ...words].flatMap((word) => known.get(word.toLowerCase()) ?? []);
  return [...new Set(found)];
}
