// Finds references in a text that are spelled as other systems spell them, and says what each would be here.
import { defined } from '../../base/json.ts';
import { slips } from '../../base/nearest.ts';
import { isOtherTemplate, literalIn, literalText, referenceRoots, referenceText } from '../../template/references.ts';
import { acceptableName } from './step-names.ts';

/** The steps of a plan by the names that their planner gave them. */
export interface StepsByName {
  /** The name as written, of a step that is meant by another spelling of it. */
  get(spelled: string): string | undefined;
  /** In the order of the plan. */
  readonly names: readonly string[];
}

export function stepsByName(names: readonly string[]): StepsByName {
  const written = new Map(names.map((name) => [acceptableName(name), name]));
  return { names, get: (spelled) => written.get(acceptableName(spelled)) };
}

/** A spelling that may be a reference and may be plain text. */
export interface Doubt {
  /** As it stands in the text. */
  readonly spelled: string;
  /** What it would be here: `{{ results.a.price }}`; absent where no step is meant for certain. */
  readonly reference?: string;
}

export interface TextRead {
  /** With the references of this language, and other braces as plain text. */
  readonly text: string;
  /** What was taken for a reference, as it was spelled. */
  readonly certain: readonly string[];
  readonly doubts: readonly Doubt[];
}

const PATH = String.raw`(?:\.[A-Za-z0-9_$-]+|\[\d+\]|\["[^"\]]+"\]|\['[^'\]]+'\])*`;
const NAMED = String.raw`[A-Za-z_][\w-]*${PATH}`;
const WORD = String.raw`[A-Za-z_]\w*(?:\.[A-Za-z0-9_]+|\[\d+\])*`;

const SPELLING = new RegExp(
  [
    String.raw`(?<github>\$?)\{\{(?<braces>.*?)\}\}`,
    String.raw`(?<![\\$])\$\{\s*(?<shell>${NAMED})\s*\}`,
    String.raw`(?<![\\$\w])\$(?<closed>${WORD})\$(?!\w)`,
    String.raw`(?<![\\$\w])\$(?<dollar>${WORD})`,
    String.raw`(?<![\w\\$}{%#)\]@])\{(?<brace>${NAMED})\}(?!\})`,
    String.raw`<(?:node-(?<node>\d+)>|GENERATED>-(?<generated>\d+))`,
    String.raw`(?<![\w&/#])#(?<evidence>E\d+)(?!\w)`,
    String.raw`\{\{\s*(?<open>[A-Za-z_]\w*)?`,
  ].join('|'),
  'gs',
);

/** References of this language, and texts in quotes, are left as they are. Never throws. */
export function readLookalikes(text: string, steps: StepsByName): TextRead {
  if (!/[${<#]/.test(text)) return { text, certain: [], doubts: [] };
  const certain: string[] = [];
  const doubts: Doubt[] = [];
  const isTemplate = isOtherTemplate(text);
  const read = text.replace(SPELLING, (...found) => {
    const spelled: string = found[0];
    const groups: Groups = found.at(-1);
    const isWhole = spelled.length === text.trim().length;
    const meant = meaningOf(groups, { steps, isWhole, isTemplate });
    if (meant === 'ours') return spelled;
    if (meant === 'text') return spelled.replace('{{', literalText('{{'));
    if (meant.kind === 'certain') {
      certain.push(spelled);
      return meant.reference;
    }
    doubts.push({ spelled, ...defined({ reference: meant.reference }) });
    return spelled;
  });
  return { text: read, certain, doubts };
}

type Groups = Readonly<Partial<Record<GroupName, string>>>;
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

interface Surroundings {
  readonly steps: StepsByName;
  /** Nothing but this spelling stands in the text. */
  readonly isWhole: boolean;
  /** The text is written in another template language. */
  readonly isTemplate: boolean;
}

/** `ours`: a reference of this language, or meant as one. `text`: no reference at all. */
type Meaning = 'ours' | 'text' | { readonly kind: 'certain'; readonly reference: string } | Unsure;

interface Unsure {
  readonly kind: 'unsure';
  readonly reference?: string;
}

function meaningOf(groups: Groups, around: Surroundings): Meaning {
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

/** Roots by which other systems, and models that mistake ours, refer to what a step has brought. */
const ROOTS = new Set(['results', 'result', 'outputs', 'output', 'steps', 'step', 'nodes', 'node', 'tasks', 'task']);
/** What other systems put between a step and its result. */
const RESULTS = new Set(['outputs', 'output', 'results', 'result', 'response']);

/** `certain` holds where the spelling by itself leaves no doubt. */
function stepMeant(spelled: string, steps: StepsByName, certain: boolean): Meaning {
  const [first = '', ...path] = partsOf(spelled);
  const rooted = ROOTS.has(first) && path[0] !== undefined ? steps.get(path[0]) : undefined;
  const step = rooted ?? steps.get(first);
  if (step === undefined) return 'text';
  const rest = rooted === undefined ? path : path.slice(1);
  const isDirect = !RESULTS.has(rest[0] ?? '');
  const reference = `{{ ${referenceText({ root: 'results', path: [step, ...(isDirect ? rest : rest.slice(1))] })} }}`;
  return isDirect && (certain || rooted !== undefined) ? { kind: 'certain', reference } : { kind: 'unsure', reference };
}

/** A number is certain where the planner numbered its steps; a place in the list may be counted from 0 or from 1. */
function numbered(number: number, steps: StepsByName): Meaning {
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

function inBraces(inner: string, github: boolean, { steps, isWhole, isTemplate }: Surroundings): Meaning {
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
  // A value that is nothing but a placeholder, or one whose root is a slip, was meant as a reference.
  const isSlip = referenceRoots.some((root) => root.length >= LONG_ROOT && slips(head, root) === 1);
  return isWhole || (isSlip && second !== '') ? 'ours' : 'text';
}

function unsure(meant: Meaning): Meaning {
  return typeof meant === 'string' || meant.kind === 'unsure' ? meant : { kind: 'unsure', reference: meant.reference };
}

/** `{{ results.a | length }}`: an expression over what other template languages would call the same. */
function inExpression(inner: string, head: string, steps: StepsByName, isWhole: boolean): Meaning {
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

/** Other braces as plain text, where nothing but our own references is meant. */
export function withPlainBraces(text: string): string {
  return text.includes('{{') ? readLookalikes(text, stepsByName([])).text : text;
}
