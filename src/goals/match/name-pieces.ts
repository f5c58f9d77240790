// Splits the names of a catalogue into verb, nouns and family, to compare them with a misspelled name.
import type { Declaration } from '../../contract/declaration.ts';
import { isFunctionWord, stemOf, type Term, termOf, termsOfText, wordsOfName } from './terms.ts';
import { isKnownVerb } from './verbs.ts';

export type NamedCapability = Pick<Declaration, 'name' | 'description'>;

/** The pieces of a capability's name, or of a wanted name. */
export interface NamePieces {
  readonly name: string;
  /** For example `csv` in `csv.sniff`. */
  readonly family: string;
  /** The name without its family. */
  readonly last: string;
  readonly verb: Term | undefined;
  /** The nouns of the name, then those of its family. */
  readonly nouns: readonly Term[];
  /** The last noun of the name before a preposition, or else the last noun of its family. */
  readonly head: Term | undefined;
  /** The head noun is a plural; undefined when the name has no noun of its own. */
  readonly isMany: boolean | undefined;
  /** Stems that a name may leave out: `topic` in `get_news_for_topic`, `contents` in `get_file_contents`. */
  readonly tail: ReadonlySet<string>;
  /** The stems of the description. */
  readonly told: ReadonlySet<string>;
}

export interface NameCatalogue {
  readonly entries: readonly NamePieces[];
  readonly families: ReadonlySet<string>;
  /** A prefix that most names share, such as `slack` in `slack_add_reaction`. */
  readonly shared: string | undefined;
  /** The stems of the verbs that names of this catalogue begin with. */
  readonly verbs: ReadonlySet<string>;
  /** How well a word distinguishes names: 0 when every name has it. */
  readonly weight: (stem: string) => number;
  readonly has: (stem: string) => boolean;
}

type Convention = Pick<NameCatalogue, 'shared' | 'verbs'>;

export function catalogueOf(declarations: readonly NamedCapability[]): NameCatalogue {
  const convention = conventionOf(declarations.map(({ name }) => name));
  const entries = declarations.map(({ name, description }) => entryOf(name, description, convention));
  const count = new Map<string, number>();
  for (const { nouns, verb } of entries) {
    const terms = verb === undefined ? nouns : [...nouns, verb];
    for (const stem of new Set(terms.map((term) => term.stem))) count.set(stem, (count.get(stem) ?? 0) + 1);
  }
  const all = Math.log(entries.length + 1);
  return {
    ...convention,
    entries,
    families: new Set(entries.map(({ family }) => family)),
    weight: (stem) => Math.log((entries.length + 1) / (count.get(stem) ?? 1)) / all,
    has: (stem) => count.has(stem),
  };
}

const FEWEST = 3;
const MAJORITY = 0.6;

function conventionOf(names: readonly string[]): Convention {
  const all = names.map((name) => wordsOfName(lastOf(name)));
  const firsts = Map.groupBy(
    all.filter(([first = '', ...rest]) => rest.length > 0 && !isKnownVerb(termOf(first).stem)),
    ([first = '']) => first,
  );
  const least = Math.max(FEWEST, names.length * MAJORITY);
  const shared = [...firsts].find(([, group]) => group.length >= least)?.[0];
  const own = all.map((words) => (words[0] === shared && words.length > 1 ? words.slice(1) : words).map(termOf));
  const isLed = own.filter(([first]) => first !== undefined && isKnownVerb(first.stem)).length >= own.length / 2;
  const inside = new Set(own.flatMap((terms) => terms.slice(1)).map(({ stem }) => stem));
  const verbs = own.flatMap(([first, ...rest]) =>
    isLed && first !== undefined && rest.length > 0 && !inside.has(first.stem) ? [first.stem] : [],
  );
  return { shared, verbs: new Set(verbs) };
}

function entryOf(name: string, description: string, { shared, verbs }: Convention): NamePieces {
  const family = segmentsOf(name).slice(0, -1);
  const words = wordsOfName(lastOf(name));
  const isShared = words[0] === shared && words.length > 1;
  const local = isShared ? words.slice(1) : words;
  const terms = local.filter((word) => !isFunctionWord(word)).map(termOf);
  const isVerb = ({ stem }: Term): boolean => verbs.has(stem) || isKnownVerb(stem);
  const first = terms.slice(0, 1).find(isVerb);
  const verb = first ?? terms.findLast((term) => isKnownVerb(term.stem));
  const own = terms.filter((term) => term !== verb);
  const joint = local.findIndex(isFunctionWord);
  const before = new Set(joint < 0 ? local : local.slice(0, joint));
  const phrase = own.filter(({ word, stem }) => before.has(word) && !OF_IT.has(stem));
  const around = [...family.flatMap(wordsOfName), ...(isShared ? words.slice(0, 1) : [])].map((word) => termOf(word));
  const head = phrase.at(-1) ?? own.at(-1);
  return {
    name,
    family: family.join('.').toLowerCase(),
    last: lastOf(name),
    verb,
    nouns: [...new Map([...own, ...around].map((term) => [term.stem, term])).values()],
    head: head ?? around.at(-1),
    isMany: head?.isPlural,
    tail: new Set(phrase.length === 0 ? [] : own.filter((term) => !phrase.includes(term)).map(({ stem }) => stem)),
    told: new Set(termsOfText(description).map(({ stem }) => stem)),
  };
}

/** Nouns that every thing has: getting a file means getting its contents. */
const OF_IT: ReadonlySet<string> = new Set(['content', 'detail', 'info', 'data'].map(stemOf));

function segmentsOf(name: string): readonly string[] {
  return name.split(/[./:]|__/);
}

function lastOf(name: string): string {
  return segmentsOf(name).at(-1) ?? '';
}

/** Reads a wanted name without a made-up prefix, such as `github` in `github.get_issue` or `github_get_issue`. */
export function readWanted(wanted: string, catalogue: NameCatalogue): NamePieces {
  const whole = entryOf(wanted, '', catalogue);
  const isKnown = whole.family === '' || wordsOfName(whole.family).some((word) => catalogue.has(termOf(word).stem));
  const name = isKnown ? wanted : whole.last;
  const [first = '', second = ''] = wordsOfName(lastOf(name));
  const isPrefix =
    !isKnownVerb(termOf(first).stem) && !catalogue.has(termOf(first).stem) && isKnownVerb(termOf(second).stem);
  return entryOf(isPrefix ? name.replace(first, '') : name, '', catalogue);
}
