// Compiles functions. Each call gets a new frame with the arguments and the captured values.
import type { ArityNode, FnNode, Node } from '../analyze/node.ts';
import { arityText } from '../builtin.ts';
import { arityError } from '../exception.ts';
import { enter, pause } from '../machine.ts';
import { type Fn, type FnCode, type Machine, type Value, vector } from '../value.ts';
import { AGAIN, type Code, type Compile } from './code.ts';
import { withSurcharge } from './surcharge.ts';
import { CALL_WEIGHT, weightOf } from './weight.ts';

interface Arity {
  readonly node: ArityNode;
  readonly body: Code;
  readonly weight: number;
}

export function compileFn(node: FnNode, compile: Compile): Code {
  const code = functionCode(node, compile);
  const { captures } = node;
  if (captures.length === 0) return () => ({ kind: 'fn', code, captured: [] });
  return (frame) => ({ kind: 'fn', code, captured: captures.map((slot) => frame[slot] ?? null) });
}

/** Creates all functions before it captures values, because they may capture each other. */
export function compileLetfn(node: Node & { kind: 'letfn' }, compile: Compile): Code {
  const parts = node.fns.map(({ slot, fn }) => ({ slot, captures: fn.captures, code: functionCode(fn, compile) }));
  const body = compile(node.body);
  return (frame, m) => {
    const made = parts.map(({ slot, code }) => {
      const fn: Fn = { kind: 'fn', code, captured: [] };
      frame[slot] = fn;
      return fn;
    });
    made.forEach((fn, i) => {
      fn.captured.push(...(parts[i]?.captures ?? []).map((slot) => frame[slot] ?? null));
    });
    return body(frame, m);
  };
}

function functionCode(node: FnNode, compile: Compile): FnCode {
  const arities: Arity[] = node.arities.map((each) => ({
    node: each,
    // Pays for the new frame of each call.
    body: withSurcharge((each.size + each.loads.length) >> 4, compile(each.body)),
    weight: CALL_WEIGHT + weightOf(each.body),
  }));
  const fixed: (Arity | undefined)[] = [];
  for (const arity of arities) if (!arity.node.variadic) fixed[arity.node.params] = arity;
  const variadic = arities.find((arity) => arity.node.variadic);
  const min = Math.min(...arities.map((arity) => arity.node.params));
  const max =
    variadic === undefined ? Math.max(...arities.map((arity) => arity.node.params)) : Number.POSITIVE_INFINITY;
  const { name } = node;

  const choose = (count: number): Arity => {
    const arity = fixed[count] ?? (variadic !== undefined && count >= variadic.node.params ? variadic : undefined);
    if (arity === undefined) throw arityError(`${name} takes ${arityText(min, max)}, not ${count}`);
    return arity;
  };
  const [, one, two] = fixed;
  return {
    name,
    min,
    max,
    call1: (m, self, a) => {
      if (one !== undefined) return run(m, self, one, one.node.size <= 2 ? [a, null] : frameOf(one, [a]));
      const arity = choose(1);
      return run(m, self, arity, frameOf(arity, [a]));
    },
    call2: (m, self, a, b) => {
      if (two !== undefined) return run(m, self, two, two.node.size <= 4 ? [a, b, null, null] : frameOf(two, [a, b]));
      const arity = choose(2);
      return run(m, self, arity, frameOf(arity, [a, b]));
    },
    apply: (m, self, args) => {
      const arity = choose(args.length);
      return run(m, self, arity, frameOf(arity, args));
    },
  };
}

function frameOf({ node }: Arity, args: readonly Value[]): Value[] {
  const { params, size, variadic } = node;
  const frame = new Array<Value>(size);
  for (let i = 0; i < params; i++) frame[i] = args[i] ?? null;
  if (variadic) frame[params] = args.length > params ? vector(args.slice(params)) : null;
  return frame;
}

function run(m: Machine, self: Fn, arity: Arity, frame: Value[]): Value {
  const { node, body, weight } = arity;
  const { loads } = node;
  for (let i = 0; i < loads.length; i++) {
    const load = loads[i];
    if (load !== undefined) frame[load.slot] = self.captured[load.capture] ?? null;
  }
  if (node.self !== undefined) frame[node.self] = self;
  enter(m, weight);
  for (;;) {
    const value = body(frame, m);
    if (value !== AGAIN) {
      m.depth -= weight;
      return value;
    }
    m.fuel -= 1;
    if (m.fuel < m.pauseAt) pause(m);
  }
}
