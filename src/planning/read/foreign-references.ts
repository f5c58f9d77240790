// Finds references in other systems' spellings, and translates them to ours.
import { defined } from '../../base/json.ts';
import { slips } from '../../base/nearest.ts';
import { isOtherTemplate, literalIn, literalText, referenceRoots, referenceText } from '../../template/references.ts';
import { acceptableName } from './step-names.ts';

/** The steps of a plan by the names from their planner. */
export interface StepsByName {
  /** The written name of a step, looked up by any spelling. */
  get(spelled: string): string | undefined;
  /** Names in the order of the plan. */
  readonly names: readonly string[];
}

export function stepsByName(names: readonly string[]): StepsByName {
  const written = new Map(names.map((name) => [acceptableName(name), name]));
  return { names, get: (spelled) => written.get(acceptableName(spelled)) };
}

/** A spelling that may be a reference or plain text. */
export interface DoubtfulReference {
  /** The original spelling. */
  readonly spelled: string;
  /** Our spelling, such as `{{ results.a.price }}`; absent when the step is not certain. */
  readonly reference?: string;
}

export interface TextReading {
  /** The text with translated references, and with other braces escaped. */
  readonly text: string;
  /** The original spellings of certain references. */
  readonly certain: readonly string[];
  readonly doubts: readonly DoubtfulReference[];
}

const PATH = String.raw`(?:\.[A-Za-z0-9_$-]+|\[\d+\]|\["[^"\]]+"\]|\['[^'\]]+'\])*`;
const NAMED = String.raw`[A-Za-z_][\w-]*${PATH}`;
const WORD = String.raw`[A-Za-z_]\w*(?:\.[A-Za-z0-9_]+|\[\d+\])*`;

const OTHERS = [
  String.raw`(?<![\\$])\$\{\s*(?<shell>${NAMED})\s*\}`,
  String.raw`(?<![\\$\w])\$(?<closed>${WORD})\$(?!\w)`,
  String.raw`(?<![\\$\w])\$(?<dollar>${WORD})`,
  String.raw`(?<![\w\\$}{%#)\]@])\{(?<brace>${NAMED})\}(?!\})`,
  String.raw`<(?:node-(?<node>\d+)>|GENERATED>-(?<generated>\d+))`,
  String.raw`(?<![\w&/#])#(?<evidence>E\d+)(?!\w)`,
  String.raw`\{\{\s*(?<open>[A-Za-z_]\w*)?`,
];
const IN_BRACES = String.raw`(?<github>\$?)\{\{(?<braces>.*?)\}\}`;
const SPELLING = new RegExp([IN_BRACES, ...OTHERS].join('|'), 'gs');
/** For what follows the last "}}", where each "{{" would be searched to the end. */
const SPELLING_AFTER_BRACES = new RegExp(OTHERS.join('|'), 'gs');

/** All spellings from left to right, in time that grows with the length of the text. */
function* spellingsIn(text: string): Generator<RegExpExecArray> {
  const closed = text.lastIndexOf('}}');
  for (let at = 0; ; ) {
    const pattern = at < closed ? SPELLING : SPELLING_AFTER_BRACES;
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return;
    at = found.index + found[0].length;
    yield found;
  }
}

/** Leaves our own references and quoted texts unchanged. Never throws. */
export function readForeignReferences(text: string, steps: StepsByName): TextReading {
  if (!/[${<#]/.test(text)) return { text, certain: [], doubts: [] };
  const certain: string[] = [];
  const doubts: DoubtfulReference[] = [];
  const isTemplate = isOtherTemplate(text);
  const { length } = text.trim();
  const written = (found: RegExpExecArray): string => {
    const [spelled] = found;
    const groups: SpellingGroups = found.groups ?? {};
    const isWhole = spelled.length === length;
    const meant = meaningOf(groups, { steps, isWhole, isTemplate });
    if (meant === 'ours') return spelled;
    if (meant === 'text') return spelled.replace('{{', literalText('{{'));
    if (meant.kind === 'certain') {
      certain.push(spelled);
      return meant.reference;
    }
    doubts.push({ spelled, ...defined({ reference: meant.reference }) });
    return spelled;
  };
  let read = '';
  let from = 0;
  for (const found of spellingsIn(text)) {
    read += text.slice(from, found.index) + written(found);
    from = found.index + found[0].length;
  }
  return { text: read + text.slice(from), certain, doubts };
}

type SpellingGroups = Readonly<Partial<Record<GroupName, string>>>;
type GroupName =
  | 'github'
  | 'braces'
  | 'shell'
  | 'closed'
  | 'dollar'
  | 'brace'
  | 'node'
  | 'generated'
  | 'evidence'
  | 'open';

interface SpellingContext {
  readonly steps: StepsByName;
  /** The text holds only this spelling. */
  readonly isWhole: boolean;
  /** The text is written in another template language. */
  readonly isTemplate: boolean;
}

/** `ours`: a reference in our language, or meant as one. `text`: plain text. */
type SpellingMeaning = 'ours' | 'text' | { readonly kind: 'certain'; readonly reference: string } | DoubtfulMeaning;

interface DoubtfulMeaning {
  readonly kind: 'unsure';
  readonly reference?: string;
}

function meaningOf(groups: SpellingGroups, around: SpellingContext): SpellingMeaning {
  const { steps, isWhole } = around;
  const { braces, shell, closed, dollar, brace, node, generated, evidence, open } = groups;
  if (braces !== undefined) return inBraces(braces.trim(), groups.github !== '', around);
  if (open === 'results' || open === 'depends') return 'ours';
  const number = node ?? generated;
  if (number !== undefined) return numbered(Number(number), steps);
  if (evidence !== undefined) return stepMeant(evidence, steps, true);
  if (closed !== undefined) {
    const isVariable = /^var_?\d+\b/.test(closed);
    const meant = stepMeant(closed, steps, isWhole || isVariable);
    return meant === 'text' && isVariable ? { kind: 'unsure' } : meant;
  }
  const spelled = shell ?? dollar ?? brace;
  return spelled === undefined ? 'text' : stepMeant(spelled, steps, isWhole);
}

/** Roots of references to results in other systems, and misspellings of ours. */
const ROOTS = new Set(['results', 'result', 'outputs', 'output', 'steps', 'step', 'nodes', 'node', 'tasks', 'task']);
/** Path segments that other systems put between a step and its result. */
const RESULTS = new Set(['outputs', 'output', 'results', 'result', 'response']);

/** `certain` is true when the spelling alone leaves no doubt. */
function stepMeant(spelled: string, steps: StepsByName, certain: boolean): SpellingMeaning {
  const [first = '', ...path] = partsOf(spelled);
  const rooted = ROOTS.has(first) && path[0] !== undefined ? steps.get(path[0]) : undefined;
  const step = rooted ?? steps.get(first);
  if (step === undefined) return 'text';
  const rest = rooted === undefined ? path : path.slice(1);
  const isDirect = !RESULTS.has(rest[0] ?? '');
  const reference = `{{ ${referenceText({ root: 'results', path: [step, ...(isDirect ? rest : rest.slice(1))] })} }}`;
  return isDirect && (certain || rooted !== undefined) ? { kind: 'certain', reference } : { kind: 'unsure', reference };
}

/** A number is certain when the steps are named by numbers; an index in the list is not, because counts may start at 0 or 1. */
function numbered(number: number, steps: StepsByName): SpellingMeaning {
  const ids = new Set([`${number}`, `node-${number}`, `node_${number}`]);
  const named = steps.names.find((name) => ids.has(name));
  const step = named ?? steps.names[number];
  if (step === undefined) return { kind: 'unsure' };
  const reference = `{{ ${referenceText({ root: 'results', path: [step] })} }}`;
  return { kind: named === undefined ? 'unsure' : 'certain', reference };
}

const SIMPLE = new RegExp(`^${NAMED}$`);
const roots: ReadonlySet<string> = new Set(referenceRoots);
const LONG_ROOT = 5;

function inBraces(inner: string, github: boolean, { steps, isWhole, isTemplate }: SpellingContext): SpellingMeaning {
  if (literalIn(inner) !== undefined) return 'ours';
  const head = /^[A-Za-z_]\w*/.exec(inner)?.[0] ?? '';
  if (!SIMPLE.test(inner)) return inExpression(inner, head, steps, isWhole && !isTemplate);
  const [, second = ''] = partsOf(inner);
  if (roots.has(head)) {
    const isStep = (head === 'results' || head === 'depends') && steps.get(second) !== undefined;
    if (github) return isStep ? stepMeant(inner, steps, isWhole) : 'text';
    return isStep || !isTemplate ? 'ours' : 'text';
  }
  const meant = stepMeant(inner, steps, true);
  if (meant !== 'text') return github && !isWhole ? unsure(meant) : meant;
  if (github || isTemplate) return 'text';
  // A lone placeholder, or one with a misspelled root, was meant as a reference.
  const isSlip = referenceRoots.some((root) => root.length >= LONG_ROOT && slips(head, root) === 1);
  return isWhole || (isSlip && second !== '') ? 'ours' : 'text';
}

function unsure(meant: SpellingMeaning): SpellingMeaning {
  return typeof meant === 'string' || meant.kind === 'unsure' ? meant : { kind: 'unsure', reference: meant.reference };
}

/** Judges an expression such as `{{ results.a | length }}`. */
function inExpression(inner: string, head: string, steps: StepsByName, isWhole: boolean): SpellingMeaning {
  const isPath = /^[A-Za-z_]\w*\s*[.[]/.test(inner);
  if (head === 'results' || head === 'depends') return 'ours';
  if (roots.has(head) && isWhole) return 'ours';
  const step = isPath ? steps.get(head) : undefined;
  if (step === undefined) return 'text';
  return { kind: 'unsure', reference: `{{ ${referenceText({ root: 'results', path: [step] })} }}` };
}

function partsOf(spelled: string): readonly string[] {
  return [...spelled.matchAll(/\["([^"\]]+)"\]|\['([^'\]]+)'\]|\[(\d+)\]|([A-Za-z0-9_$-]+)/g)].map(
    ([, double, single, index, word]) => double ?? single ?? index ?? word ?? '',
  );
}

/** Escapes all braces except our own references. */
export function withPlainBraces(text: string): string {
  return text.includes('{{') ? readForeignReferences(text, stepsByName([])).text : text;
}
