// Signatures, a short notation for contracts: `(symbol :string, limit :int?) -> {price :float, tags [:string]}`.
import { issue, type PathPart } from '../base/issue.ts';
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
  [':datetime', { type: 'string', format: 'date-time' }],
  [':map', { type: 'object' }],
  [':list', { type: 'array' }],
  [':any', {}],
]);

const TOKEN = /->|[()[\]{},|?]|:"(?:[^"\\]|\\.)*"|:?[A-Za-z_][\w-]*|\S/g;
const MAX_DEPTH = 32;

/** Reads both sides of `(…) -> …`. The input allows only the named arguments; the output may have more properties. */
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
function read(text: string, origin: ContractPlace): Result<Sides> {
  const tokens: readonly Token[] = [...text.matchAll(TOKEN)].map((match) => ({ text: match[0], at: match.index }));
  let next = 0;
  let slip: SignatureError | undefined;

  const peek = (): string | undefined => tokens[next]?.text;

  const take = (wanted: string): boolean => {
    if (peek() !== wanted) return false;
    next += 1;
    return true;
  };

  const fail = (expected: string, hint?: string): void => {
    const token = tokens[next];
    const met = token === undefined ? 'the text ends' : `${token.text} stands`;
    slip ??= { message: `${met} where ${expected}`, at: token?.at ?? text.length, hint };
    next = tokens.length;
  };

  const type = (depth: number): Schema => {
    const base = required(depth);
    return take('?') ? { anyOf: [base, { type: 'null' }] } : base;
  };

  const required = (depth: number): Schema => {
    const token = peek();
    if (depth > MAX_DEPTH) fail(`types nest deeper than ${MAX_DEPTH} levels`);
    else if (take('{')) return fields('}', depth + 1);
    else if (take('[')) return list(depth + 1);
    else if (token?.startsWith(':"')) return choices();
    else if (token?.startsWith(':')) return primitive(token);
    else fail('a type should be', 'types are :string, [:string], {name :string} or :"a"|:"b"');
    return {};
  };

  const list = (depth: number): Schema => {
    const items = type(depth);
    if (!take(']')) fail('"]" should close the list', 'a list has one type, as in [:string]');
    return { type: 'array', items };
  };

  const primitive = (name: string): Schema => {
    const found = primitives.get(name);
    if (found === undefined) {
      const known = [...primitives.keys()];
      fail('a known type should be', didYouMean(name, known) ?? `types are ${known.join(' ')}`);
    }
    next += 1;
    return found ?? {};
  };

  const choices = (): Schema => {
    const found = new Set<string>();
    do {
      const token = peek();
      if (token?.startsWith(':"')) found.add(token.slice(2, -1).replaceAll(/\\(.)/g, '$1'));
      else fail('a choice such as :"b" should be');
      next += 1;
    } while (take('|'));
    return { type: 'string', enum: [...found] };
  };

  const fields = (close: string, depth: number): Schema => {
    const properties = new Map<string, Schema>();
    const names: string[] = [];
    while (!take(close) && slip === undefined) {
      const name = peek() ?? '';
      if (!/^[A-Za-z_]/.test(name)) fail(`a field name or "${close}" should be`);
      else if (properties.has(name)) fail('a new field should be', `"${name}" is already declared`);
      next += 1;
      properties.set(name, required(depth));
      if (!take('?')) names.push(name);
      if (!take(',') && peek() !== close) fail(`"," or "${close}" should be`);
    }
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(names.length === 0 ? {} : { required: names }),
    };
  };

  const first = take('(') ? fields(')', 0) : type(0);
  const second = take('->') ? type(0) : undefined;
  if (next < tokens.length) fail('the signature should end');
  if (slip !== undefined) return refused(slip, origin);
  return good(
    second === undefined ? { output: first } : { input: { ...first, additionalProperties: false }, output: second },
  );
}
