// A plan, or another document that a person has written, in YAML or JSON.
import { extname } from 'node:path';
import { hasErrors } from '../base/issue.ts';
import { bad, good, type Result } from '../base/result.ts';
import { parseJson } from '../template/parse/parse-json.ts';
import type { Tree } from '../template/parse/tree.ts';
import { readText } from './run-input.ts';

/** `-` reads standard input; `flag` is what the file was named by. @throws UsageError when it cannot be read */
export async function readPlan(file: string, flag = '--edit '): Promise<Result<Tree>> {
  const text = readText(file, flag);
  const { parseYaml } = await import('../template/parse/parse-yaml.ts');
  const { tree, issues } = extname(file) === '.json' ? parseJson(text, file) : parseYaml(text, file);
  return tree === undefined || hasErrors(issues) ? bad(issues) : good(tree, issues);
}
