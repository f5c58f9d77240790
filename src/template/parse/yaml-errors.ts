// Reads YAML with the `yaml` package, and sorts its errors: those that leave the document readable, and those that do not.
import {
  type Document,
  type DocumentOptions,
  isMap,
  type ParseOptions,
  parseAllDocuments,
  type SchemaOptions,
  visit,
} from 'yaml';
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { slips } from '../../base/nearest.ts';
import type { Place } from '../../base/place.ts';
import type { FoundError } from './find-mistakes.ts';
import type { Locate } from './line-positions.ts';
import { MAX_NESTING } from './tree.ts';

const LISP = '!lisp';

const lispTag = { tag: LISP, resolve: (text: string) => text };

const OPTIONS: ParseOptions & DocumentOptions & SchemaOptions = {
  version: '1.2',
  strict: true,
  uniqueKeys: false,
  prettyErrors: false,
  customTags: [lispTag],
};

/** The documents of a text; none for an empty text. */
export function documentsIn(text: string): readonly Document.Parsed[] {
  const documents = parseAllDocuments(text, OPTIONS);
  return 'empty' in documents ? [] : documents;
}

/** Errors that leave the document readable. A warning about indentation is about a closing bracket only. */
const HARMLESS: ReadonlySet<string> = new Set(['TAG_RESOLVE_FAILED']);

/** The errors because of which a document cannot be read, in order. */
export function errorsOf(document: Document.Parsed): readonly FoundError[] {
  const errors = [...document.errors, ...document.warnings.filter(({ code }) => code !== 'BAD_INDENT')]
    .filter(({ code }) => !HARMLESS.has(code))
    .map(({ code, pos }) => ({ code, from: pos[0] }));
  return [...errors, ...mapsAsKeys(document)].toSorted((left, right) => left.from - right.from);
}

/** An expression without quotes is a map with a map as its key. */
function mapsAsKeys(document: Document.Parsed): readonly FoundError[] {
  const found: FoundError[] = [];
  visit(document, {
    Pair: (_, { key }) => {
      if (isMap(key) && key.flow === true) found.push({ code: 'BLOCK_AS_IMPLICIT_KEY', from: key.range?.[0] ?? 0 });
    },
  });
  return found;
}

export function errorsIn(text: string): readonly FoundError[] {
  const [document] = documentsIn(text);
  return document === undefined ? [] : errorsOf(document);
}

/** The tags that nobody has declared; without them the document is readable. */
export function unknownTags(document: Document.Parsed, text: string, locate: Locate): readonly Issue[] {
  return [...document.errors, ...document.warnings]
    .filter(({ code }) => HARMLESS.has(code))
    .map(({ pos: [from, to] }) => {
      const tag = /^!\S*/.exec(text.slice(from))?.[0] ?? '';
      const place = locate(from, Math.max(to, from + tag.length));
      const mend = slips(tag, LISP) <= 2 ? { title: `Write ${LISP}`, edits: [{ place, text: LISP }] } : undefined;
      const hint = 'write !lisp for an expression, or put a text that begins with "!" in quotes';
      return issue('YAML_UNKNOWN_TAG', `"${tag}" is no known tag`, {
        place,
        hint: mend === undefined ? hint : `did you mean "${LISP}"?`,
        mend,
      });
    });
}

/** The parser gives up at its own depth; the author sees the bracket that is one too many. */
export function tooDeep(text: string, from: number, locate: Locate): Issue {
  let depth = 0;
  let at = from;
  for (const { index, 0: sign } of text.matchAll(/[[{}\]]/g)) {
    depth += sign === '[' || sign === '{' ? 1 : -1;
    if (depth > MAX_NESTING) {
      at = index;
      break;
    }
  }
  return deepAt(locate(at, at + 1));
}

export function deepAt(place: Place, path: readonly PathPart[] = []): Issue {
  return issue('SOURCE_TOO_DEEP', `lists and maps nest more than ${MAX_NESTING} levels deep`, {
    path,
    place,
    hint: 'close the brackets before, or move the data to a file',
  });
}
