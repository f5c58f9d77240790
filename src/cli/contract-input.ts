// Reads a contract from the command line: a file, a JSON Schema, or a signature.
import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { hasErrors } from '../base/issue.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import { bad, good, type Result } from '../base/result.ts';
import { readContract, type Schema } from '../contract/contract.ts';
import { readSignature } from '../contract/signature.ts';
import { parseJson } from '../template/parse/parse-json.ts';
import { placeIssue } from '../template/place-in-file.ts';
import { readText } from './run-input.ts';

const ENDINGS = ['.json', '.yaml', '.yml', '.sig', '.txt'];

/** A full signature `(…) -> …` stands for its output in the role of producer and for its input in the role of consumer. @throws UsageError for a missing file */
export async function readContractWord(word: string, role: 'producer' | 'consumer'): Promise<Result<Schema>> {
  const isFile = ENDINGS.includes(extname(word)) || existsSync(word);
  if (!isFile) return schemaOf(parsed(word), role);
  const text = readText(word, `${role.toUpperCase()} `);
  if (!['.json', '.yaml', '.yml'].includes(extname(word))) return schemaOf(text.trim(), role);
  const { parseYaml } = await import('../template/parse/parse-yaml.ts');
  const { tree, issues } = extname(word) === '.json' ? parseJson(text, word) : parseYaml(text, word);
  if (tree === undefined || hasErrors(issues)) return bad(issues);
  const schema = schemaOf(tree.value, role);
  return schema.ok ? schema : bad(schema.error.map((each) => placeIssue(each, tree)));
}

function schemaOf(source: Json, role: 'producer' | 'consumer'): Result<Schema> {
  if (role === 'consumer' && typeof source === 'string' && source.includes('->')) {
    const signature = readSignature(source);
    return signature.ok ? good(signature.value.input) : signature;
  }
  const contract = readContract(source);
  return contract.ok ? good(contract.value.schema, contract.warnings) : contract;
}

/** Text that only looks like JSON is left for the signature parser. */
function parsed(word: string): Json {
  try {
    const value: Json = JSON.parse(word);
    return isJsonObject(value) ? value : word;
  } catch {
    return word;
  }
}
