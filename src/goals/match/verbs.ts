// The few verbs that mean the same in goals and in names of tools, and those that destroy.
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

/** The group that a verb belongs to; undefined for every verb that means only itself. */
export function groupOf(stem: string): number | undefined {
  return byStem.get(stem);
}

/** Whether a verb asks to see or to find something, and changes nothing. */
export function isReadingVerb(stem: string): boolean {
  const group = groupOf(stem);
  return (group !== undefined && group < READING_GROUPS) || otherReading.has(stem);
}

/** Whether a verb of a group asks to make, to change or to send something. */
export function isChangingVerb(stem: string): boolean {
  return (groupOf(stem) ?? 0) >= READING_GROUPS;
}

/** Whether a word is a verb that is known here, and not one that any name may begin with. */
export function isKnownVerb(stem: string): boolean {
  return groupOf(stem) !== undefined || isReadingVerb(stem) || destroying.has(stem);
}

/** Whether a verb makes or changes things. */
export function isMakingVerb(stem: string): boolean {
  const group = groupOf(stem);
  return group === MAKING || group === CHANGING;
}

const stems = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/).map(stemOf));

const work = 'count check compare inspect examine summarize summarise explain review look watch tell';

const SENDING = groups.length - 1;

/** Whether a verb asks for what no agent does by writing: to send something away, or to destroy it. */
export function needsTool(stem: string): boolean {
  return groupOf(stem) === SENDING || destroying.has(stem);
}

/** They belong to no group, since each means something of its own in names of tools. */
const otherReading = stems(`${work} what which how who where when`);

/** A tool with one of these verbs leaves something gone, lost or ended. */
const destroyers = `delete remove drop erase destroy purge wipe trash truncate kill uninstall unpublish prune discard clear
  revoke terminate drain evict kick ban expire detach archive cancel reset overwrite unlink flush`;
const destroying = stems(destroyers);

/** Goals ask for it with these verbs too, which no tool is named for. */
const asking = stems('abort dispose dump eliminate exterminate forget nuke retire scrap stop undo withdraw unfollow');

/** Any agent is asked for these, and capabilities and commands are named behind them. */
const working = 'write draft translate use run call execute sort';

/** Every verb of this page as a goal writes it to give an order: `liste` and `lists` are none of them. */
export const usualVerbs: ReadonlySet<string> = new Set(
  [...groups.flat(), ...`${work} ${destroyers} ${working}`.split(/\s+/)].filter((verb) => verb !== 'new'),
);

/** Goals ask for it in several words: `get rid of`, `throw it away`, `clean up`. */
const PHRASES =
  /(?<!\p{L})(?:get(?:ting)? rid of|call(?: \S+){0,5}? off|(?:throw|take|clean|clear)(?: \S+){0,5}? (?:away|back|out|off|down|up)(?!\p{L}))/iu;

/** Whether a verb of a tool says that something is gone, lost or ended afterwards. */
export function isDestroyingVerb(stem: string): boolean {
  return destroying.has(stem);
}

/** Whether the words of a goal ask for that anywhere. */
export function asksToDestroy(text: string, stemsOfText: readonly string[]): boolean {
  return PHRASES.test(text) || stemsOfText.some((stem) => destroying.has(stem) || asking.has(stem));
}
