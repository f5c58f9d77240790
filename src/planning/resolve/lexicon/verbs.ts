// What verbs mean: groups of those that ask for the same, and whether they read, write or destroy.

export type VerbClass = 'read' | 'write' | 'destroy';

interface Group {
  readonly class: VerbClass;
  /** Verbs, and phrases whose gap `…` holds the object. */
  readonly words: string;
  /** Groups that often mean the same. */
  readonly near?: string;
  /** The group that means this and more: to close something is to update it, to update it may be anything. */
  readonly kindOf?: string;
}

/** A verb may stand in several groups: one opens a file to read it, and an issue to create it. */
const groups: Readonly<Record<string, Group>> = {
  list: { class: 'read', words: 'list enumerate show display give view browse see print ls', near: 'get search' },
  get: {
    class: 'read',
    words:
      'get fetch read retrieve view show display see give tell describe inspect load obtain return print open present look check examine watch pull bring cat review|look at|look into|check on|pull up|bring up|take a look at|have a look at',
    near: 'list search explain track check',
  },
  search: {
    class: 'read',
    words:
      'search find locate seek grep lookup query discover scan hunt|look up|look for|search for|find out|track down|hunt down',
    near: 'list get',
  },
  count: { class: 'read', words: 'count tally number', near: 'get compute' },
  compute: {
    class: 'read',
    words: 'compute calculate determine measure estimate sum evaluate|work out|figure out',
    near: 'get count',
  },
  compare: { class: 'read', words: 'compare diff contrast|tell … apart' },
  explain: {
    class: 'read',
    words: 'explain analyze analyse summarize summarise interpret clarify profile',
    near: 'get compute',
  },
  check: {
    class: 'read',
    words: 'check verify validate test confirm ensure inspect sniff|make sure',
    near: 'get compute',
  },
  track: { class: 'read', words: 'track monitor trace watch follow|keep an eye on', near: 'get' },
  query: { class: 'read', words: 'query run execute select', near: 'search get' },
  download: { class: 'read', words: 'download export save', near: 'get export' },
  create: {
    class: 'write',
    words:
      'create make build generate new initialize initialise register establish introduce open start file write submit raise compose draft produce found report propose publish prepare mkdir schedule plan arrange organize organise|set up|put together|come up with|start up|spin up',
    near: 'add upload',
  },
  add: {
    class: 'write',
    words: 'add append insert attach include put enter record log leave post|put in|put into',
    near: 'create share upload set',
  },
  update: {
    class: 'write',
    words:
      'update edit change modify alter set adjust revise correct fix amend patch refresh toggle mark mutate raise lower increase decrease reduce bump switch configure rewrite replace reschedule postpone delay improve swap|bring … up to date|bring up to date|switch over',
    near: 'set move',
  },
  close: {
    class: 'write',
    words: 'close resolve finish complete shut|mark … as closed|mark … as done|mark … as resolved|mark … as completed',
    kindOf: 'update',
  },
  reopen: { class: 'write', words: 'reopen|open … again', kindOf: 'update' },
  assign: {
    class: 'write',
    words: 'assign delegate allocate|make … responsible for|hand … over|hand over',
    near: 'add set',
    kindOf: 'update',
  },
  unassign: { class: 'write', words: 'unassign unlabel untag', near: 'detach', kindOf: 'update' },
  label: { class: 'write', words: 'label tag categorize categorise', kindOf: 'update' },
  rename: { class: 'write', words: 'rename retitle', near: 'move', kindOf: 'update' },
  write: { class: 'write', words: 'write overwrite save store commit', near: 'create update upload' },
  set: {
    class: 'write',
    words: 'set put change configure turn|turn on|turn off|switch on|switch off',
    near: 'update',
  },
  move: { class: 'write', words: 'move rename mv relocate transfer shift migrate|move over', near: 'update' },
  reschedule: { class: 'write', words: 'reschedule postpone delay move shift|put off|push back', near: 'update' },
  copy: { class: 'write', words: 'copy cp duplicate clone fork replicate mirror', near: 'export' },
  send: {
    class: 'write',
    words:
      'send post mail email message notify alert remind publish deliver broadcast say tell ship write share|send out|let … know',
    near: 'reply add forward upload',
  },
  forward: { class: 'write', words: 'forward relay|pass on|pass … on|hand on', near: 'send' },
  reply: { class: 'write', words: 'reply respond answer comment|write back|get back to', near: 'send add' },
  run: {
    class: 'write',
    words:
      'run execute trigger launch invoke start rerun retry restart resume perform do redo relaunch|kick off|fire off|set off',
  },
  merge: { class: 'write', words: 'merge combine join land integrate squash unite|bring together' },
  upload: {
    class: 'write',
    words: 'upload push commit import load ingest store save share|check in',
    near: 'add create',
  },
  import: { class: 'write', words: 'import load ingest|read in|bring in|read … into|load … into', near: 'add' },
  export: { class: 'write', words: 'export dump extract save|write out', near: 'download copy' },
  share: {
    class: 'write',
    words: 'share grant allow permit authorize authorise give|give … access|let … access|let … into|let … in',
  },
  invite: { class: 'write', words: 'invite add bring|ask … to join', near: 'add share request' },
  lock: { class: 'write', words: 'lock freeze block' },
  unlock: { class: 'write', words: 'unlock unfreeze unblock' },
  accept: {
    class: 'write',
    words: 'accept approve confirm endorse respond|sign off|agree to|say yes to',
    near: 'reply',
  },
  decline: { class: 'write', words: 'decline reject refuse deny dismiss respond|turn down|say no to', near: 'reply' },
  request: { class: 'write', words: 'request ask', near: 'invite add' },
  sync: { class: 'write', words: 'sync synchronize synchronise', near: 'update' },
  review: { class: 'write', words: 'review assess rate approve reject|request changes' },
  compress: { class: 'write', words: 'compress zip pack archive bundle|zip up' },
  extract: { class: 'write', words: 'extract unzip unpack decompress uncompress expand' },
  archive: { class: 'write', words: 'archive retire shelve' },
  backup: { class: 'write', words: 'backup save export|back up|back … up' },
  restore: {
    class: 'write',
    words: 'restore recover rollback revert undo reset|roll back|go back to|bring back',
    near: 'update',
  },
  pay: { class: 'write', words: 'pay charge capture collect settle buy purchase' },
  refund: { class: 'write', words: 'refund reimburse repay return|give … back|pay back' },
  book: { class: 'write', words: 'book reserve schedule plan arrange organize organise|set up|pencil in' },
  react: { class: 'write', words: 'react like upvote|thumbs up', near: 'add' },
  play: { class: 'write', words: 'play start resume|turn on' },
  pause: { class: 'write', words: 'pause stop halt' },
  pin: { class: 'write', words: 'pin bookmark star favourite favorite' },
  subscribe: { class: 'write', words: 'subscribe follow watch|sign up' },
  transform: { class: 'write', words: 'transform convert translate render format resize|turn … into' },
  delete: {
    class: 'destroy',
    words:
      'delete rm kill remove erase drop destroy purge wipe discard trash clear unlink eliminate scrap dispose empty truncate unset|get rid of|throw away|throw … away|throw out|throw … out|take down|take … down|take off|take … off|take … away|tear down|tear … down|wipe out|do away with|clean out|clear out|clean up|put … in the trash|put … in the bin|move … to the trash|blow away|dispose of',
    near: 'cancel detach',
  },
  cancel: {
    class: 'destroy',
    words:
      'cancel abort revoke terminate kill stop expire invalidate void halt end withdraw|call off|call … off|shut down',
    near: 'delete',
  },
  /** To take out of something, which leaves the thing itself alone. */
  detach: {
    class: 'destroy',
    words:
      'remove kick ban expel evict detach unassign uninvite unlink unfollow unsubscribe|kick out|kick … out|throw … out|take … off|take off|take … away|take back',
    near: 'delete',
  },
};

/** Verbs that leave the meaning to their noun: make a copy, leave a comment, do a search. */
export const lightVerbs: ReadonlySet<string> = new Set(
  'make create do give take have get put perform leave write need want run set file submit issue place'.split(' '),
);

/** Verbs that are nouns as often: at the head of a name they are taken for verbs only where no other is. */
export const nounLike: ReadonlySet<string> = new Set(
  'file order mail email message label star branch number book plan query test log record ship end post share present format profile report review comment request issue tag note index track check message fork commit reply answer run load pull'.split(
    ' ',
  ),
);

const groupsOfVerb = new Map<string, string[]>();
const phraseList: { readonly words: readonly string[]; readonly group: string }[] = [];
for (const [group, { words }] of Object.entries(groups)) {
  const [single = '', ...phrases] = words.split('|');
  for (const verb of single.split(' ')) groupsOfVerb.set(verb, [...(groupsOfVerb.get(verb) ?? []), group]);
  for (const phrase of phrases) phraseList.push({ words: phrase.split(' '), group });
}

/** Longest first, so that `get rid of` is not `get`. */
export const phrases: readonly { readonly words: readonly string[]; readonly group: string }[] = phraseList.sort(
  (left, right) => right.words.length - left.words.length,
);

/** Nouns that name an act, so that a light verb before them adds nothing: `make a copy`. */
export const actNouns: ReadonlySet<string> = new Set(
  'copy search backup query count review comment reply check run merge push commit fork export import download upload move change update edit request scan test lookup clone duplicate transfer restore reset refund payment listing report diff'.split(
    ' ',
  ),
);

export const knownVerbs: readonly string[] = [...groupsOfVerb.keys()];

export function groupsOf(verb: string): readonly string[] {
  return groupsOfVerb.get(verb) ?? [];
}

export function classOf(group: string): VerbClass | undefined {
  return groups[group]?.class;
}

export function areNear(one: string, other: string): boolean {
  return isNear(one, other) || isNear(other, one);
}

/** Other verbs for doing it in the very same way: `tag` for `label`. */
export function kinOf(verb: string): readonly string[] {
  return groupsOf(verb)
    .filter((group) => groups[group]?.kindOf !== undefined)
    .flatMap((group) => groups[group]?.words.split('|')[0]?.split(' ') ?? []);
}

/** To do the one is to do the other in a certain way. */
export function isKindOf(one: string, other: string): boolean {
  return groups[one]?.kindOf === other;
}

function isNear(one: string, other: string): boolean {
  return groups[one]?.near?.split(' ').includes(other) === true;
}
