// What nouns mean: those that name the same thing, and those that only say how much or which part of another.

const synonyms: readonly (readonly string[])[] = [
  'folder directory',
  'image picture photo photograph',
  'mail email',
  'issue ticket bug',
  'person people user member individual human teammate colleague',
  'person people attendee guest participant invitee',
  'customer client buyer purchaser',
  'event appointment meeting',
  'comment remark annotation',
  'reply answer response',
  'discussion conversation thread chat',
  'change edit modification diff',
  'check test',
  'emoji reaction',
  'value price cost amount',
  'product item article good',
  'stock inventory',
  'coupon voucher promo discount',
  'invoice bill',
  'shipment parcel package delivery',
  'table relation',
  'column field attribute',
  'row record entry',
  'database db',
  'permission right privilege',
  'document doc',
  'archive zip tarball',
  'checksum hash digest',
  'slot time opening gap',
  'reminder alarm alert',
  'notification alert',
  'topic subject title',
  'me myself self whoami own authenticated',
  'workflow pipeline action',
  'release version',
  'location place venue',
  'link url',
  'web internet',
  'setting configuration preference option',
  'weather forecast temperature',
  'task chore assignment',
  'contact address',
  'page site website',
  'review feedback',
  'employee staff worker',
  'purchase order',
  'forever permanently',
  'payment transaction',
].map((line) => line.split(' '));

/** Close enough to be looked at for each other, not to be destroyed. */
const related: readonly (readonly string[])[] = [
  'person user member account',
  'repository project',
  'message text note',
  'comment discussion note',
  'comment reply',
  'history log past',
  'content body text',
  'metadata info detail property',
  'team group',
  'check status ci build',
  'code codebase source function snippet',
].map((line) => line.split(' '));

function numbered(lines: readonly (readonly string[])[]): ReadonlyMap<string, ReadonlySet<number>> {
  const groups = new Map<string, Set<number>>();
  for (const [index, words] of lines.entries()) {
    for (const word of words) groups.set(word, (groups.get(word) ?? new Set()).add(index));
  }
  return groups;
}

const groupsOfNoun = numbered([...synonyms, ...related]);
const groupsOfSame = numbered(synonyms);

export function areSynonyms(one: string, other: string): boolean {
  return share(groupsOfNoun, one, other);
}

/** They mean the very same. */
export function areSame(one: string, other: string): boolean {
  return one === other || share(groupsOfSame, one, other);
}

function share(groups: ReadonlyMap<string, ReadonlySet<number>>, one: string, other: string): boolean {
  const own = groups.get(one);
  return own !== undefined && !own.isDisjointFrom(groups.get(other) ?? new Set());
}

const ABSTRACT = /(tion|sion|ment|ness|ity|ance|ence|ship|ism|ure|age|ing)$/;

/** Certainly a noun that means something of its own, not the name of a thing: `protection`, `account`, but not `spammer`. */
export function isCommonNoun(stemmed: string): boolean {
  return groupsOfNoun.has(stemmed) || isAbstract(stemmed);
}

export function isAbstract(stemmed: string): boolean {
  return stemmed.length > 5 && ABSTRACT.test(stemmed);
}

/** `a list of files` is about files: such a noun says how many or which part, unless a tool is named by it. */
export const partitives: ReadonlySet<string> = new Set(
  'list number set bunch couple lot kind type version part rest detail info information content copy listing overview summary name series collection piece bit all total amount state latest data text multiple batch bulk'.split(
    ' ',
  ),
);

/** `the commit history` is all commits: such a noun gathers what stands before it. */
export const collectives: ReadonlySet<string> = new Set(
  'history log timeline feed list listing catalogue roster overview'.split(' '),
);

/** Short forms that are no beginnings of their word. */
export const abbreviations: Readonly<Record<string, string>> = {
  dir: 'directory',
  dirs: 'directory',
  org: 'organization',
  app: 'application',
  img: 'image',
  msg: 'message',
  env: 'environment',
  pic: 'picture',
  db: 'database',
  perms: 'permission',
  dm: 'message',
  cal: 'calendar',
};
