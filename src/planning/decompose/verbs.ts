// The verbs with which orders begin, so that "and" between two orders is told from "and" between two things.

/** Whether a word begins an order: it is a verb, it may be a noun as well, or it is neither known. */
export type Reading = 'verb' | 'either' | 'other';

export function readingOf(word: string): Reading {
  const lower = word.toLowerCase();
  if (verbs.has(lower)) return 'verb';
  return eithers.has(lower) ? 'either' : 'other';
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

const verbs = wordsIn(`
  accept achieve activate adapt add adjust aggregate align allocate allow analyse analyze annotate append apply
  arrange ask assemble assert assess assign attach authenticate authorise authorize automate bake begin bring browse
  build bundle buy calculate call cancel capture categorise categorize choose classify clean cleanse clear clone
  close collapse collect combine compare compile complete compose compress compute configure confirm connect
  consider consolidate construct consult continue convert correct count create curl deactivate decide decode
  decommission decompress decrypt deduplicate define delete deliver demonstrate deploy deprecate derive describe
  detect determine develop devise diagnose disable disassemble discard disconnect discover discuss dismiss dispatch
  dissect distil distill distribute divide do download draw drop duplicate edit elaborate eliminate embed emit
  enable encode encourage encrypt enforce enhance enquire enrich ensure enter enumerate erase escalate establish
  evaluate examine exclude execute expand experiment explain explore export expose extend extract fetch fill find
  finish fix flatten fold follow formulate fulfil fulfill gather generate get give halt hide identify implement
  import improve include inform ingest initialise initialize insert inspect install integrate interpolate interpret
  introduce investigate invite invoke itemise itemize join jot justify keep kill launch learn list load locate
  lookup lower maintain make manage maximise maximize merge migrate minify minimise minimize mock modify monitor
  move mute negotiate normalise normalize notify obtain onboard open optimise optimize organise organize outline
  overwrite parse partition paste perform persist pick ping pinpoint plug populate post practise precompute predict
  prepare preprocess preserve prevent print prioritize probe proceed procure produce promote proofread propose
  provide provision prune pseudonymise publish pull push put quantify quit read rebuild recalculate receive
  recommend reconcile recover recreate redact redesign redirect redo reduce refactor reformat refresh register
  reindex reinstall reject reload relocate remind remove rename render renew reopen reorder repackage repair
  rephrase replace replicate reproduce resize resolve respond restate restore restrict restructure retain retest
  retrain retrieve retry return reuse reveal revert revise reword rewrite rollback rotate run sanitise sanitize save
  scaffold scrape search secure select send separate serialise serialize serve set setup share shorten show shrink
  simplify simulate skim solve sort spawn specify spell split squash standardise standardize start stop store
  subdivide submit subscribe substitute subtract suggest summarise summarize synchronise synchronize synthesise
  synthesize tabulate tackle tell throttle tidy toggle tokenise tokenize train transcribe transform translate triage
  trim troubleshoot truncate tune turn uncover undo unify uninstall unlock unpack unsubscribe unwrap unzip update
  upload upsert use vacuum validate verify vet visualise visualize watch wipe wire write zip`);

/** Orders at the start of a sentence; behind an "and" only where a thing that is done to follows. */
const eithers = wordsIn(`
  access act address answer archive attempt audit back backup batch benchmark block book bookmark box branch break
  brief cache change charge chart check cite click code comment commit contact contrast control copy cost cover
  credit crop cut cycle date debug demo design detail diff display document draft dry dump echo email estimate
  exchange file filter flag focus force forecast format forward frame grade grant graph group guide handle hash help
  highlight hold host increase index interview issue item label lay limit link log look mail mark match measure
  mention message mirror model name note order output overview package page paint paraphrase patch pay pipe place
  plan play plot point poll port practice present price prioritise process profile program prompt prototype purchase
  query quote raise rank rate reach reason rebase recall recap record reference release replay reply report request
  research reserve reset rest restart review route sample scale scan schedule scope score screen screenshot script
  section segment ship sign sketch slice snapshot source stage star stash state step stream stress strip structure
  stub study style sum supply survey swap switch sync tag talk target test thank think time title top total touch
  trace track trade transfer trigger try tweet type upgrade value version view visit vote wait walk warn work wrap`);
