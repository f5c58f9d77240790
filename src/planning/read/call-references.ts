// Reads references in the arguments of calls: by number, by label, and in words such as `[Output of Text Expander]`.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { isJsonArray, isJsonObject, type Json } from '../../base/json.ts';
import { referenceText } from '../../template/references.ts';

/** The names of the steps that a plan of calls may refer to. */
export interface NamesOfCalls {
  /** `<node-1>`: by its number where calls have numbers, else by its place in the list, from 0. */
  byNumber(number: number): string | undefined;
  /** `$var1.field$` */
  byLabel(label: string): string | undefined;
  /** `[Output of Text Expander]`: by the name of its tool, where only one call has it. */
  byTool(tool: string): string | undefined;
}

export interface CallReading {
  readonly names: NamesOfCalls;
  /** The step whose arguments are read. */
  readonly own?: string;
  readonly notes: Set<string>;
  readonly issues: Issue[];
}

const PATH = String.raw`((?:\.[A-Za-z_]\w*|\[\d+\]|\["[^"\]]+"\]|\['[^'\]]+'\])*)`;

const NUMBERED = new RegExp(
  String.raw`<(?:node|generated|resource|output)-(\d+)>${PATH}(?![\w-])|<(?:generated|resource|node)>-(\d+)${PATH}(?![\w-])`,
  'gi',
);
/** Fields may have spaces, as in `$var1.Exchange Rate$`. */
const LABELLED = /(?<![\\$\w])\$([A-Za-z_]\w*)((?:\.[^$.[\]\n]+|\[\d+\])*)\$(?!\w)/g;
const IN_WORDS =
  /^[[<({"']*(?:the[ _])?(?:output|result)s?[ _](?:text[ _]|image[ _]|audio[ _]|video[ _])?(?:of|from)[ _](?:the[ _])?(.+?)[\])}>"']*$/i;

/** `[generated topics from Topic Generator]`; without brackets it may be meant as words. */
const ENDS_WITH_TOOL = /^(\[)?[\w ]{1,60}? (?:of|from) (?:the )?([^[\]]{1,60})\]?$/i;

/** Placeholders for results that name no step, or not for sure. */
const UNCLEAR = [/<(?:node|generated|resource)\b[^<>]*>/i, /(?<![\\$\w])\$var_?\d+(?![\w])/];
/** Texts that are such a placeholder and nothing else. */
const UNCLEAR_TEXTS = [
  /^\s*\$\{[^}]*\}\s*$/,
  /^\s*\$\[?\d+\]?(?:\.\w+|\[\d+\])*\s*$/,
  /^\s*\$\[\d+\]\S*\s*$/,
  /^\s*%\{[^}]*\}%?\s*$/,
  /^[[<({]\s*(?:the )?(?:output|result)s? (?:of|from)\b/i,
  /^\s*(?:the[ _])?(?:output|result)s?_?(?:\w*_)?(?:of|from)_\S+\s*$/i,
  /^\s*(?:the )?(?:output|result)s? (?:of|from) (?:step|node|task)\s*\d+\s*$/i,
];
/** A text with more characters is no placeholder. */
const MOST_CHARACTERS = 300;

/** Replaces references in texts at any depth; what looks like one and names no step is an issue. */
export function readCallReferences(value: Json, at: readonly PathPart[], reading: CallReading): Json {
  if (typeof value === 'string') return inText(value, at, reading);
  const part = (each: Json, key: PathPart): Json =>
    isLiteral(each) ? each : readCallReferences(each, [...at, key], reading);
  if (isJsonArray(value)) return value.map(part);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, part(each, key)] as const));
}

/** `{ text: "…" }` in the place of a text is meant as it stands. */
function isLiteral(value: Json): boolean {
  return isJsonObject(value) && typeof value.text === 'string' && Object.keys(value).length === 1;
}

function inText(text: string, at: readonly PathPart[], { names, own, notes, issues }: CallReading): string {
  if (!/[$<%[({]|output|result| (?:of|from) /i.test(text)) return text;
  const read = (spelled: string, step: string | undefined, path = ''): string => {
    if (step === undefined) return spelled;
    if (step === own) {
      issues.push(ownResult(spelled, at));
      return '';
    }
    notes.add(`${spelled} as a reference`);
    return `{{ ${referenceText({ root: 'results', path: [step, ...partsOf(path)] })} }}`;
  };
  const numbered = text.replace(NUMBERED, (spelled, one?: string, inOne?: string, two?: string, inTwo?: string) =>
    read(spelled, names.byNumber(Number(one ?? two)), inOne ?? inTwo),
  );
  const labelled = numbered.replace(LABELLED, (spelled, label: string, path: string) =>
    read(spelled, names.byLabel(label), path),
  );
  const isShort = labelled.length <= MOST_CHARACTERS;
  const [, tool] = (isShort ? IN_WORDS.exec(labelled.trim()) : undefined) ?? [];
  const [, bracket, last] = (isShort && tool === undefined ? ENDS_WITH_TOOL.exec(labelled.trim()) : undefined) ?? [];
  const named = names.byTool(tool ?? last ?? '');
  const isCertain = tool !== undefined || bracket !== undefined;
  const whole = isCertain ? read(labelled, named) : labelled;
  if (!isCertain && named !== undefined) issues.push(foreign(labelled.trim(), at));
  const rest = withoutPlaceholders(whole);
  const unclear = [...UNCLEAR, ...(isShort ? UNCLEAR_TEXTS : [])]
    .map((pattern) => pattern.exec(rest)?.[0])
    .find((found) => found !== undefined);
  if (unclear !== undefined) issues.push(foreign(unclear.trim(), at));
  return whole;
}

/** Removes `{{ … }}` in one pass. */
function withoutPlaceholders(text: string): string {
  const closed = text.lastIndexOf('}}') + 2;
  return text.slice(0, closed).replace(/\{\{.*?\}\}/gs, '') + text.slice(closed);
}

/** `.Exchange Rate` or `["rate"][0]` as parts. */
function partsOf(path: string): readonly string[] {
  return [...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\["([^"\]]+)"\]|\['([^'\]]+)'\]/g)].map(
    ([, field, index, double, single]) => field ?? index ?? double ?? single ?? '',
  );
}

function ownResult(spelled: string, path: readonly PathPart[]): Issue {
  return issue('REFERENCE_FOREIGN', `${spelled} stands in the call that it refers to`, {
    path,
    hint: 'refer to an earlier call; numbers count from 0 where calls have no numbers of their own, so that <node-0> is the first',
  });
}

function foreign(spelled: string, path: readonly PathPart[]): Issue {
  return issue('REFERENCE_FOREIGN', `${spelled} looks like a reference to a step, and names none for sure`, {
    path,
    hint: 'write {{ results.STEP }} with the name of a step; where the text is meant as it stands, write {"text": "…"} in its place',
  });
}
