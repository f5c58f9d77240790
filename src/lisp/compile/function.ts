// Functions: a fresh frame for each call, filled with the arguments and what the closure took from around it.
import type { ArityNode, FnNode, Node } from '../analyze/node.ts';
import { arityText } from '../builtin.ts';
import { enter, pause } from '../machine.ts';
import { arityTrouble } from '../trouble.ts';
import { type Fn, type FnCode, type Machine, type Value, vector } from '../value.ts';
import { AGAIN, type Code, type Compile } from './code.ts';

interface Arity {
  readonly node: ArityNode;
  readonly body: Code;
}

export function compileFn(node: FnNode, compile: Compile): Code {
  const code = functionCode(node, compile);
  const { captures } = node;
  if (captures.length === 0) return () => ({ kind: 'fn', code, captured: [] });
  return (frame) => ({ kind: 'fn', code, captured: captures.map((slot) => frame[slot] ?? null) });
}

/** All functions first, then what they take: each may take the others. */
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
  const arities: Arity[] = node.arities.map((each) => ({ node: each, body: compile(each.body) }));
  const fixed: (Arity | undefined)[] = [];
  for (const arity of arities) if (!arity.node.variadic) fixed[arity.node.params] = arity;
  const variadic = arities.find((arity) => arity.node.variadic);
  const min = Math.min(...arities.map((arity) => arity.node.params));
  const max =
    variadic === undefined ? Math.max(...arities.map((arity) => arity.node.params)) : Number.POSITIVE_INFINITY;
  const { name } = node;

  const choose = (count: number): Arity => {
    const arity = fixed[count] ?? (variadic !== undefined && count >= variadic.node.params ? variadic : undefined);
    if (arity === undefined) throw arityTrouble(`${name} takes ${arityText(min, max)}, not ${count}`);
    return arity;
  };
  const [, one, two] = fixed;
  return {
    name,
    min,
    max,
    call1: (m, self, a) => {
      const arity = one ?? choose(1);
      const frame = new Array<Value>(arity.node.size);
      if (arity.node.variadic) fillVariadic(frame, arity, [a]);
      else frame[0] = a;
      return run(m, self, arity, frame);
    },
    call2: (m, self, a, b) => {
      const arity = two ?? choose(2);
      const frame = new Array<Value>(arity.node.size);
      if (arity.node.variadic) fillVariadic(frame, arity, [a, b]);
      else {
        frame[0] = a;
        frame[1] = b;
      }
      return run(m, self, arity, frame);
    },
    apply: (m, self, args) => {
      const arity = choose(args.length);
      const frame = new Array<Value>(arity.node.size);
      if (arity.node.variadic) fillVariadic(frame, arity, args);
      else for (let i = 0; i < args.length; i++) frame[i] = args[i] ?? null;
      return run(m, self, arity, frame);
    },
  };
}

function fillVariadic(frame: Value[], arity: Arity, args: readonly Value[]): void {
  const { params } = arity.node;
  for (let i = 0; i < params; i++) frame[i] = args[i] ?? null;
  frame[params] = args.length > params ? vector(args.slice(params)) : null;
}

function run(m: Machine, self: Fn, arity: Arity, frame: Value[]): Value {
  const { node, body } = arity;
  for (const { capture, slot } of node.loads) frame[slot] = self.captured[capture] ?? null;
  if (node.self !== undefined) frame[node.self] = self;
  enter(m);
  for (;;) {
    const value = body(frame, m);
    if (value !== AGAIN) {
      m.depth -= 1;
      return value;
    }
    m.fuel -= 1;
    if (m.fuel < m.pauseAt) pause(m);
  }
}
