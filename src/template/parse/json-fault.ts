// Explains why a text is no JSON: the first token that cannot stand where it stands, and the sign to write instead.
import { type Issue, issue, type MendEdit } from '../../base/issue.ts';
import { type Locate, locator } from './line-positions.ts';

type ExpectedToken = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

interface OpenBracket {
  readonly sign: '{' | '[';
  readonly from: number;
}

/** The first invalid token, which V8 reports for some errors only. */
interface JsonFault {
  /** Empty at the end of a text that ends too early. */
  readonly token: string;
  readonly from: number;
  readonly wanted: ExpectedToken;
  readonly open: readonly OpenBracket[];
  /** The token before, and its end. */
  readonly before: string;
  readonly end: number;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings
const STRICT_TOKEN = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|[[\]{}:,]|[^\s[\]{}:,"]+|\S/g;
const SCALAR = /^(?:"[\s\S]*"|true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** `text`: not valid JSON. */
export function jsonFault(text: string, locate: Locate): Issue {
  const fault = faultIn(text);
  const {
    message,
    hint,
    from = fault.from,
    to = fault.from + Math.max(1, fault.token.length),
    edit,
  } = told(fault, text);
  const title = hint.charAt(0).toUpperCase() + hint.slice(1);
  const edits: MendEdit[] = edit === undefined ? [] : [{ place: locate(edit.from, edit.to), text: edit.text }];
  return issue('JSON_SYNTAX', message, {
    place: locate(from, to),
    hint,
    mend: edits.length === 0 ? undefined : { title, edits },
  });
}

/** The fault in one clause, for messages without a place: `line 2, column 5: a comma is missing before this; …`. */
export function whyNoJson(text: string): string {
  const { message, hint = '', place } = jsonFault(text.replace(/^\uFEFF/, ''), locator(text, ''));
  return `line ${place?.line ?? 1}, column ${place?.column ?? 1}: ${message}; ${hint}`;
}

interface Explanation {
  readonly message: string;
  readonly hint: string;
  readonly from?: number;
  readonly to?: number;
  readonly edit?: { readonly from: number; readonly to: number; readonly text: string };
}

function told(fault: JsonFault, text: string): Explanation {
  const { token, from, wanted, open, before, end } = fault;
  const holder = open.at(-1);
  const closer = holder?.sign === '{' ? '}' : ']';
  if (token === '') {
    if (holder === undefined) return { message: 'the file is empty', hint: 'write a map in { and }', from: 0, to: 1 };
    const closers = open.map(({ sign }) => (sign === '{' ? '}' : ']')).reverse();
    return {
      message: `this "${holder.sign}" is never closed`,
      hint: `add ${closers.join('')} at the end of the file`,
      from: holder.from,
      to: holder.from + 1,
    };
  }
  if (token === '"') return badString(text, from);
  if (token.startsWith('//') || token.startsWith('/*') || token.startsWith('#')) {
    return { message: 'JSON has no comments', hint: 'remove the comment, or write the file in YAML' };
  }
  if ((token === '}' || token === ']') && before === ',' && (wanted === 'key' || wanted === 'value')) {
    return {
      message: `a comma stands before the closing "${token}"`,
      hint: 'remove the comma',
      from: end - 1,
      to: end,
      edit: { from: end - 1, to: end, text: '' },
    };
  }
  if (token === '}' || token === ']') {
    if (holder === undefined) return { message: `this "${token}" closes nothing`, hint: `remove the "${token}"` };
    if (token !== closer)
      return { message: `this "${token}" cannot close the "${holder.sign}"`, hint: `write ${closer}` };
  }
  switch (wanted) {
    case 'comma or end':
      return {
        message: 'a comma is missing before this',
        hint: `write a comma, or ${closer}`,
        ...(/^["[{\w-]/.test(token)
          ? { edit: { from: end, to: end, text: ',' }, hint: 'write a comma before it' }
          : {}),
      };
    case 'colon':
      return { message: `a colon is missing after ${before}`, hint: `write ${before}: before the value` };
    case 'key':
    case 'key or end': {
      const name = /^'?([\w.$-]+)'?$/.exec(token)?.[1];
      if (name === undefined)
        return { message: 'a key in double quotes is missing here', hint: 'write "name": before the value' };
      const quoted = `"${name}"`;
      const edit = { from, to: from + token.length, text: quoted };
      return { message: 'keys of JSON need double quotes', hint: `write ${quoted}`, edit };
    }
    case 'nothing':
      return { message: 'text stands behind the end of the document', hint: 'remove it, or put both into one list' };
    default:
      return badValue(token, from);
  }
}

const WORDS: Readonly<Record<string, string>> = {
  True: 'true',
  False: 'false',
  None: 'null',
  nil: 'null',
  undefined: 'null',
};

function badValue(token: string, from: number): Explanation {
  const word = WORDS[token];
  if (word !== undefined) {
    return {
      message: `JSON has no "${token}"`,
      hint: `write ${word}`,
      edit: { from, to: from + token.length, text: word },
    };
  }
  if (/^[,:]$/.test(token)) return { message: `a value is missing before this "${token}"`, hint: 'write the value' };
  if (token.startsWith("'")) return { message: 'texts of JSON need double quotes', hint: 'write " in place of \'' };
  if (/^[-+.\d]/.test(token)) {
    return { message: `"${token}" is no number of JSON`, hint: 'write digits, a point and digits, such as 0.5' };
  }
  return { message: `"${token}" is no value of JSON`, hint: `write it in double quotes: "${token}"` };
}

/** A quote that opens no valid text: it is never closed, goes over a line break, or has an unknown escape. */
function badString(text: string, from: number): Explanation {
  const end = text.indexOf('\n', from);
  const line = text.slice(from, end < 0 ? text.length : end);
  const escaped = /^"(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*(\\.?)/.exec(line);
  if (escaped?.[1] !== undefined) {
    const at = from + escaped[0].length - escaped[1].length;
    return {
      message: `"${escaped[1]}" is no escape of JSON`,
      hint: `write \\${escaped[1]}`,
      from: at,
      to: at + escaped[1].length,
      edit: { from: at, to: at, text: '\\' },
    };
  }
  if (/^"[^"]*"/.test(line))
    return { message: 'the text has a control character', hint: 'write it as an escape, such as \\t' };
  return {
    message: 'the quote that opens here is not closed on its line',
    hint: 'add " at the end of the text; write line breaks as \\n',
  };
}

function faultIn(text: string): JsonFault {
  const open: OpenBracket[] = [];
  let wanted: ExpectedToken = 'value';
  let before = '';
  let end = 0;
  const after = (): ExpectedToken => (open.length === 0 ? 'nothing' : 'comma or end');
  for (const { 0: token, index } of text.matchAll(STRICT_TOKEN)) {
    const holder = open.at(-1)?.sign;
    const opens: boolean = wanted === 'value' || wanted === 'value or end';
    if (opens && (token === '{' || token === '[')) {
      open.push({ sign: token, from: index });
      wanted = token === '{' ? 'key or end' : 'value or end';
    } else if (opens && SCALAR.test(token)) {
      wanted = after();
    } else if (token === (holder === '{' ? '}' : ']') && holder !== undefined && wanted.endsWith('or end')) {
      open.pop();
      wanted = after();
    } else if (token === ',' && wanted === 'comma or end') {
      wanted = holder === '{' ? 'key' : 'value';
    } else if (wanted.startsWith('key') && token.startsWith('"') && SCALAR.test(token)) {
      wanted = 'colon';
    } else if (token === ':' && wanted === 'colon') {
      wanted = 'value';
    } else {
      return { token, from: index, wanted, open, before, end };
    }
    before = token;
    end = index + token.length;
  }
  return { token: '', from: text.length, wanted, open, before, end };
}
