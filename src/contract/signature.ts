// Signatures, a short notation for contracts: `(symbol, limit :int?) -> {price :float, tags [:string]}`.
import { issue, type PathPart } from '../base/issue.ts';
import { defined } from '../base/json.ts';
import { didYouMean } from '../base/nearest.ts';
import type { Place } from '../base/place.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { Schema } from './schema.ts';

export interface Signature {
  readonly input: Schema;
  readonly output: Schema;
}

/** The contract's place in a document. */
export interface ContractPlace {
  readonly path?: readonly PathPart[];
  readonly place?: Place | undefined;
}

interface Token {
  readonly text: string;
  /** Characters from the start. */
  readonly at: number;
}

interface Sides {
  readonly input?: Schema;
  readonly output: Schema;
}

/** The first syntax error. */
interface SignatureError {
  readonly message: string;
  readonly at: number;
  readonly hint?: string | undefined;
}

const primitives: ReadonlyMap<string, Schema> = new Map([
  [':string', { type: 'string' }],
  [':int', { type: 'integer' }],
  [':float', { type: 'number' }],
  [':number', { type: 'number' }],
  [':bool', { type: 'boolean' }],
  [':null', { type: 'null' }],
  [':datetime', { type: 'string', format: 'date-time' }],
  [':map', { type: 'object' }],
  [':list', { type: 'array' }],
  [':any', {}],
]);

const TOKEN = /->|\.\.\.|[()[\]{},|?]|:?"(?:[^"\\]|\\.)*"|:?[A-Za-z_][\w-]*|\S/g;
const MAX_DEPTH = 32;

/**
 * Reads both sides of `(…) -> …`. The input allows only the named arguments, unless it ends in `...`; the output may have more
 * properties. A field without a type is a string, `{* :int}` is a map of numbers by any names, and `|` separates alternatives.
 */
export function readSignature(text: string, origin: ContractPlace = {}): Result<Signature> {
  const sides = read(text, origin);
  if (!sides.ok) return sides;
  const { input, output } = sides.value;
  if (input !== undefined) return good({ input, output });
  return refused({ message: 'there is no "->"', at: text.length, hint: 'write (name :type) -> {name :type}' }, origin);
}

/** Reads one type, such as `{rows :int}`; for a full signature, its output. */
export function readTypeSignature(text: string, origin: ContractPlace = {}): Result<Schema> {
  const sides = read(text, origin);
  return sides.ok ? good(sides.value.output) : sides;
}

function refused(slip: SignatureError, origin: ContractPlace): Result<never> {
  const message = `the signature cannot be read at character ${slip.at + 1}: ${slip.message}`;
  return bad([issue('SIGNATURE_SYNTAX', message, { ...origin, hint: slip.hint })]);
}

/** Recursive descent. After an error the cursor jumps to the end, so that all rules stop. */
function read(signature: string, origin: ContractPlace): Result<Sides> {
  const cursor = new Cursor(signature);
  const named = cursor.take('(') ? readFields(cursor, ')', 0) : undefined;
  const first = named?.schema ?? readType(cursor, 0);
  const second = cursor.take('->') ? readType(cursor, 0) : undefined;
  if (cursor.peek() !== undefined) cursor.fail('the signature should end');
  if (cursor.slip !== undefined) return refused(cursor.slip, origin);
  if (second === undefined) return good({ output: first });
  const isClosed = named?.isOpen !== true && first.additionalProperties === undefined;
  return good({ input: isClosed ? { ...first, additionalProperties: false } : first, output: second });
}

class Cursor {
  /** The first error. */
  slip: SignatureError | undefined;
  private readonly tokens: readonly Token[];
  private readonly length: number;
  private next = 0;

  constructor(signature: string) {
    this.length = signature.length;
    this.tokens = [...signature.matchAll(TOKEN)].map((match) => ({ text: match[0], at: match.index }));
  }

  /** The next token, or one further on. */
  peek(further = 0): string | undefined {
    return this.tokens[this.next + further]?.text;
  }

  skip(): void {
    this.next += 1;
  }

  take(wanted: string): boolean {
    if (this.peek() !== wanted) return false;
    this.next += 1;
    return true;
  }

  fail(expected: string, hint?: string): void {
    const token = this.tokens[this.next];
    const met = token === undefined ? 'the text ends' : `${token.text} stands`;
    this.slip ??= { message: `${met} where ${expected}`, at: token?.at ?? this.length, hint };
    this.next = this.tokens.length;
  }
}

function readType(cursor: Cursor, depth: number): Schema {
  const base = readAlternatives(cursor, depth);
  return cursor.take('?') ? { anyOf: [base, { type: 'null' }] } : base;
}

function readAlternatives(cursor: Cursor, depth: number): Schema {
  const first = readSingle(cursor, depth);
  if (cursor.peek() !== '|') return first;
  const branches = [first];
  while (cursor.take('|')) branches.push(readSingle(cursor, depth));
  return { anyOf: branches };
}

function readSingle(cursor: Cursor, depth: number): Schema {
  const token = cursor.peek();
  if (depth > MAX_DEPTH) cursor.fail(`types nest deeper than ${MAX_DEPTH} levels`);
  else if (cursor.take('{')) return readFields(cursor, '}', depth + 1).schema;
  else if (cursor.take('[')) return readList(cursor, depth + 1);
  else if (token?.startsWith(':"')) return readChoices(cursor);
  else if (token?.startsWith(':')) return readPrimitive(cursor, token);
  else cursor.fail('a type should be', 'types are :string, [:string], {name :string} or :"a"|:"b"');
  return {};
}

function readList(cursor: Cursor, depth: number): Schema {
  const items = readType(cursor, depth);
  if (!cursor.take(']')) cursor.fail('"]" should close the list', 'a list has one type, as in [:string]');
  return { type: 'array', items };
}

function readPrimitive(cursor: Cursor, name: string): Schema {
  const found = primitives.get(name);
  if (found === undefined) {
    const known = [...primitives.keys()];
    cursor.fail('a known type should be', didYouMean(name, known) ?? `types are ${known.join(' ')}`);
  }
  cursor.skip();
  return found ?? {};
}

function readChoices(cursor: Cursor): Schema {
  const found = new Set<string>();
  do {
    found.add(unquoted((cursor.peek() ?? '').slice(1)));
    cursor.skip();
  } while (cursor.peek(1)?.startsWith(':"') && cursor.take('|'));
  return { type: 'string', enum: [...found] };
}

function readFields(cursor: Cursor, close: string, depth: number): Fields {
  const properties = new Map<string, Schema>();
  const names: string[] = [];
  let others: Schema | undefined;
  let isOpen = false;
  while (!cursor.take(close) && cursor.slip === undefined) {
    const token = cursor.peek() ?? '';
    const name = token.startsWith('"') ? unquoted(token) : token;
    if (cursor.take('...')) isOpen = true;
    else if (others === undefined && cursor.take('*')) others = readAlternatives(cursor, depth);
    else {
      if (!/^["A-Za-z_]/.test(token)) cursor.fail(`a field name or "${close}" should be`);
      else if (properties.has(name)) cursor.fail('a new field should be', `"${name}" is already declared`);
      cursor.skip();
      properties.set(name, isUntyped(cursor.peek(), close) ? text : readAlternatives(cursor, depth));
      if (!cursor.take('?')) names.push(name);
    }
    if (!cursor.take(',') && cursor.peek() !== close) cursor.fail(`"," or "${close}" should be`);
  }
  const schema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(names.length === 0 ? {} : { required: names }),
    ...defined({ additionalProperties: others }),
  };
  return { schema, isOpen };
}

interface Fields {
  readonly schema: Schema;
  /** The fields end in `...`. */
  readonly isOpen: boolean;
}

const text: Schema = { type: 'string' };

function isUntyped(next: string | undefined, close: string): boolean {
  return next === ',' || next === '?' || next === close;
}

/** Escapes are those of JSON; a backslash before any other character stands for that character. */
function unquoted(token: string): string {
  const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
  return token
    .slice(1, -1)
    .replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code: string | undefined, letter: string = '') =>
      code === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
    );
}
