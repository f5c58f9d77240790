// Synonyms: names that contracts, models and people use for the same argument.
import { stemOf, wordsOfName } from '../match/terms.ts';

/**
 * One argument per line. Names after the semicolon are weak: they also name other arguments, so they count only when the
 * contract has no name from before the semicolon.
 */
const table = `
limit, per page, page size, page limit, items per page, results per page, rows per page, entries per page, max results, max items, max count, maximum results, maximum number, number of results, number of items, result count, result limit, num results, how many, batch size, top k, top n; count, max, maximum, top, take, first, size, rows, number, last
head, first lines, head lines; first
tail, last lines, tail lines, lines from end; last
page, page number, page index, page no
cursor, page token, next page token, next cursor, start cursor, page cursor, continuation token, pagination token, starting after, next page; after
offset, skip, start index, start row
sort by, order by, sorted by, ordered by, sort field, sort key, sort column, order field, sort, order, ordering
direction, sort direction, sort order, order direction, order; sort
since, start date, start time, date from, from date, created after, updated after, updated since, created since, after date, time min, min date, earliest, oldest, begin date, starting at, start day; after, from, start, begin, date
until, end date, end time, date to, to date, created before, updated before, before date, time max, max date, latest, finish date, ending at, end day; before, to, end, date
query, q, search, search term, search text, search query, search string, search phrase, keyword, search keyword, phrase; term, text, question
repository, repo name, repository name; project, project name
owner, repo owner, repository owner, organization, org; namespace, user, account
body, text, message, content, message text, message body, comment body, comment text, markdown; comment, note, description
description, details, summary, desc; body, about
title, subject, headline, heading; name, summary, topic
name, title; label
base, base branch, target branch, into branch, destination branch, merge into; target, into, destination
head, head branch, source branch, compare branch, feature branch; from branch, source
branch, branch name; ref, git ref
from branch, base ref, starting branch; source branch, ref, base
ref, git ref, revision, tag name, branch name; sha, branch
sha, commit, commit sha, commit hash, commit id
path, file, file path, filepath, filename, file name
folder, directory, dir, folder path, directory path, parent folder; path
url, link, uri, href, web address, web page, website, site, address, endpoint
state, status; stage
label, tag, category
assignee, assigned to, assign to, assigned user, responsible; owner, user
author, created by, creator, written by, from user; user
user, username, user name, login, member, handle, person, account name; account
email, mail, email address, mail address
recipient, to, send to, addressee, to address
channel, room, chat
issue, ticket, bug
pull request, pull, pr, merge request, mr
thread, conversation
timestamp, ts, message timestamp
customer, client, buyer
event, appointment, meeting
price, cost, amount
quantity, how much, number of units; count, amount
language, lang, locale
timezone, time zone, tz
due, due date, due by, deadline; until
emoji, reaction
database, db
image, picture, photo
format, output format, file format
question, prompt, task, instruction, instructions; query, text
column, field, attribute
row, record, entry
team, group
origin, departure, from place, from address; from, start, source
destination, to place; to, target, end
priority, severity, urgency
visibility, access
`;

interface Group {
  readonly strong: ReadonlySet<string>;
  readonly weak: ReadonlySet<string>;
}

/** The stems of a name without articles, joined by spaces. */
export function keyOf(name: string): string {
  return stemsOf(name).join(' ');
}

const SAYS_NOTHING = /^(?:a|an|the|my|our|this|that)$/;

export function stemsOf(name: string): readonly string[] {
  return wordsOfName(name)
    .filter((word) => !SAYS_NOTHING.test(word))
    .map(stemOf);
}

const groups: readonly Group[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [strong = '', weak = ''] = line.split(';').map((part) => part.split(',').map(keyOf));
    return { strong: new Set(strong), weak: new Set(weak) };
  });

/** The similarity of two keys (see `keyOf`) by the table alone, from 0 to 1. */
export function equivalence(one: string, other: string): number {
  const scores = groups.map(({ strong, weak }) => {
    if (strong.has(one)) return strong.has(other) ? 1 : weak.has(other) ? WEAK : 0;
    return weak.has(one) && strong.has(other) ? WEAK : 0;
  });
  return Math.max(0, ...scores);
}

const WEAK = 0.5;

/** All words of the synonyms of a key, to recognize its argument in a description. */
export function wordsFor(key: string): ReadonlySet<string> {
  const own = groups.filter(({ strong }) => strong.has(key));
  return new Set(own.flatMap(({ strong }) => [...strong].flatMap((each) => each.split(' '))));
}

/**
 * Tells, from 0 to 1, whether a name limits the number of results: `max_messages`, `number of rows` and `recordLimit` do,
 * and `max tokens` does not.
 */
export function saysHowMany(name: string): number {
  const words = wordsOfName(name).join(' ');
  const [, thing = ''] = HOW_MANY.map((pattern) => pattern.exec(words)).find((match) => match !== null) ?? [];
  return thing !== '' && !NOT_LISTED.test(thing) ? 1 : equivalence(LIMIT, keyOf(name));
}

const LIMIT = keyOf('limit');
const HOW_MANY: readonly RegExp[] = [
  /^(?:max|maximum|num|top|limit)(?: num| number)?(?: of)? (?:\p{L}+ )?(\p{L}+s|entries|rows)$/u,
  /^(?:number|count|no) of (\p{L}+s)$/u,
  /^(?:max |maximum )?(\p{L}+) (?:limit|count)$/u,
];
const NOT_LISTED =
  /^(?:tokens?|retr(?:y|ies)|attempts?|tr(?:y|ies)|characters?|chars?|words?|letters?|bytes?|pixels?|(?:milli)?seconds?|ms|minutes?|hours?|days?|weeks?|months?|years?|levels?|hops?|steps?|pages?|threads?|workers?|rate|time|size|word|char|depth|width|height|usages?|uses|redirects?|connections?|redemptions?|bytes|rooms?|guests?|nights?|adults?|children|access|price|address)$/;

const LONGEST = 3;

/** Joins stems that form one name of the table, so that `items per page` is one phrase and does not match `page`. */
export function phrasesOf(stems: readonly string[]): readonly string[] {
  for (let length = Math.min(LONGEST, stems.length); length > 1; length--) {
    for (let at = 0; at + length <= stems.length; at++) {
      const phrase = stems.slice(at, at + length).join(' ');
      if (groups.some(({ strong }) => strong.has(phrase))) {
        return [...phrasesOf(stems.slice(0, at)), phrase, ...phrasesOf(stems.slice(at + length))];
      }
    }
  }
  return stems;
}
