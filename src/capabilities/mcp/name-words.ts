// Tells from the words of a tool's name whether it reads or destroys.
import { stemOf } from '../../goals/match/terms.ts';
import { isChangingVerb, isDestroyingVerb, isReadingVerb } from '../../goals/match/verbs.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Beside the verbs that goals and names share. */
const READS = words('download export grep ping preview resolve stat status validate whoami');

/** They change something, also beside a verb that reads. */
const WRITES = words(`
  append apply approve assign close comment disable edit enable execute fork import install invite mark merge move
  patch push put rename restart run save set start stop submit subscribe sync toggle transfer upload upsert write`);

/** `deleted`, `deletion` and `remover` name something; `delete` and `deletes` do it. */
const NOUN = /(?:ed|ing|ions?|ers?|able)$/;

/** `getUserByID`, `API-get-user` and `get_user_by_id` are made of the same words. */
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
 * The word of the name that destroys. A name that reads first and does not go on with "and" only talks about it:
 * `list_trash` is no destroyer, `find_and_delete` is one.
 */
export function destroyingWordOf(tool: string): string | undefined {
  const all = wordsOf(tool);
  const at = all.findIndex(destroys);
  const before = all.slice(0, Math.max(at, 0));
  const isTopic = before.some(reads) && !before.includes('and');
  return at === -1 || isTopic ? undefined : all[at];
}

/** The word of the name that reads, unless a word before it changes something: `list_updates` reads, `create_view` does not. */
export function readingWordOf(tool: string): string | undefined {
  if (destroyingWordOf(tool) !== undefined) return undefined;
  const [api, method, ...rest] = wordsOf(tool);
  // Names made from an HTTP interface say how it is asked: `API-post-search` only searches.
  const all = api === 'api' && method === 'post' ? rest : wordsOf(tool);
  if (all.includes('and') || all.includes('or')) return undefined;
  const first = all.find((word) => reads(word) || writes(word));
  return first !== undefined && !writes(first) ? first : undefined;
}
