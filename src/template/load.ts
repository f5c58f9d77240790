// Turns text into a template: runs all stages in turn, and collects the issues of each stage with their places.
import { type Digest, digestOfText } from '../base/digest.ts';
import { hasErrors, type Issue, issue, type PathPart } from '../base/issue.ts';
import { canonicalJson, defined, isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import type { Place } from '../base/place.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { Declaration } from '../contract/declaration.ts';
import { capabilitiesNamed } from './check/capabilities.ts';
import { checkOrphans } from './check/orphans.ts';
import { checkTemplate } from './check.ts';
import { checkEnvironments, overlayEnvironment } from './environment.ts';
import { type KnownModels, noModels } from './keys/model.ts';
import { wordsAt } from './keys/readers.ts';
import { type CapabilitySource, readSources } from './keys/source.ts';
import type { DocumentTree, ParsedDocument } from './parse/tree.ts';
import { placeIssue } from './place-in-file.ts';
import type { Expression } from './references.ts';
import { withoutRepeated } from './repeated-issues.ts';
import { writtenPath } from './resolve/aliases.ts';
import { type Resolution, resolveTemplate, type SourceDocument } from './resolve.ts';
import type { DocumentKind } from './schema/meaning.ts';
import { checkShape } from './shape.ts';
import type { PlannerSpec, PlanningSpec, StepSpec } from './step-spec.ts';
import type { Template } from './template.ts';

/** The parts of a template that must be known before its capabilities can be loaded. */
export interface TemplateHeader {
  /** The sources of capabilities, in written order. */
  readonly sources: readonly CapabilitySource[];
  /** The paths of included files, as written, relative to the template; `loadTemplate` needs their text. */
  readonly includes: readonly string[];
  /** The template may declare models, so that prices are needed. */
  readonly models: boolean;
}

/** Skips invalid parts, which later stages report. */
export function readHeader(tree: DocumentTree | undefined): TemplateHeader {
  const raw: JsonObject = isJsonObject(tree?.value) ? tree.value : {};
  return {
    sources: readSources(raw),
    includes: wordsAt(raw, 'include'),
    models: (raw.models ?? raw.embeddings ?? raw.include) !== undefined,
  };
}

/** Everything that was understood of a template, even when it has errors. */
export interface TemplateStudy {
  /** The resolved template, without its invalid parts and without places. */
  readonly resolution: Resolution;
  /** The template and its included files as resolved; `origins` of the resolution number them. */
  readonly trees: readonly [DocumentTree, ...DocumentTree[]];
  /** The issues of all stages. */
  readonly issues: readonly Issue[];
}

/** The arguments of `studyTemplate`. */
export type StudyArguments = Parameters<typeof studyTemplate>;

/**
 * Loads a parsed file with the declarations of its granted capabilities. `includes` holds the parsed included files by
 * their paths as written; `environment` names the chosen overlay. `assume` gets the names of all capabilities that the
 * template names, and may declare unknown ones. Returns the template with warnings, or the issues of all stages.
 */
export function loadTemplate(...all: StudyArguments): Result<Template> {
  const study = studyTemplate(...all);
  return study === undefined ? bad(all[0].issues) : templateOf(study, all[4]);
}

/** Takes the arguments of `loadTemplate`. Undefined for an unreadable text. */
export function studyTemplate(
  parsed: ParsedDocument,
  declarations: Readonly<Record<string, Declaration>>,
  includes: ReadonlyMap<string, ParsedDocument> = new Map(),
  known: KnownModels = noModels,
  environment?: string,
  assume?: (named: readonly string[]) => Readonly<Record<string, Declaration>>,
): TemplateStudy | undefined {
  const root = parsed.tree;
  if (root === undefined) return undefined;
  const issues: Issue[] = [...parsed.issues];
  const written: [DocumentTree, ...DocumentTree[]] = [root];
  for (const [index, path] of readHeader(root).includes.entries()) {
    const file = includes.get(path);
    if (file === undefined) issues.push(placeIssue(missingInclude(path, index), root));
    issues.push(...(file?.issues ?? []));
    if (file?.tree !== undefined) written.push(file.tree);
  }
  const trees = environment === undefined ? written : overlayEnvironment(written, environment);
  const [tree, ...others] = trees;
  const main = shapeSource(tree, 'template', issues);
  const included = others.map((each) => shapeSource(each, 'include', issues));
  issues.push(...checkEnvironments(written, environment).map((each) => placeIssue(each, root)));
  const resolve = (granted: typeof declarations) => resolveTemplate([main, ...included], granted, known);
  const certain = resolve(declarations);
  const more = assume?.(capabilitiesNamed(certain.template)) ?? {};
  const resolution = Object.keys(more).length === 0 ? certain : resolve({ ...more, ...declarations });
  const later = [...resolution.issues, ...located(checkTemplate(resolution.template), resolution)];
  const sources = [main, ...included];
  const found = later
    .filter(({ source, issue: each }) => !isExplained(each, sources[source]?.explained ?? [], issues))
    .map((each) => placeIssue(each.issue, trees[each.source] ?? tree));
  return { resolution, trees, issues: [...issues, ...withoutRepeated(issues, found)] };
}

/** The template of a study, with warnings and with the places of its expressions; or the issues. */
export function templateOf({ resolution, trees, issues }: TemplateStudy, environment?: string): Result<Template> {
  if (hasErrors(issues)) return bad(issues);
  const [tree] = trees;
  const { origins } = resolution;
  const template = environment === undefined ? resolution.template : { ...resolution.template, environment };
  // Orphans are only reported for a template without errors.
  const advice = located(checkOrphans(template), resolution);
  const orphans = advice.map((each) => placeIssue(each.issue, trees[each.source] ?? tree));
  const steps = placeSteps(template.steps, (index) => {
    const origin = origins[index];
    const written = trees[origin?.source ?? 0] ?? tree;
    return (path) => written.placeOf(writtenPath(written.value, ['steps', origin?.index ?? index, ...path]));
  });
  const { repair } = template;
  const placed = {
    ...template,
    steps,
    ...defined({
      repair: repair === undefined ? undefined : placeStep(repair, (path) => tree.placeOf(['repair', ...path])),
    }),
  };
  return good({ ...placed, digest: digestOfTemplate(template) }, [...issues, ...orphans]);
}

/** The issues of the text itself, without those of included files and capabilities. */
export function issuesOfText({ tree, issues }: ParsedDocument): readonly Issue[] {
  const found = [...issues];
  if (tree !== undefined) shapeSource(tree, 'template', found);
  return found;
}

/** The digest of a template's meaning, independent of file and spelling. Child templates count by their digests. */
export function digestOfTemplate({ file: _, templates: __, capabilities, ...rest }: Omit<Template, 'digest'>): Digest {
  const own: JsonObject = JSON.parse(JSON.stringify(rest));
  const parts = new Map(Object.entries(own).map(([key, value]) => [key, canonicalJson(value)]));
  const declared = new Map(Object.entries(capabilities).map(([name, each]) => [name, declarationText(each)]));
  return digestOfText(objectText(parts.set('capabilities', objectText(declared))));
}

/** Canonical texts of declarations, because most templates share the declarations of the catalog. */
const declarationTexts = new WeakMap<Declaration, string>();

function declarationText(declaration: Declaration): string {
  const known = declarationTexts.get(declaration);
  if (known !== undefined) return known;
  const plain: Json = JSON.parse(JSON.stringify(declaration));
  const text = canonicalJson(plain);
  declarationTexts.set(declaration, text);
  return text;
}

/** The canonical text of an object whose values are canonical texts. */
function objectText(values: ReadonlyMap<string, string>): string {
  const keys = [...values.keys()].sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${values.get(key)}`).join(',')}}`;
}

interface ShapedSource extends SourceDocument {
  /** Parts whose errors the issues of the shape explain. */
  readonly explained: readonly (readonly PathPart[])[];
}

/** A key that stands twice at the top hides the names that are declared under one of the two. */
function isExplained(found: Issue, explained: ShapedSource['explained'], said: readonly Issue[]): boolean {
  if (said.some(({ code, path }) => code === 'KEY_DUPLICATE' && path.length === 1)) return true;
  return explained.some((holder) => holder.every((part, index) => found.path[index] === part));
}

function shapeSource(tree: DocumentTree, kind: DocumentKind, issues: Issue[]): ShapedSource {
  const shaped = checkShape(tree.value, kind);
  const found = shaped.issues.map((each) => placeIssue(each, tree));
  // An issue of an environment is found twice: in the environment, and in the merged template.
  const [laid, plain] = [found.filter(isInEnvironment), found.filter((each) => !isInEnvironment(each))];
  const echoes = (each: Issue): boolean =>
    laid.some(({ code, place }) => code === each.code && JSON.stringify(place) === JSON.stringify(each.place));
  issues.push(...withoutRepeated(issues, [...laid, ...plain.filter((each) => !echoes(each))]));
  return { file: tree.file, value: shaped.value, explained: shaped.explained };
}

function isInEnvironment({ path }: Issue): boolean {
  return path[0] === 'environments';
}

/** Converts step indexes of the template into step indexes of the file that each step comes from. */
function located(found: readonly Issue[], { origins }: Resolution) {
  return found.map((each) => {
    const [head, index, ...rest] = each.path;
    const origin = head === 'steps' && typeof index === 'number' ? origins[index] : undefined;
    if (origin === undefined) return { source: 0, issue: each };
    return { source: origin.source, issue: { ...each, path: ['steps', origin.index, ...rest] } };
  });
}

function missingInclude(path: string, index: number): Issue {
  return issue('INCLUDE_MISSING', `the included file "${path}" cannot be read`, { path: ['include', index] });
}

/** Returns the place of a path within one step. */
type PlaceOf = (path: readonly PathPart[]) => Place;

/** Gives steps and their expressions their places. `placesOf` returns the places of the step at an index. */
function placeSteps(steps: readonly StepSpec[], placesOf: (index: number) => PlaceOf): readonly StepSpec[] {
  return steps.map((step, index) => placeStep(step, placesOf(index)));
}

function placeStep(step: StepSpec, placeOf: PlaceOf): StepSpec {
  const { when, expr, verification, planning, decision, approval, fanOut } = step;
  return {
    ...step,
    ...defined({
      when: when === undefined ? undefined : placed(when, placeOf(['when'])),
      expr: expr === undefined ? undefined : placed(expr, placeOf(['expr'])),
      verification: verification === undefined ? undefined : placed(verification, placeOf(['verification'])),
    }),
    ...(decision?.choose === undefined
      ? {}
      : { decision: { ...decision, choose: placed(decision.choose, placeOf(['choose'])) } }),
    ...(approval?.when === undefined
      ? {}
      : { approval: { ...approval, when: placed(approval.when, placeOf(['approval', 'when'])) } }),
    ...defined({ planning: planning === undefined ? undefined : placePlanning(planning, placeOf) }),
    ...(fanOut === undefined
      ? {}
      : { fanOut: { ...fanOut, do: placeStep(fanOut.do, (path) => placeOf(['do', ...path])) } }),
    place: placeOf(['name']),
  };
}

function placePlanning(planning: PlanningSpec, placeOf: PlaceOf): PlanningSpec {
  const { planner, review } = planning;
  return {
    ...planning,
    ...defined({ planner: planner === undefined ? undefined : placePlanner(planner, placeOf) }),
    ...(typeof review === 'object' ? { review: { when: placed(review.when, placeOf(['plan_review', 'when'])) } } : {}),
  };
}

function placePlanner(planner: PlannerSpec, placeOf: PlaceOf): PlannerSpec {
  if (planner.kind !== 'lisp' && planner.kind !== 'fixed') return planner;
  const { repair } = planner;
  return {
    ...planner,
    ...(planner.kind === 'lisp' ? { source: placed(planner.source, placeOf(['planner', 'source'])) } : {}),
    ...defined({ repair: repair === undefined ? undefined : placed(repair, placeOf(['planner', 'repair'])) }),
  };
}

function placed({ $lisp }: Expression, place: Place): Expression {
  return { $lisp, place };
}
