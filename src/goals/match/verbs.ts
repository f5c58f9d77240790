// Verbs of goals and tool names: groups of synonyms, reading verbs and destructive verbs.
import { stemOf } from './terms.ts';

const groups = [
  ['get', 'list', 'show', 'read', 'fetch', 'view', 'display', 'retrieve', 'describe', 'see'],
  ['search', 'find', 'query', 'lookup'],
  ['create', 'make', 'add', 'new', 'insert'],
  ['update', 'edit', 'change', 'modify'],
  ['send', 'post', 'publish'],
] as const;

const READING_GROUPS = 2;
const MAKING = 2;
const CHANGING = 3;

const byStem = new Map(groups.flatMap((group, index) => group.map((verb) => [stemOf(verb), index] as const)));

/** The index of a verb's group of synonyms; undefined for a verb without synonyms. */
export function groupOf(stem: string): number | undefined {
  return byStem.get(stem);
}

/** Tells whether a verb only reads. */
export function isReadingVerb(stem: string): boolean {
  const group = groupOf(stem);
  return (group !== undefined && group < READING_GROUPS) || otherReading.has(stem);
}

/** Tells whether a verb's group creates, changes or sends things. */
export function isChangingVerb(stem: string): boolean {
  return (groupOf(stem) ?? 0) >= READING_GROUPS;
}

/** Tells whether a word is one of the verbs of this file. */
export function isKnownVerb(stem: string): boolean {
  return groupOf(stem) !== undefined || isReadingVerb(stem) || destroying.has(stem);
}

/** Tells whether a verb creates or changes things. */
export function isMakingVerb(stem: string): boolean {
  const group = groupOf(stem);
  return group === MAKING || group === CHANGING;
}

const stems = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/).map(stemOf));

const work = 'count check compare inspect examine summarize summarise explain review look watch tell';

const SENDING = groups.length - 1;

/** Tells whether a verb needs a tool: an agent's text can neither send nor destroy anything. */
export function needsTool(stem: string): boolean {
  return groupOf(stem) === SENDING || destroying.has(stem);
}

/** Reading verbs without synonyms in tool names. */
const otherReading = stems(`${work} what which how who where when`);

/** Verbs of tools that delete or end something. */
const destroyers = `delete remove drop erase destroy purge wipe trash truncate kill uninstall unpublish prune discard clear
  revoke terminate drain evict kick ban expire detach archive cancel reset overwrite unlink flush`;
const destroying = stems(destroyers);

/** More verbs with which goals ask to destroy, and which no tool is named for. */
const asking = stems('abort dispose dump eliminate exterminate forget nuke retire scrap stop undo withdraw unfollow');

/** Verbs that order any agent, or stand before the name of a capability or command. */
const working = 'write draft translate use run call execute sort';

/** All verbs of this file in the imperative: `lists` and the German `liste` are not among them. */
export const usualVerbs: ReadonlySet<string> = new Set(
  [...groups.flat(), ...`${work} ${destroyers} ${working}`.split(/\s+/)].filter((verb) => verb !== 'new'),
);

/** Phrases that ask to destroy: `get rid of`, `throw it away`, `clean up`. */
const PHRASES =
  /(?<!\p{L})(?:get(?:ting)? rid of|call(?: \S+){0,5}? off|(?:throw|take|clean|clear)(?: \S+){0,5}? (?:away|back|out|off|down|up)(?!\p{L}))/iu;

/** Tells whether a tool's verb deletes or ends something. */
export function isDestroyingVerb(stem: string): boolean {
  return destroying.has(stem);
}

/** Tells whether any words of a goal ask to destroy something. */
export function asksToDestroy(text: string, stemsOfText: readonly string[]): boolean {
  return PHRASES.test(text) || stemsOfText.some((stem) => destroying.has(stem) || asking.has(stem));
}
