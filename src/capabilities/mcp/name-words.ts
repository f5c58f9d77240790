// Judges from the words of a tool's name whether the tool reads or destroys.
import { stemOf } from '../../goals/match/terms.ts';
import { isChangingVerb, isDestroyingVerb, isReadingVerb } from '../../goals/match/verbs.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Reading verbs, besides those that goals use as well. */
const READS = words('download export grep ping preview resolve stat status validate whoami');

/** Words for a change; they win over a reading verb. */
const WRITES = words(`
  append apply approve assign close comment disable edit enable execute fork import install invite mark merge move
  patch push put rename restart run save set start stop submit subscribe sync toggle transfer upload upsert write`);

/** `deleted`, `deletion` and `remover` are nouns or participles; `delete` and `deletes` are actions. */
const NOUN = /(?:ed|ing|ions?|ers?|able)$/;

/** `getUserByID`, `API-get-user` and `get_user_by_id` have the same words. */
function wordsOf(tool: string): readonly string[] {
  return tool
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

const writes = (word: string): boolean => WRITES.has(word) || isChangingVerb(stemOf(word));
const reads = (word: string): boolean => READS.has(word) || isReadingVerb(stemOf(word));
const destroys = (word: string): boolean => isDestroyingVerb(stemOf(word)) && !NOUN.test(word);

/**
 * The destructive word of the name. After a reading verb, such a word is only an object: `list_trash` destroys nothing, but
 * `find_and_delete` does.
 */
export function destroyingWordOf(tool: string): string | undefined {
  const all = wordsOf(tool);
  const at = all.findIndex(destroys);
  const before = all.slice(0, Math.max(at, 0));
  const isTopic = before.some(reads) && !before.includes('and');
  return at === -1 || isTopic ? undefined : all[at];
}

/** The reading word of the name, unless a changing word comes first: `list_updates` reads, `create_view` does not. */
export function readingWordOf(tool: string): string | undefined {
  if (destroyingWordOf(tool) !== undefined) return undefined;
  const [api, method, ...rest] = wordsOf(tool);
  // Names generated from an HTTP interface begin with the HTTP method: `API-post-search` only searches.
  const all = api === 'api' && method === 'post' ? rest : wordsOf(tool);
  if (all.includes('and') || all.includes('or')) return undefined;
  const first = all.find((word) => reads(word) || writes(word));
  return first !== undefined && !writes(first) ? first : undefined;
}
