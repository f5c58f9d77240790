// The advice of `validate` on a template that can be loaded, with the place of each piece of advice in the file.
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { hasErrors, type Issue, type PathPart } from '../../base/issue.ts';
import { defined, ownProperty } from '../../base/json.ts';
import type { Result } from '../../base/result.ts';
import { reviewFixedPlans } from '../../engine/packet/review-fixed-plans.ts';
import { adviceOn, adviceOnIncluded, placeOfStep } from '../../template/advice.ts';
import { readHeader } from '../../template/load.ts';
import type { DocumentTree, ParsedDocument } from '../../template/parse/tree.ts';
import { placeIssue } from '../../template/place-in-file.ts';
import type { Template } from '../../template/template.ts';
import { folderAlone, projectOf } from '../ports/confinement.ts';
import { type OpenedFiles, parseConfined, parseFile } from './parse-file.ts';
import { unquoted } from './untrusted.ts';

interface AdviceFiles {
  /** The folder that the file is relative to; by default the working directory. */
  readonly folder?: string;
  readonly opened?: OpenedFiles | undefined;
}

/** Advice on the file and the files that it includes. `trusted`: all granted capabilities are known, and included files may be quoted. */
export async function templateAdvice(
  file: string,
  template: Template,
  trusted: boolean,
  { folder = process.cwd(), opened }: AdviceFiles = {},
): Promise<readonly Issue[]> {
  const tree = treeOf(await parseFile(file, folder, opened));
  if (tree === undefined) return [];
  const options = { declared: trusted };
  const plans = (of: DocumentTree): readonly Issue[] => (trusted ? fixedPlans(template, of) : []);
  const { includes } = readHeader(tree);
  const included = await includedTrees(file, includes, trusted, { folder, ...defined({ opened }) });
  return [
    ...placed([...adviceOn(template, tree.value, options), ...plans(tree)], tree),
    ...included
      .flatMap((each) => placed([...adviceOnIncluded(template, each.value, options), ...plans(each)], each))
      .map((each) => (trusted ? each : unquoted(each, file, tree, includes))),
  ];
}

async function includedTrees(
  file: string,
  includes: readonly string[],
  trusted: boolean,
  { folder = '.', opened }: AdviceFiles,
): Promise<readonly DocumentTree[]> {
  const beside = dirname(resolve(folder, file));
  const within = trusted ? await projectOf(beside) : await folderAlone(beside);
  const parsed = includes.map((each) => {
    const named = isAbsolute(each) ? each : join(dirname(file), each);
    return parseConfined(named, folder, within, each, opened);
  });
  return (await Promise.all(parsed)).flatMap((each) => treeOf(each) ?? []);
}

/** Undefined for a text with errors, which loading reports. */
function treeOf(parsed: Result<ParsedDocument>): DocumentTree | undefined {
  return parsed.ok && !hasErrors(parsed.value.issues) ? parsed.value.tree : undefined;
}

function placed(found: readonly Issue[], tree: DocumentTree): readonly Issue[] {
  return found.map((each) => placeIssue(each, tree));
}

function fixedPlans(template: Template, tree: DocumentTree): readonly Issue[] {
  return reviewFixedPlans(template).flatMap(({ step, issues }) => {
    const at = placeOfFragment(tree, step);
    if (at === undefined) return [];
    return issues.map((each) => ({ ...each, path: at.at(-1) === 'fragment' ? [...at, ...each.path] : at }));
  });
}

/** The path to a fragment: in the step, or in the planner that the step names; to the name when the planner is in another file. Undefined when the step is in another file. */
function placeOfFragment({ value }: DocumentTree, step: string): readonly PathPart[] | undefined {
  const at = placeOfStep(value, step);
  if (at === undefined) return undefined;
  const steps = ownProperty(value, 'steps');
  const written = Array.isArray(steps) ? steps[Number(at[1])] : undefined;
  const planner = ownProperty(written, 'planner');
  if (typeof planner !== 'string') return [...at, 'planner', 'fragment'];
  const isHere = ownProperty(ownProperty(value, 'planners'), planner) !== undefined;
  return isHere ? ['planners', planner, 'fragment'] : [...at, 'planner'];
}
