// Reads and parses a document from its file: a template, what it includes, the scenarios beside it.
import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { type Issue, issue } from '../base/issue.ts';
import { bad, good, type Result } from '../base/result.ts';
import { parseJson } from '../template/parse/parse-json.ts';
import type { Parsed } from '../template/parse/tree.ts';

/** `file` is relative to `folder`. Issues: TEMPLATE_UNREADABLE; what is wrong with the text stands in what was parsed. */
export async function parseFile(file: string, folder: string): Promise<Result<Parsed>> {
  let text: string;
  try {
    text = await readFile(resolve(folder, file), 'utf8');
  } catch (thrown) {
    return bad([unreadable(file, thrown)]);
  }
  if (extname(file) === '.json') return good(parseJson(text, file));
  // YAML's parser is loaded for YAML alone.
  const { parseYaml } = await import('../template/parse/parse-yaml.ts');
  return good(parseYaml(text, file));
}

function unreadable(file: string, thrown: unknown): Issue {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    EISDIR: 'it is a folder',
    EACCES: 'permission denied',
  };
  const reason = reasons[String(code)] ?? (thrown instanceof Error ? thrown.message : String(thrown));
  return issue('TEMPLATE_UNREADABLE', `cannot read "${file}": ${reason}`, {
    hint:
      code === 'ENOENT'
        ? 'paths are relative to the working directory; begin a template with: reconverge init'
        : undefined,
  });
}
