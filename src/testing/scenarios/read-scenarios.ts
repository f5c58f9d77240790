// Reads the scenarios of a template from the file next to it.
import { basename, dirname, join, resolve } from 'node:path';
import { hasErrors, type Issue, issue, type PathPart } from '../../base/issue.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { parseFile } from '../../runtime/load/parse-file.ts';
import { outsideOf, projectOf } from '../../runtime/ports/confinement.ts';
import { placeIssue } from '../../template/place-in-file.ts';
import { checkShape } from '../../template/shape.ts';
import { type Scenario, scenariosOf } from './scenario.ts';

export interface ScenarioFile {
  /** The path as given. */
  readonly file: string;
  /** A path relative to the file's folder. */
  readonly template: string;
  readonly scenarios: readonly Scenario[];
}

const ENDING = /\.scenarios\.(ya?ml|json)$/;

export function isScenarioFile(file: string): boolean {
  return ENDING.test(file);
}

/** The possible scenario files of a template, in search order. */
export function scenarioFilesOf(template: string): readonly string[] {
  const stem = template.replace(/\.(ya?ml|json)$/, '');
  return ['yaml', 'yml', 'json'].map((ending) => `${stem}.scenarios.${ending}`);
}

/** Issues: TEMPLATE_UNREADABLE, issues of the text, SCENARIO_REPEATED, INCLUDE_OUTSIDE_PROJECT. */
export async function readScenarios(file: string, folder: string): Promise<Result<ScenarioFile>> {
  const parsed = await parseFile(file, folder);
  if (!parsed.ok) return parsed;
  const { tree, issues } = parsed.value;
  if (tree === undefined) return bad(issues);
  const shaped = checkShape(tree.value, 'scenarios');
  const { template, scenarios } = scenariosOf(shaped.value);
  const names = scenarios.map(({ name }) => name);
  const repeated = names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [
          issue('SCENARIO_REPEATED', `two scenarios are called "${name}"`, {
            path: ['scenarios', index, 'name'],
            hint: 'rename one: results are reported by name',
          }),
        ],
  );
  const outside = await outsideProject(file, folder, template, scenarios);
  const found = [...issues, ...[...shaped.issues, ...repeated, ...outside].map((each) => placeIssue(each, tree))];
  if (hasErrors(found)) return bad(found);
  const named = template ?? basename(file).replace(ENDING, '.yaml');
  return good({ file, template: join(dirname(file), named), scenarios }, found);
}

/** The template and the recordings must be in the file's project. */
async function outsideProject(
  file: string,
  folder: string,
  template: string | undefined,
  scenarios: readonly Scenario[],
): Promise<readonly Issue[]> {
  const beside = dirname(resolve(folder, file));
  const project = await projectOf(beside);
  const named: readonly (readonly [string | undefined, readonly PathPart[]])[] = [
    [template, ['template']],
    ...scenarios.map(({ cassette }, index) => [cassette, ['scenarios', index, 'cassette']] as const),
  ];
  const found = await Promise.all(
    named.map(async ([path, at]) => {
      const outside = path === undefined ? undefined : await outsideOf(project, resolve(beside, path), path);
      return outside === undefined ? [] : [{ ...outside, path: at }];
    }),
  );
  return found.flat();
}
