// What kind of task a clause is, and the kinds that settings add.
import { basicKinds, type Kinds } from '../../template/pattern-settings.ts';
import { askingIn, isDoubt } from './asking.ts';
import { type Span, spansIn } from './mask.ts';
import { headOf, orderIn } from './order.ts';
import type { Kind } from './task.ts';

interface Candidate {
  /** Masked. */
  readonly text: string;
  readonly question: boolean;
  /** The goal orders something beside it: a question among orders is for whoever gave them. */
  readonly amongOrders: boolean;
  readonly spans: readonly Span[];
  /** Capabilities that it names outright. */
  readonly names: readonly string[];
}

/** What a kind is recognised by where its settings say nothing; any other kind by its own name. */
const usual: Readonly<Record<string, readonly string[]>> = {
  retrieval: ['retrieve', 'look up', 'search for', 'retrieval'],
  unit_test: ['unit test', 'unit-test'],
  analysis: ['analyse', 'analyze', 'analysis'],
  refactor: ['refactor', 'refactoring'],
  code_implementation: ['implement', 'code'],
};

const TOOLS = new Set(
  'run execute call invoke fetch download upload search query list send post get install uninstall deploy delete remove copy move rename save store curl ping browse open click scrape crawl look find lookup export import publish email mail message notify submit sync load retrieve pull push commit start stop restart schedule book print grep'.split(
    ' ',
  ),
);

/** A function from clauses to kinds. */
export function classifier(kinds: Kinds): (candidate: Candidate) => Kind {
  const own = Object.entries(kinds).flatMap(([kind, { matches }]) => {
    const words =
      matches ?? (basicKinds.some((basic) => basic === kind) ? [] : (usual[kind] ?? [kind.replaceAll('_', ' ')]));
    const pattern = patternOf(words);
    return pattern === undefined ? [] : [{ kind, pattern }];
  });
  return (candidate) => {
    const { text, spans, names } = candidate;
    const order = orderIn(text);
    if (askingIn(order) !== undefined || isOpen(candidate)) return 'clarification';
    const found = own.find(({ pattern }) => pattern.test(text));
    if (found !== undefined) return found.kind;
    const isCall = names.length > 0 || isCommand(order, spans) || TOOLS.has(headOf(order).toLowerCase());
    return isCall ? 'tool_call' : 'processing';
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

/** A command line: in backticks where the order would stand, or behind a prompt. */
function isCommand(order: string, spans: readonly Span[]): boolean {
  const [first] = spansIn(order, spans);
  return (first?.kind === 'code' && first.at === 0) || /^\$ \S/.test(order);
}

const NAME =
  /(?:(?:^|[\s(])(use|using|call|calling|with|via|run|invoke|through|by) (?:the )?)?([a-z][\w-]*(?:\.[a-z][\w-]*)*)/gi;

/**
 * The capabilities that a clause names outright, in the order of the text: in backticks or quotes, with the dot or
 * underscore that no other word has, or as what is to be used.
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
