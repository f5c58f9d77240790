// A tool as its words tell of it: the verb and the nouns of its name, and everything else that it says of itself.
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Declaration } from '../../contract/declaration.ts';
import { type Term, termOf, termsOfText, wordsOfName } from './terms.ts';
import { groupOf, isDestroyingVerb } from './verbs.ts';

/** A noun of a name; a family's tells nothing of one or many. */
type Noun = Pick<Term, 'word' | 'stem'> & Partial<Pick<Term, 'isPlural'>>;

/** The part of a declaration that words are compared with. */
export type Described = Pick<Declaration, 'name' | 'description' | 'input' | 'effects'> &
  Partial<Pick<Declaration, 'tags'>>;

export interface Tool {
  readonly declaration: Described;
  readonly verb: Term | undefined;
  /** The words of the name without its verb and without the prefix of its server; `file` of `files.list`. */
  readonly nouns: readonly Noun[];
  /** On its server its name is its verb: `fetch`. */
  readonly isVerbAlone: boolean;
  /** Whose it is: words of the name of its server. */
  readonly family: readonly Term[];
  /** Stems of everything that it says: name, description, parameters and what these say. */
  readonly told: ReadonlySet<string>;
  /** Something is gone, lost or ended afterwards. */
  readonly destroys: boolean;
  /** It may be so, by its effects: a person agrees to each call. */
  readonly mayDestroy: boolean;
  /** Nouns of the required parameters that identify what is acted on: `issue` for `issue_number`. */
  readonly identified: readonly string[];
  readonly texts: ToolTexts;
}

/** The parts that are indexed, each as words. */
export interface ToolTexts {
  readonly name: string;
  readonly title: string;
  readonly first: string;
  readonly rest: string;
  readonly parameters: string;
  readonly said: string;
}

export function toolsOf(declarations: readonly Described[]): readonly Tool[] {
  const prefixes = prefixesOf(declarations);
  return declarations.map((each) => toolOf(each, prefixes.get(serverOf(each)) ?? []));
}

function toolOf(declaration: Described, prefix: readonly string[]): Tool {
  const words = localWords(declaration);
  const own = prefix.length > 0 && startsWith(words, prefix) ? words.slice(prefix.length) : words;
  const terms = own.map(termOf);
  const family = wordsOfName(serverOf(declaration)).map(termOf);
  const verb = verbIn(terms, family.length > 0, declaration);
  const others = terms.filter((term) => term !== verb);
  // `files.list` lists files; `github.list_issues` lists issues.
  const nouns: readonly Noun[] = others.length > 0 ? others : family.map(({ word, stem }) => ({ word, stem }));
  const texts = textsOf(declaration, own);
  const told = new Set(termsOfText(Object.values(texts).join(' ')).map(({ stem }) => stem));
  for (const { stem } of [...terms, ...family]) told.add(stem);
  const deletes = declaration.effects.includes('delete');
  // Servers mark as destructive what may only change a thing: words say whether it destroys.
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

/** Names begin with their verb, seldom end with it; a name without a known one begins with it if its description does. */
function verbIn(terms: readonly Term[], isInFamily: boolean, { description }: Described): Term | undefined {
  const [first] = terms;
  const last = terms.at(-1);
  if (first === undefined) return undefined;
  const isKnown = ({ stem }: Term): boolean => groupOf(stem) !== undefined || isDestroyingVerb(stem);
  if (isKnown(first)) return first;
  if (last !== undefined && terms.length > 1 && isKnown(last) && !last.isPlural) return last;
  const [begins] = termsOfText(description);
  if (begins !== undefined && begins.stem === first.stem) return first;
  // `csv.profile` does that to a CSV.
  const isAlone = terms.length === 1 && isInFamily && !first.isPlural;
  return terms.length > 1 || isAlone || begins === undefined ? first : undefined;
}

function textsOf({ description, input, tags = [] }: Described, own: readonly string[]): ToolTexts {
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

/** `calendarId` and `issue_number` name what they identify; a bare `id` or `path` does not. */
function identifiedBy(input: JsonObject | undefined): readonly string[] {
  const required = Array.isArray(input?.required) ? input.required : [];
  return required.flatMap((name) => {
    if (typeof name !== 'string') return [];
    const words = wordsOfName(name);
    const noun = words.at(-2);
    return noun !== undefined && IDENTIFIES.has(words.at(-1) ?? '') ? [termOf(noun).stem] : [];
  });
}

/** Whose it is: `github` of `github.list_issues`. */
function serverOf({ name }: Described): string {
  return name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : '';
}

/** The name on its server. */
function localWords({ name }: Described): readonly string[] {
  return wordsOfName(name.slice(name.lastIndexOf('.') + 1));
}

/** The words with which most names of one server begin say nothing about any one of its tools. */
function prefixesOf(declarations: readonly Described[]): ReadonlyMap<string, readonly string[]> {
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
  // A verb tells what a tool does, however many names begin with it.
  if (groupOf(stem) !== undefined || isDestroyingVerb(stem)) return prefix;
  return commonPrefix(names, [...prefix, most[0]]);
}

function startsWith(words: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((each, at) => words[at] === each);
}
