// Compiles let, loop, recur, and the nested loops of for.
import type { Binding, ForNode, ForStep, Node } from '../analyze/node.ts';
import { allocate, pause } from '../machine.ts';
import { seq } from '../seq.ts';
import { type Machine, type Value, vector } from '../value.ts';
import { AGAIN, type Code, type Compile } from './code.ts';

type Fill = (frame: Value[], m: Machine) => void;

function compileBindings(bindings: readonly Binding[], compile: Compile): Fill {
  const parts = bindings.map(({ slot, value }) => ({ slot, value: compile(value) }));
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) {
    const { slot, value } = only;
    return (frame, m) => {
      frame[slot] = value(frame, m);
    };
  }
  return (frame, m) => {
    for (const { slot, value } of parts) frame[slot] = value(frame, m);
  };
}

export function compileLet(node: Node & { kind: 'let' }, compile: Compile): Code {
  const fill = compileBindings(node.bindings, compile);
  const body = compile(node.body);
  return (frame, m) => {
    fill(frame, m);
    return body(frame, m);
  };
}

export function compileLoop(node: Node & { kind: 'loop' }, compile: Compile): Code {
  const fill = compileBindings(node.bindings, compile);
  const body = compile(node.body);
  const { at } = node;
  return (frame, m) => {
    fill(frame, m);
    m.at = at;
    for (;;) {
      m.fuel -= 1;
      if (m.fuel < m.pauseAt) pause(m);
      const value = body(frame, m);
      if (value !== AGAIN) return value;
    }
  };
}

/** Computes all values before it fills the slots, because each value reads the previous turn. */
export function compileRecur(node: Node & { kind: 'recur' }, compile: Compile): Code {
  const { slots } = node;
  const args = node.args.map(compile);
  const [a, b] = args;
  const [slotA = 0, slotB = 0] = slots;
  if (args.length === 1 && a !== undefined) {
    return (frame, m) => {
      frame[slotA] = a(frame, m);
      return AGAIN;
    };
  }
  if (args.length === 2 && a !== undefined && b !== undefined) {
    return (frame, m) => {
      const first = a(frame, m);
      frame[slotB] = b(frame, m);
      frame[slotA] = first;
      return AGAIN;
    };
  }
  return (frame, m) => {
    const values = args.map((arg) => arg(frame, m));
    for (let i = 0; i < values.length; i++) frame[slots[i] ?? 0] = values[i] ?? null;
    return AGAIN;
  };
}

/** Runs the inner part; false ends the nearest collection around it (`:while`). */
type Turn = (frame: Value[], m: Machine, out: Value[]) => boolean;

export function compileFor(node: ForNode, compile: Compile): Code {
  const body = compile(node.body);
  const innermost: Turn = node.collects
    ? (frame, m, out) => {
        allocate(m, 1);
        out.push(body(frame, m));
        return true;
      }
    : (frame, m) => {
        body(frame, m);
        return true;
      };
  const run = node.steps.reduceRight((inner, step) => compileStep(step, inner, node.at, compile), innermost);
  return (frame, m) => {
    const out: Value[] = [];
    run(frame, m, out);
    return node.collects ? vector(out) : null;
  };
}

function compileStep(step: ForStep, inner: Turn, at: number, compile: Compile): Turn {
  switch (step.kind) {
    case 'each': {
      const over = compile(step.over);
      const fill = compileBindings(step.bindings, compile);
      const { slot } = step;
      return (frame, m, out) => {
        const whole = over(frame, m);
        m.at = at;
        for (const item of seq(m, whole, 'for')) {
          m.fuel -= 1;
          if (m.fuel < m.pauseAt) pause(m);
          frame[slot] = item;
          fill(frame, m);
          if (!inner(frame, m, out)) break;
        }
        return true;
      };
    }
    case 'let': {
      const fill = compileBindings(step.bindings, compile);
      return (frame, m, out) => {
        fill(frame, m);
        return inner(frame, m, out);
      };
    }
    case 'when':
    case 'while': {
      const test = compile(step.test);
      const failed = step.kind === 'when';
      return (frame, m, out) => {
        const answer = test(frame, m);
        return answer !== null && answer !== false ? inner(frame, m, out) : failed;
      };
    }
  }
}
