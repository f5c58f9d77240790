// A tool as its words tell of it: the verb and the nouns of its name, and everything else that it says of itself.
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Declaration } from '../../contract/declaration.ts';
import { type Term, termOf, termsOfText, wordsOfName } from './terms.ts';
import { groupOf, isDestroyingVerb } from './verbs.ts';

/** The part of a declaration that words are compared with. */
export type Described = Pick<Declaration, 'name' | 'description' | 'input' | 'effects'> &
  Partial<Pick<Declaration, 'tags' | 'origin'>>;

export interface Tool {
  readonly declaration: Described;
  readonly verb: Term | undefined;
  /** The words of the name without its verb and without the prefix of its server; `file` of `files.list`. */
  readonly nouns: readonly Term[];
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
  const verb = verbIn(terms, declaration);
  const family = familyOf(declaration);
  const others = terms.filter((term) => term !== verb);
  // `files.list` lists files; `github.list_issues` lists issues.
  const nouns = others.length > 0 ? others : family;
  const texts = textsOf(declaration, own);
  const told = new Set(termsOfText(Object.values(texts).join(' ')).map(({ stem }) => stem));
  for (const { stem } of [...terms, ...family]) told.add(stem);
  const deletes = declaration.effects.includes('delete');
  // Servers mark as destructive what only changes a thing: a name with such a verb says more.
  const isOther = verb !== undefined && groupOf(verb.stem) !== undefined;
  const destroys = terms.some(({ stem }) => isDestroyingVerb(stem)) || (deletes && !isOther);
  const identified = identifiedBy(declaration.input);
  return { declaration, verb, nouns, told, destroys, mayDestroy: destroys || deletes, identified, texts };
}

/** Names begin with their verb, seldom end with it; a name without a known one begins with it if its description does. */
function verbIn(terms: readonly Term[], { description }: Described): Term | undefined {
  const [first] = terms;
  const last = terms.at(-1);
  if (first === undefined) return undefined;
  const isKnown = ({ stem }: Term): boolean => groupOf(stem) !== undefined || isDestroyingVerb(stem);
  if (isKnown(first)) return first;
  if (last !== undefined && terms.length > 1 && isKnown(last) && !last.isPlural) return last;
  const [begins] = termsOfText(description);
  if (begins !== undefined && begins.stem === first.stem) return first;
  return terms.length > 1 || begins === undefined ? first : undefined;
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

function serverOf({ origin, name }: Described): string {
  return origin?.server ?? familyWords(name);
}

/** The name on its server, without whose it is. */
function localWords({ origin, name }: Described): readonly string[] {
  return wordsOfName(origin?.tool ?? name.slice(name.lastIndexOf('.') + 1));
}

function familyOf({ origin, name }: Described): readonly Term[] {
  return origin === undefined ? wordsOfName(familyWords(name)).map(termOf) : [];
}

function familyWords(name: string): string {
  return name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : '';
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
