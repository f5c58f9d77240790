// A tool as the matcher sees it: verb and nouns of its name, and the words of its texts.
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Declaration } from '../../contract/declaration.ts';
import { type Term, termOf, termsOfText, wordsOfName } from './terms.ts';
import { groupOf, isDestroyingVerb } from './verbs.ts';

/** A noun of a name; nouns of a family have no number. */
type Noun = Pick<Term, 'word' | 'stem'> & Partial<Pick<Term, 'isPlural'>>;

/** The part of a declaration that the matcher reads. */
export type DescribedCapability = Pick<Declaration, 'name' | 'description' | 'input' | 'effects'> &
  Partial<Pick<Declaration, 'tags'>>;

export interface Tool {
  readonly declaration: DescribedCapability;
  readonly verb: Term | undefined;
  /** The words of the name without verb and server prefix; `file` for `files.list`. */
  readonly nouns: readonly Noun[];
  /** The name on its server is a verb alone, such as `fetch`. */
  readonly isVerbAlone: boolean;
  /** The words of its server's name. */
  readonly family: readonly Term[];
  /** The stems of all its texts: name, description, parameters and their descriptions. */
  readonly told: ReadonlySet<string>;
  /** Its words say that it deletes or ends something. */
  readonly destroys: boolean;
  /** It destroys by its words or by its declared effects; a person agrees to each call. */
  readonly mayDestroy: boolean;
  /** The nouns of required identifiers: `issue` for `issue_number`. */
  readonly identified: readonly string[];
  readonly texts: ToolTexts;
}

/** The indexed texts. */
export interface ToolTexts {
  readonly name: string;
  readonly title: string;
  readonly first: string;
  readonly rest: string;
  readonly parameters: string;
  readonly said: string;
}

export function toolsOf(declarations: readonly DescribedCapability[]): readonly Tool[] {
  const prefixes = prefixesOf(declarations);
  return declarations.map((each) => toolOf(each, prefixes.get(serverOf(each)) ?? []));
}

function toolOf(declaration: DescribedCapability, prefix: readonly string[]): Tool {
  const words = localWords(declaration);
  const own = prefix.length > 0 && startsWith(words, prefix) ? words.slice(prefix.length) : words;
  const terms = own.map(termOf);
  const family = wordsOfName(serverOf(declaration)).map(termOf);
  const verb = verbIn(terms, family.length > 0, declaration);
  const others = terms.filter((term) => term !== verb);
  // The object of `files.list` is its family, and the object of `github.list_issues` is in its name.
  const nouns: readonly Noun[] = others.length > 0 ? others : family.map(({ word, stem }) => ({ word, stem }));
  const texts = textsOf(declaration, own);
  const told = new Set(termsOfText(Object.values(texts).join(' ')).map(({ stem }) => stem));
  for (const { stem } of [...terms, ...family]) told.add(stem);
  const deletes = declaration.effects.includes('delete');
  // Servers mark tools as destructive that only change things, so words decide.
  const [begins] = termsOfText(declaration.description);
  const destroys = [...terms, ...(begins === undefined ? [] : [begins])].some(({ stem }) => isDestroyingVerb(stem));
  const identified = identifiedBy(declaration.input);
  return {
    declaration,
    verb,
    nouns,
    family,
    isVerbAlone: verb !== undefined && others.length === 0,
    told,
    destroys,
    mayDestroy: destroys || deletes,
    identified,
    texts,
  };
}

/** The verb of a name: its first word when known, else its last word, else a first word that also begins the description. */
function verbIn(terms: readonly Term[], isInFamily: boolean, { description }: DescribedCapability): Term | undefined {
  const [first] = terms;
  const last = terms.at(-1);
  if (first === undefined) return undefined;
  const isKnown = ({ stem }: Term): boolean => groupOf(stem) !== undefined || isDestroyingVerb(stem);
  if (isKnown(first)) return first;
  if (last !== undefined && terms.length > 1 && isKnown(last) && !last.isPlural) return last;
  const [begins] = termsOfText(description);
  if (begins !== undefined && begins.stem === first.stem) return first;
  // A single word after a family is a verb, as in `csv.profile`.
  const isAlone = terms.length === 1 && isInFamily && !first.isPlural;
  return terms.length > 1 || isAlone || begins === undefined ? first : undefined;
}

function textsOf({ description, input, tags = [] }: DescribedCapability, own: readonly string[]): ToolTexts {
  const [first = '', ...rest] = description.split(/(?<=[.!?])\s|\n/);
  const properties = isJsonObject(input?.properties) ? input.properties : {};
  const said = Object.values(properties).flatMap((each) =>
    isJsonObject(each) && typeof each.description === 'string' ? [each.description] : [],
  );
  return {
    name: own.join(' '),
    title: typeof input?.title === 'string' ? input.title : tags.join(' '),
    first,
    rest: rest.join(' '),
    parameters: Object.keys(properties).flatMap(wordsOfName).join(' '),
    said: said.join(' '),
  };
}

const IDENTIFIES = new Set(['id', 'ids', 'number', 'name', 'key', 'slug', 'sha', 'uuid', 'guid']);

/** The nouns in required names such as `calendarId` and `issue_number`; a bare `id` or `path` has none. */
function identifiedBy(input: JsonObject | undefined): readonly string[] {
  const required = Array.isArray(input?.required) ? input.required : [];
  return required.flatMap((name) => {
    if (typeof name !== 'string') return [];
    const words = wordsOfName(name);
    const noun = words.at(-2);
    return noun !== undefined && IDENTIFIES.has(words.at(-1) ?? '') ? [termOf(noun).stem] : [];
  });
}

/** The server of a name: `github` for `github.list_issues`. */
function serverOf({ name }: DescribedCapability): string {
  return name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : '';
}

/** The words of the name on its server. */
function localWords({ name }: DescribedCapability): readonly string[] {
  return wordsOfName(name.slice(name.lastIndexOf('.') + 1));
}

/** The prefix that most names of a server share; it tells nothing about a single tool. */
function prefixesOf(declarations: readonly DescribedCapability[]): ReadonlyMap<string, readonly string[]> {
  const servers = new Map<string, (readonly string[])[]>();
  for (const each of declarations) {
    const server = serverOf(each);
    servers.set(server, [...(servers.get(server) ?? []), localWords(each)]);
  }
  return new Map([...servers].map(([server, names]) => [server, commonPrefix(names)]));
}

const FEWEST = 3;

function commonPrefix(names: readonly (readonly string[])[], prefix: readonly string[] = []): readonly string[] {
  if (names.length < FEWEST) return [];
  const counts = new Map<string, number>();
  for (const words of names) {
    const next = startsWith(words, prefix) && words.length > prefix.length + 1 ? words[prefix.length] : undefined;
    if (next !== undefined) counts.set(next, (counts.get(next) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  if (most === undefined || most[1] <= names.length / 2) return prefix;
  const { stem } = termOf(most[0]);
  // A verb is never part of the prefix, however many names begin with it.
  if (groupOf(stem) !== undefined || isDestroyingVerb(stem)) return prefix;
  return commonPrefix(names, [...prefix, most[0]]);
}

function startsWith(words: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((each, at) => words[at] === each);
}
