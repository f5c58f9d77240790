// Finds the names that a Lisp text looks up directly in its data, such as `ingest` in `(:ingest data/results)`, also in half-written texts.
import { type LispToken, lispTokens } from './tokens.ts';

/** A name with the place of its letters in the text, without a colon or quotes. */
export interface DataName {
  /** `results` for `data/results`. */
  readonly binding: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Functions whose first argument is the data, and whose second names a part of it. */
const LOOKUPS = ['get', 'get-in', 'contains?', 'dissoc', 'select-keys', '->', 'some->'];

/** @param bare bindings that need no `data/`, as in predicates */
export function dataNames(text: string, bare: readonly string[] = []): readonly DataName[] {
  const tokens = lispTokens(text).filter(({ kind }) => kind !== 'comment');
  const bindings = bindingsIn(tokens, bare);
  const found = tokens.flatMap((token, nth) => {
    const binding = bindings(token);
    return binding === undefined ? [] : namesAround(tokens, nth).map((each) => ({ binding, ...each }));
  });
  // A name of `:keys` is also a local name, which the rest of the text uses.
  const local = new Map(found.filter(({ isLocal }) => isLocal === true).map((each) => [each.name, each.binding]));
  const known = new Set(found.map(({ from }) => from));
  const uses = tokens.flatMap(({ kind, text: name, from, to }) => {
    const binding = kind === 'symbol' && !known.has(from) ? local.get(name) : undefined;
    return binding === undefined ? [] : [{ binding, name, from, to }];
  });
  return [...found.map(({ binding, name, from, to }) => ({ binding, name, from, to })), ...uses];
}

/** The binding that a symbol stands for: by its own name, or as a local name of `let`. */
function bindingsIn(tokens: readonly LispToken[], bare: readonly string[]) {
  const direct = ({ kind, text }: LispToken): string | undefined => {
    if (kind !== 'symbol') return undefined;
    return text.startsWith('data/') ? text.slice('data/'.length) : bare.find((each) => each === text);
  };
  const locals = new Map<string, string>();
  for (const [nth, token] of tokens.entries()) {
    const before = tokens[nth - 1];
    const binding = direct(token);
    const opens = tokens[nth - 2];
    const isBound = opens?.text === '[' || opens?.kind === 'symbol' || opens?.kind === 'close';
    if (binding !== undefined && before?.kind === 'symbol' && isBound && isInBindings(tokens, nth))
      locals.set(before.text, binding);
  }
  return (token: LispToken): string | undefined =>
    direct(token) ?? (token.kind === 'symbol' ? locals.get(token.text) : undefined);
}

/** True inside the brackets of `(let [name value …]`. */
function isInBindings(tokens: readonly LispToken[], nth: number): boolean {
  let depth = 0;
  for (let at = nth - 1; at >= 0; at--) {
    const token = tokens[at];
    if (token?.kind === 'close') depth += 1;
    if (token?.kind !== 'open') continue;
    if (depth > 0) depth -= 1;
    else
      return token.text === '[' && /^(?:let|loop|if-let|when-let|if-some|when-some)$/.test(tokens[at - 1]?.text ?? '');
  }
  return false;
}

interface PlacedName extends Omit<DataName, 'binding'> {
  /** The name is bound as a local name too. */
  readonly isLocal?: boolean;
}

function namesAround(tokens: readonly LispToken[], nth: number): readonly PlacedName[] {
  const [opens, head] = [tokens[nth - 2], tokens[nth - 1]];
  const next = tokens[nth + 1];
  // (:name data/results)
  if (head?.kind === 'keyword' && opens?.kind === 'open' && opens.text.endsWith('(')) return named(head);
  // (data/results :name)
  if (head?.kind === 'open' && head.text === '(') return named(next);
  // (get data/results "name"), (-> data/results :name), (-> data/results (:name))
  if (head?.kind === 'symbol' && LOOKUPS.includes(head.text)) {
    if (head.text === 'select-keys' && next?.kind === 'open') return namesInside(tokens, nth + 2);
    if (next?.kind !== 'open') return named(next);
    const inner = tokens[nth + 2];
    return named(inner?.text === 'get' ? tokens[nth + 3] : inner);
  }
  // {:keys [name other]} data/results
  if (head?.text === '}') return destructured(tokens, nth - 1);
  return [];
}

function named(token: LispToken | undefined): readonly PlacedName[] {
  if (token?.kind === 'keyword') return [{ name: token.text.slice(1), from: token.from + 1, to: token.to }];
  if (token?.kind !== 'string' || !token.text.startsWith('"')) return [];
  const isClosed = token.text.length > 1 && token.text.endsWith('"');
  const to = token.to - (isClosed ? 1 : 0);
  return [{ name: token.text.slice(1, isClosed ? -1 : undefined), from: token.from + 1, to }];
}

/** The keywords and texts of a vector that is already open. */
function namesInside(tokens: readonly LispToken[], from: number): readonly PlacedName[] {
  const close = tokens.findIndex(({ kind }, nth) => nth >= from && kind === 'close');
  return tokens.slice(from, close < 0 ? undefined : close).flatMap((each) => named(each));
}

/** The names that a pattern such as `{:keys [a b] c :d}` takes from a map. */
function destructured(tokens: readonly LispToken[], close: number): readonly PlacedName[] {
  let depth = 0;
  let open = close;
  for (; open >= 0; open--) {
    if (tokens[open]?.kind === 'close') depth += 1;
    if (tokens[open]?.kind === 'open') depth -= 1;
    if (depth === 0) break;
  }
  const found: PlacedName[] = [];
  for (let at = open + 1; at < close; at++) {
    const token = tokens[at];
    if (token?.kind === 'keyword' && /^:(?:keys|strs)$/.test(token.text) && tokens[at + 1]?.text === '[') {
      for (at += 2; at < close && tokens[at]?.kind !== 'close'; at++) {
        const name = tokens[at];
        if (name?.kind === 'symbol') found.push({ name: name.text, from: name.from, to: name.to, isLocal: true });
      }
    } else if (token?.kind === 'symbol') found.push(...named(tokens[at + 1]));
  }
  return found;
}
