// Parses calls, assignments and literals of Python; every other part of Python is refused with advice.
import { type Cursor, closes, isNumberAhead, nameAhead, next, open, readNumber, take, toolAhead } from './cursor.ts';
import { blockWords, isReserved, PythonFault, refusedComputation, refusedWord } from './fault.ts';
import { isTextAhead, readTextParts, type TextParts } from './string.ts';
import type { Argument, Expression, MapEntry, NamedValue, PathStep, PythonCall, Span, Statement } from './syntax.ts';

export interface ParsedPython {
  readonly statements: readonly Statement[];
  readonly faults: readonly PythonFault[];
}

/** The most faults that are reported, because one slip causes many. */
const MOST_FAULTS = 20;
const MOST_INDENT = 200;

/** Parses the text between two offsets. Never throws. Takes time in proportion to the text. */
export function parsePython(text: string, from = 0, end = text.length): ParsedPython {
  const c: Cursor = { text, end, at: from, opened: [] };
  const statements: Statement[] = [];
  const faults: PythonFault[] = [];
  while (faults.length < MOST_FAULTS) {
    while (take(c, '\n') || take(c, ';'));
    const start = c.at;
    if (start >= end) break;
    try {
      statements.push(statement(c));
    } catch (thrown) {
      if (!(thrown instanceof PythonFault)) throw thrown;
      faults.push(thrown);
      skipStatement(c, start, thrown.resume);
    }
  }
  return { statements, faults };
}

const OPENS_OR_CLOSES = /[()[\]{}\n]/g;

/** Goes on after the line of a fault, its open brackets, and the lines of its block. */
function skipStatement(c: Cursor, start: number, resume?: number): void {
  OPENS_OR_CLOSES.lastIndex = resume ?? c.at;
  for (let depth = resume === undefined ? c.opened.length : 0; ; ) {
    const found = OPENS_OR_CLOSES.exec(c.text);
    c.at = found === null ? c.end : Math.min(c.end, OPENS_OR_CLOSES.lastIndex);
    if (found === null || c.at >= c.end || (found[0] === '\n' && depth <= 0)) break;
    if (found[0] !== '\n') depth += '([{'.includes(found[0]) ? 1 : -1;
  }
  c.opened.length = 0;
  const word = /[a-z]+/y;
  word.lastIndex = start;
  if (!blockWords.has(word.exec(c.text)?.[0] ?? '')) return;
  const indent = start - (c.text.lastIndexOf('\n', start - 1) + 1);
  const line = /([ \t]*)([^\n]*)(?:\n|$)/y;
  while (c.at < c.end) {
    line.lastIndex = c.at;
    const [whole = '', blank = '', rest = ''] = line.exec(c.text) ?? [];
    const isInBlock = blank.length > indent || rest.trim() === '' || /^(?:elif|else|except|finally)\b/.test(rest);
    if (whole === '' || !isInBlock) break;
    c.at = Math.min(c.end, c.at + whole.length);
  }
}

function statement(c: Cursor): Statement {
  const from = c.at;
  const word = nameAhead(c);
  if (word !== undefined && isReserved(word)) throw refusedWord(word, { from, to: from + word.length });
  if (word === 'match' && /^match[ \t]+[\w("']/.test(c.text.slice(from, from + 20))) {
    throw refusedWord(word, { from, to: from + word.length });
  }
  const target = word === undefined ? undefined : targetAhead(c, word);
  const value = tuple(c);
  const after = next(c);
  if (after !== '' && after !== '\n' && after !== ';') throw unexpected(c, { before: value });
  return { from, to: value.to, value, ...(target === undefined ? {} : { target: word ?? '', targetAt: target }) };
}

/** Takes `name =`, of a variable or of an argument. */
function targetAhead(c: Cursor, name: string, isArgument = false): Span | undefined {
  const at = { from: c.at, to: c.at + name.length };
  c.at = at.to;
  if (next(c) === '=' && c.text[c.at + 1] !== '=') {
    c.at += 1;
    return at;
  }
  if (next(c) === ':' && c.text[c.at + 1] !== '=') {
    const colon = { from: c.at, to: c.at + 1 };
    if (isArgument) throw new PythonFault('an argument has "=" after its name', colon, `write ${name}=…`);
    throw new PythonFault('a variable has no type here', colon, `write ${name} = …`);
  }
  c.at = at.from;
  return undefined;
}

/** One expression, or several with commas between them, which are a list. */
function tuple(c: Cursor): Expression {
  const first = expression(c);
  if (next(c) !== ',') return first;
  const items = [first];
  while (take(c, ',')) {
    if (['', '\n', ';', '='].includes(next(c))) break;
    items.push(expression(c));
  }
  return { kind: 'list', items, from: first.from, to: c.at };
}

function expression(c: Cursor): Expression {
  const each = next(c);
  const from = c.at;
  if (each === '[') return list(c, ']');
  if (each === '(') return inBrackets(c);
  if (each === '{') return map(c);
  if (isTextAhead(c)) return text(c);
  if (isNumberAhead(c)) return { kind: 'value', value: readNumber(c, 1, from), from, to: c.at };
  if (each === '-' || each === '+') return signed(c, each === '-' ? -1 : 1);
  const name = nameAhead(c);
  if (name === undefined) throw unexpected(c);
  return named(c, name);
}

function signed(c: Cursor, sign: number): Expression {
  const from = c.at;
  c.at += 1;
  next(c);
  if (!isNumberAhead(c)) throw refusedComputation({ from, to: from + 1 });
  return { kind: 'value', value: readNumber(c, sign, from), from, to: c.at };
}

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ['True', true],
  ['False', false],
  ['None', null],
  ['true', true],
  ['false', false],
  ['null', null],
]);

function named(c: Cursor, name: string): Expression {
  const from = c.at;
  const hyphened = toolAhead(c);
  const constant = CONSTANTS.get(name);
  if (constant !== undefined && hyphened === undefined) {
    c.at += name.length;
    return { kind: 'value', value: constant, from, to: c.at };
  }
  if (isReserved(name) && hyphened === undefined) throw refusedWord(name, { from, to: from + name.length });
  c.at += hyphened?.length ?? name.length;
  const path = pathAhead(c);
  if (next(c) !== '(') return { kind: 'name', name, path, from, to: path.at(-1)?.to ?? from + name.length };
  const fields = path.map(({ key, ...at }) => {
    if (typeof key === 'string' && c.text[at.from] === '.') return key;
    throw new PythonFault('only a capability can be called', at, 'write the name of a capability before "("');
  });
  return call(c, [hyphened ?? name, ...fields].join('.'), { from, to: c.at });
}

function call(c: Cursor, tool: string, toolAt: Span): PythonCall {
  const open = c.at;
  const given = argumentsOf(c);
  const givenAt = { from: open, to: c.at };
  const path = pathAhead(c);
  const end = path.at(-1)?.to ?? givenAt.to;
  if (next(c) === '(') {
    const hint = 'give the result a name, and pass the name: r = first(…), then second(r)';
    throw new PythonFault('a result cannot be called', { from: c.at, to: c.at + 1 }, hint);
  }
  return { kind: 'call', tool, toolAt, given, givenAt, path, from: toolAt.from, to: end };
}

function argumentsOf(c: Cursor): readonly Argument[] {
  const given: Argument[] = [];
  const names = new Set<string>();
  open(c);
  while (!closes(c, ')')) {
    const from = c.at;
    if (next(c) === '*') throw unpacked({ from, to: from + 1 });
    const name = nameAhead(c);
    const at = name === undefined ? undefined : targetAhead(c, name, true);
    if (name === undefined || at === undefined) {
      const value = expression(c);
      if (names.size > 0) {
        const hint = 'put arguments without a name first, or give this one its name';
        throw new PythonFault('an argument without a name stands after one with a name', value, hint);
      }
      given.push({ value });
    } else {
      if (names.has(name)) throw new PythonFault(`"${name}" is given twice`, at, 'keep one of them');
      names.add(name);
      given.push({ name, value: expression(c) });
    }
    separator(c, ')');
  }
  return given;
}

function list(c: Cursor, closing: string): Expression {
  const from = c.at;
  const items: Expression[] = [];
  open(c);
  while (!closes(c, closing)) {
    if (next(c) === '*') throw unpacked({ from: c.at, to: c.at + 1 });
    items.push(expression(c));
    separator(c, closing);
  }
  refuseParts(c);
  return { kind: 'list', items, from, to: c.at };
}

/** A tuple is a list; brackets around one expression mean nothing. */
function inBrackets(c: Cursor): Expression {
  const from = c.at;
  const tuple = list(c, ')');
  if (tuple.kind !== 'list' || tuple.items.length !== 1) return tuple;
  const [only] = tuple.items;
  const isTuple = /,\s*\)$/.test(c.text.slice(Math.max(only?.to ?? from, c.at - 50), c.at));
  return isTuple || only === undefined ? tuple : only;
}

function map(c: Cursor): Expression {
  const from = c.at;
  const entries: MapEntry[] = [];
  const keys = new Set<string>();
  open(c);
  while (!closes(c, '}')) {
    if (next(c) === '*') throw unpacked({ from: c.at, to: c.at + 1 });
    const keyAt = c.at;
    const written = expression(c);
    if (next(c) !== ':') {
      if (next(c) !== ',' && next(c) !== '}') throw unexpectedIn(c, '}');
      throw new PythonFault('a set is not part of a plan', { from, to: from + 1 }, 'write a list: […]');
    }
    if (written.kind !== 'value' || typeof written.value !== 'string') {
      throw new PythonFault('the key of a map must be a text', { from: keyAt, to: written.to }, 'quote the key');
    }
    if (keys.has(written.value)) throw new PythonFault('the key occurs twice in this map', written, 'keep one of them');
    keys.add(written.value);
    c.at += 1;
    entries.push({ key: written.value, keyAt: written, value: expression(c) });
    separator(c, '}');
  }
  refuseParts(c);
  return { kind: 'map', entries, from, to: c.at };
}

/** Adjacent texts are one text. */
function text(c: Cursor): Expression {
  const from = c.at;
  const parts: TextParts[] = [];
  let to = from;
  do {
    parts.push(readTextParts(c));
    to = c.at;
    next(c);
  } while (isTextAhead(c));
  refuseParts(c);
  const all = parts.flat();
  if (all.every((part) => typeof part === 'string')) return { kind: 'value', value: all.join(''), from, to };
  return { kind: 'text', parts: all, from, to };
}

/** Refuses `"a".upper()` and `[1, 2][0]`. */
function refuseParts(c: Cursor): void {
  const each = next(c);
  if (each === '.' || each === '[' || each === '(') throw refusedComputation({ from: c.at, to: c.at + 1 });
}

/** `.price`, `["price"]` and `[0]` after a name. */
function pathAhead(c: Cursor): readonly PathStep[] {
  const path: PathStep[] = [];
  for (let each = next(c); each === '.' || each === '['; each = next(c)) {
    const from = c.at;
    if (each === '.') {
      c.at += 1;
      const field = nameAhead(c);
      if (field === undefined) throw unexpected(c);
      const hyphened = toolAhead(c) ?? field;
      c.at += hyphened.length;
      path.push({ key: hyphened, from, to: c.at });
    } else {
      open(c);
      const key = keyOf(expression(c));
      if (next(c) === ':') {
        const hint = 'use the whole result, or call a capability that takes the part';
        throw new PythonFault('a slice is not part of a plan of calls', { from: c.at, to: c.at + 1 }, hint);
      }
      if (!closes(c, ']')) throw unexpectedIn(c, ']');
      path.push({ key, from, to: c.at });
    }
  }
  return path;
}

function keyOf(written: Expression): string | number | NamedValue {
  if (written.kind === 'name') return written;
  if (written.kind === 'value' && typeof written.value === 'string') return written.value;
  if (written.kind === 'value' && Number.isInteger(written.value)) return Number(written.value);
  const hint = 'write a text or a whole number: result["price"], result[0]';
  throw new PythonFault('a part of a result is named by a text or a number', written, hint);
}

function unpacked(at: Span): PythonFault {
  return new PythonFault('a plan unpacks nothing', at, 'write the values one by one');
}

const OPERATOR = /[-+*/%@&|^<>=!~?]/;

/** Takes a comma, unless the closing bracket comes next. */
function separator(c: Cursor, closing: string): void {
  if (!take(c, ',') && next(c) !== closing) throw unexpectedIn(c, closing);
}

/** The fault of what comes next inside brackets; a new line there shows that a bracket was never closed. */
function unexpectedIn(c: Cursor, closing: string): PythonFault {
  const each = next(c);
  const lineBreak = c.text.lastIndexOf('\n', c.at - 1);
  const isNewLine = lineBreak >= 0 && c.text.slice(Math.max(lineBreak, c.at - MOST_INDENT), c.at).trim() === '';
  if (each !== '' && (!isNewLine || ')]}'.includes(each))) return unexpected(c, { closing });
  const opening = c.opened.at(-1) ?? c.at;
  const fault = new PythonFault('this bracket is not closed', { from: opening, to: opening + 1 }, `add "${closing}"`);
  if (each !== '') fault.resume = lineBreak;
  return fault;
}

interface Expectation {
  /** The expression before what comes next. */
  readonly before?: Expression | undefined;
  /** The bracket that may come next. */
  readonly closing?: string;
}

/** The fault of whatever comes next. */
function unexpected(c: Cursor, { before, closing }: Expectation = {}): PythonFault {
  const each = next(c);
  const at = { from: c.at, to: Math.min(c.end, c.at + 1) };
  const word = nameAhead(c);
  if (word !== undefined && isReserved(word)) return refusedWord(word, { from: c.at, to: c.at + word.length });
  if (c.text.startsWith('...', c.at) || each === '…') {
    const hint = 'write out all calls and values';
    return new PythonFault('three dots leave something out', { from: c.at, to: c.at + 3 }, hint);
  }
  if (each === '=' && c.text[c.at + 1] !== '=') return wrongTarget(at, before, closing);
  if (OPERATOR.test(each) || c.text.startsWith(':=', c.at)) return refusedComputation(at);
  if (before === undefined && closing === undefined && ['', '\n', ',', ')', ']', '}', ';'].includes(each)) {
    return new PythonFault('a value is missing here', at, 'write it out');
  }
  if (word !== undefined && /['"]/.test(c.text[c.at - 1] ?? '')) {
    const hint = 'write \\ before a quote in a text, or put the text in """';
    return new PythonFault('the text ends at this quote, and words follow', { from: c.at - 1, to: c.at }, hint);
  }
  const shown = word ?? String.fromCodePoint(c.text.codePointAt(c.at) ?? 0);
  const hint = closing === undefined ? 'write one call a line: name = tool(key="value")' : `add "," or "${closing}"`;
  return new PythonFault(`${JSON.stringify(shown)} cannot stand here`, { from: c.at, to: c.at + shown.length }, hint);
}

function wrongTarget(at: Span, before: Expression | undefined, closing: string | undefined): PythonFault {
  if (closing !== undefined) return new PythonFault('only a name can be assigned', at, 'write name=value');
  if (before?.kind === 'list') {
    const hint = 'give the result one name: r = …, then r[0]';
    return new PythonFault('several variables are assigned at once', before, hint);
  }
  return new PythonFault('only a name can be assigned', before ?? at, 'write name = tool(…)');
}
