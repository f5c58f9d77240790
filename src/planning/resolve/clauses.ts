// A sentence taken apart into clauses, each with one verb at its head: without courtesies, and with what it rules out apart.
import {
  auxiliaries,
  determiners,
  fillers,
  isManner,
  negations,
  politeStarts,
  questionWords,
} from './lexicon/function-words.ts';
import { groupsOf, nounLike } from './lexicon/verbs.ts';
import type { Token } from './tokens.ts';
import type { Vocabulary } from './vocabulary.ts';
import { isPlural, singular, verbForms } from './words.ts';

export interface RawClause {
  /** What is asked for. */
  readonly tokens: readonly Token[];
  /** How it shall be done: `quickly`, `permanently`. */
  readonly manners: readonly string[];
  /** A verb that is ruled out: `but do not delete it`. */
  readonly denied?: string;
}

export function clausesOf(tokens: readonly Token[], vocabulary: Vocabulary): readonly RawClause[] {
  return apart(withCompounds(withAcronyms(tokens, vocabulary), vocabulary), vocabulary).map((clause) => {
    const manners = clause.filter(({ text }) => isAdverb(text)).map(({ text }) => text);
    const { kept, denied } = withoutDenied(withoutCourtesy(clause));
    return { tokens: kept, manners, ...(denied === undefined ? {} : { denied }) };
  });
}

/** The form of the word that is a verb we know. */
export function knownVerb(word: string): string | undefined {
  return verbForms(word).find((form) => groupsOf(form).length > 0);
}

/** `PRs` are pull requests where a tool is named so. */
function withAcronyms(tokens: readonly Token[], vocabulary: Vocabulary): readonly Token[] {
  return tokens.flatMap((token): readonly Token[] => {
    const lower = token.text.toLowerCase();
    if (!/^\p{L}{2,4}$/u.test(lower) || isStructure(lower) || groupsOf(lower).length > 0) return [token];
    const one = lower.endsWith('s') ? vocabulary.acronym(lower.slice(0, -1)) : undefined;
    const stands = one ?? vocabulary.acronym(lower);
    if (stands === undefined) return [token];
    return stands.map((text, place) => ({
      kind: 'word',
      text: one !== undefined && place === stands.length - 1 ? `${text}s` : text,
    }));
  });
}

/** `pull requests` are pulls where tools are named so. */
function withCompounds(tokens: readonly Token[], vocabulary: Vocabulary): readonly Token[] {
  const isSecond = (place: number): boolean => {
    const [first, second] = [tokens[place - 1], tokens[place]];
    if (first?.kind !== 'word' || second?.kind !== 'word') return false;
    return vocabulary.isCompound(first.text, singular(second.text));
  };
  return tokens.flatMap((token, place): readonly Token[] => {
    if (isSecond(place)) return [];
    return isSecond(place + 1) && isPlural(tokens[place + 1]?.text ?? '')
      ? [{ ...token, text: `${token.text}s` }]
      : [token];
  });
}

function isStructure(word: string): boolean {
  const structural = [auxiliaries, determiners, fillers, questionWords, negations];
  return structural.some((set) => set.has(word)) || /^(i|in|on|at|of|to|me|us|it|and|or|as|by|up)$/.test(word);
}

/** Apart at full stops and colons, and where `and`, `then`, a comma or `by` goes on with another verb. */
function apart(tokens: readonly Token[], vocabulary: Vocabulary): readonly (readonly Token[])[] {
  const clauses: Token[][] = [[]];
  for (const [place, token] of tokens.entries()) {
    const next = tokens[place + 1];
    const joins = token.kind === 'comma' || /^(and|then|but)$/.test(token.text);
    const does = token.text === 'by' && /ing$/.test(next?.text ?? '') && knownVerb(next?.text ?? '') !== undefined;
    if (token.kind === 'break' || does || (joins && beginsClause(tokens, place + 1, vocabulary))) clauses.push([]);
    else clauses.at(-1)?.push(token);
  }
  return clauses.filter((clause) => clause.some(({ kind }) => kind === 'word' || kind === 'value'));
}

function beginsClause(tokens: readonly Token[], place: number, vocabulary: Vocabulary): boolean {
  const token = tokens[place];
  if (token?.kind !== 'word') return false;
  if (negations.has(token.text)) return true;
  if (/^(then|and|but|please|also|do|only|just)$/.test(token.text)) return beginsClause(tokens, place + 1, vocabulary);
  const isPlain = groupsOf(token.text).length > 0 || vocabulary.isVerb(token.text);
  return isPlain && !(nounLike.has(token.text) && vocabulary.named(singular(token.text)) > 0);
}

function withoutCourtesy(tokens: readonly Token[]): readonly Token[] {
  const start = politeStarts.find((words) => words.every((word, place) => tokens[place]?.text === word));
  if (start !== undefined && tokens.length > start.length) return withoutCourtesy(tokens.slice(start.length));
  const [first] = tokens;
  if (first === undefined || tokens.length < 2) return tokens;
  return first.kind === 'comma' || isAdverb(first.text) ? withoutCourtesy(tokens.slice(1)) : tokens;
}

function isAdverb(word: string): boolean {
  return isManner(word) && knownVerb(word) === undefined;
}

/** What comes after a negation is no order but its opposite. */
function withoutDenied(tokens: readonly Token[]): { readonly kept: readonly Token[]; readonly denied?: string } {
  const place = tokens.findIndex(({ kind, text }, index) => {
    const next = tokens[index + 1];
    return kind === 'word' && negations.has(text) && next?.kind === 'word' && knownVerb(next.text) !== undefined;
  });
  const verb = place < 0 ? undefined : knownVerb(tokens[place + 1]?.text ?? '');
  if (verb === undefined) return { kept: tokens };
  return { kept: tokens.slice(0, place).filter(({ text }) => !/^(do|does|but|and)$/.test(text)), denied: verb };
}
