// Reads a plan or another document written in YAML or JSON, or taken from a model's answer.
import { extname } from 'node:path';
import { hasErrors, type Issue, issue } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { withoutReasoning } from '../../model/without-reasoning.ts';
import { fencesIn } from '../../planning/read/fences.ts';
import { readPython } from '../../planning/read/python/python-plan.ts';
import { type PythonReply, pythonInReply } from '../../planning/read/python/python-reply.ts';
import { isPlanByShape, noteOnOthers, readPlannerText, readReplyText } from '../../planning/read/reply-text.ts';
import { parseJson } from '../../template/parse/parse-json.ts';
import type { DocumentTree, ParsedDocument } from '../../template/parse/tree.ts';
import { placeIssue } from '../../template/place-in-file.ts';
import { readText } from '../run-input.ts';

/** Reads a file that a person wrote; `flag` is the flag that named the file. `-` reads standard input. @throws UsageError when the file cannot be read */
export async function readPlan(file: string, flag = '--edit '): Promise<Result<DocumentTree>> {
  const { tree, issues } = await parse(readText(file, flag), file);
  return tree === undefined || hasErrors(issues) ? bad(issues) : good(tree, issues);
}

export interface PlanInput {
  readonly plan: Json;
  /** The repairs that were needed to read the plan out of the text around it. */
  readonly understood: readonly string[];
  /** Maps an issue of the plan to its place in the file. */
  readonly place: (found: Issue) => Issue;
}

/** Reads a plan that a person or a model wrote, also inside code fences or other text. @throws UsageError when the file cannot be read */
export async function readAnyPlan(file: string): Promise<Result<PlanInput>> {
  const text = readText(file, '');
  if (['.yaml', '.yml'].includes(extname(file))) {
    const whole = await parse(text, file);
    if (isSound(whole) && isPlanByShape(whole.tree.value)) return good(given(whole.tree, []), whole.issues);
  }
  const python = pythonIn(text, file);
  if (python?.plan.issues.length === 0 && python.place === 'whole') return good(asCalls(text, file));
  const whole = await parse(text, file);
  if (isSound(whole) && isWhole(whole.tree.value, file, python !== undefined)) {
    return good(given(whole.tree, []), whole.issues);
  }
  const answer = withoutReasoning(text);
  if (answer !== text && readReplyText(answer) !== undefined) {
    return good({ plan: answer, understood: ['reasoning around the plan'], place: (found) => found });
  }
  const fences = await inFences(text, file);
  const sound = fences.filter(isSound);
  const plans = sound.filter(({ tree }) => isPlanByShape(tree.value));
  const fence = plans.at(-1) ?? sound.at(-1);
  if (fence !== undefined) {
    return good(given(fence.tree, ['fenced text', ...noteOnOthers(Math.max(0, plans.length - 1))]), fence.issues);
  }
  const read = readPlannerText(text);
  if (read?.kind === 'json') return good({ plan: text, understood: [], place: (found) => found });
  if (read?.kind === 'python') return good(asCalls(text, file));
  if (python !== undefined) return bad(python.plan.issues.map(placeIn(file)));
  if (extname(file) === '.py') return bad([noCalls(file)]);
  // The reader of plans says what a text in words lacks.
  if (isSound(whole)) return good({ plan: text, understood: [], place: placeIn(file) });
  const [only, second] = fences;
  return bad(only !== undefined && second === undefined ? only.issues : whole.issues);
}

/** A file of Python is read as calls whatever it holds. */
function pythonIn(text: string, file: string): Pick<PythonReply, 'plan' | 'place'> | undefined {
  if (extname(file) === '.json') return undefined;
  const found = pythonInReply(text);
  if (found !== undefined || extname(file) !== '.py') return found;
  const plan = readPython([{ text, at: [] }]);
  return plan.issues.length === 0 ? undefined : { plan, place: 'whole' };
}

/** Calls and answers in words may look like YAML: as a text of one line, or as a map with strange keys. */
function isWhole(value: Json, file: string, isPython: boolean): boolean {
  if (extname(file) === '.json') return true;
  return typeof value === 'object' && (!isPython || isPlanByShape(value));
}

function noCalls(file: string): Issue {
  const place = { file, line: 1, column: 1, endLine: 1, endColumn: 1 };
  return issue('FRAGMENT_UNREADABLE', 'the file has no calls', {
    place,
    hint: 'write one call a line: name = tool(key="value")',
  });
}

function asCalls(text: string, file: string): PlanInput {
  return { plan: text, understood: [], place: placeIn(file) };
}

/** The places of calls count lines in the text, without its file. */
function placeIn(file: string): (found: Issue) => Issue {
  return (found) => (found.place?.file === '' ? { ...found, place: { ...found.place, file } } : found);
}

function given(tree: DocumentTree, understood: readonly string[]): PlanInput {
  return { plan: tree.value, understood, place: (found) => placeIssue(found, tree) };
}

function isSound(parsed: ParsedDocument): parsed is ParsedDocument & { readonly tree: DocumentTree } {
  return parsed.tree !== undefined && !hasErrors(parsed.issues);
}

/** The structured contents of code fences, with their places in the file. */
async function inFences(text: string, file: string): Promise<readonly ParsedDocument[]> {
  const fences = fencesIn(text);
  if (fences.length === 0) return [];
  const { parseYaml } = await import('../../template/parse/parse-yaml.ts');
  return fences
    .map(({ body, from }) => parseYaml(text.slice(0, from).replace(/[^\r\n]/g, ' ') + body, file))
    .filter(({ tree }) => tree === undefined || typeof tree.value === 'object');
}

async function parse(text: string, file: string): Promise<ParsedDocument> {
  if (extname(file) === '.json') return parseJson(text, file);
  const { parseYaml } = await import('../../template/parse/parse-yaml.ts');
  return parseYaml(text, file);
}
