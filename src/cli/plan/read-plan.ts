// A plan, or another document, as it is given: in YAML, in JSON, or as a model answered it.
import { extname } from 'node:path';
import { hasErrors, type Issue } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { readReplyText } from '../../planning/read/reply-text.ts';
import { parseJson } from '../../template/parse/parse-json.ts';
import type { Parsed, Tree } from '../../template/parse/tree.ts';
import { placeIssue } from '../../template/place-issues.ts';
import { readText } from '../run-input.ts';

/** What a person has written; `flag` is what the file was named by. `-` reads standard input. @throws UsageError when it cannot be read */
export async function readPlan(file: string, flag = '--edit '): Promise<Result<Tree>> {
  const { tree, issues } = await parse(readText(file, flag), file);
  return tree === undefined || hasErrors(issues) ? bad(issues) : good(tree, issues);
}

export interface GivenPlan {
  readonly plan: Json;
  /** Where a finding about it stands in the file. */
  readonly place: (found: Issue) => Issue;
}

/** What a person or a model has written: also in fences, and with words around it. @throws UsageError when it cannot be read */
export async function readAnyPlan(file: string): Promise<Result<GivenPlan>> {
  const text = readText(file, '');
  const { tree, issues } = await parse(text, file);
  if (tree !== undefined && !hasErrors(issues)) {
    return good({ plan: tree.value, place: (found) => placeIssue(found, tree) }, issues);
  }
  return readReplyText(text) === undefined ? bad(issues) : good({ plan: text, place: (found) => found });
}

async function parse(text: string, file: string): Promise<Parsed> {
  if (extname(file) === '.json') return parseJson(text, file);
  const { parseYaml } = await import('../../template/parse/parse-yaml.ts');
  return parseYaml(text, file);
}
