// Sentences for syntax errors of YAML that no known mistake explains, by the codes of the `yaml` package.
import { type Issue, issue } from '../../base/issue.ts';
import type { Locate } from './line-positions.ts';
import type { BrokenText } from './mistakes/mistake.ts';

interface Sentence {
  readonly message: string;
  readonly hint?: string;
}

const QUOTE = 'put the text in quotes';

const sentences: Readonly<Record<string, Sentence>> = {
  ALIAS_PROPS: { message: 'an alias such as *name cannot have a tag or an anchor', hint: QUOTE },
  BAD_ALIAS: { message: 'a "*" or "&" without a name', hint: QUOTE },
  BAD_COLLECTION_TYPE: {
    message: 'the tag does not fit this list or map',
    hint: 'remove the tag; the only known tag is !lisp',
  },
  BAD_DIRECTIVE: { message: 'a line that begins with "%" is a directive of YAML', hint: 'remove the line' },
  BAD_INDENT: {
    message: 'the indentation of this line fits no line above',
    hint: 'indent it like the keys or list items beside it',
  },
  BAD_PROP_ORDER: { message: 'a tag or an anchor stands at the wrong place', hint: 'write it after "- " or "key: "' },
  BAD_SCALAR_START: { message: 'a text cannot begin with this sign', hint: QUOTE },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'a key stands where only a value may stand',
    hint: 'begin a new line, or put the text in quotes',
  },
  BLOCK_IN_FLOW: {
    message: 'lists with "- " and maps by lines cannot stand inside brackets',
    hint: 'close the bracket before, or write this part in brackets too',
  },
  KEY_OVER_1024_CHARS: {
    message: 'a key has more than 1,024 characters',
    hint: 'close the quotes or brackets before it',
  },
  MISSING_CHAR: {
    message: 'this part of the line is neither a key nor a value',
    hint: 'write key: value, or put the text in quotes',
  },
  MULTILINE_IMPLICIT_KEY: {
    message: 'a key stands where the text of the line above goes on',
    hint: 'indent it like the keys beside it, or put the text in quotes',
  },
  MULTIPLE_ANCHORS: { message: 'a value has two anchors', hint: 'keep one of them' },
  MULTIPLE_TAGS: { message: 'a value has two tags', hint: 'keep one of them' },
  UNEXPECTED_TOKEN: { message: 'this sign cannot stand here', hint: 'remove it, or put the text in quotes' },
};

const OTHER: Sentence = {
  message: 'the file cannot be read from here on',
  hint: 'look for a missing quote, bracket or colon',
};

/** The line of the error is read as far as it goes, so that the place is never an empty line. */
export function unexplained({ text, lines, row, error }: BrokenText, locate: Locate): Issue {
  const { message, hint } = sentences[error.code] ?? OTHER;
  const line = lines[row];
  const isInLine = line !== undefined && error.from >= line.from && error.from < line.from + line.text.length;
  const from = isInLine || line === undefined ? error.from : line.from + line.indent;
  const end = text.indexOf('\n', from);
  const rest = text.slice(from, end < 0 ? text.length : end);
  const width = /^\s*\S+/.exec(rest)?.[0].length ?? 1;
  return issue('YAML_SYNTAX', message, { place: locate(from, from + width), hint });
}
